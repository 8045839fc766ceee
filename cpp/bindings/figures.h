// What bindings share whose results are a handful of float64 figures.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "attention/tensor.h"

namespace attention::bindings {

/// Could so many bytes be had? Eigen allocates as it goes and cannot fail without ending the
/// program, so whoever calls it asks first. There is one thread: what is free now stays free.
inline bool has_room(double bytes) { return Buffer().allocate(bytes) == Status::ok; }

/// Writes figures one after another; returns where the next one goes.
inline double* write_figures(std::initializer_list<double> figures, double* out) {
  return std::copy(figures.begin(), figures.end(), out);
}

}  // namespace attention::bindings
