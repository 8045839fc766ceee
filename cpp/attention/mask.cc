#include "attention/mask.h"

#include <algorithm>
#include <cmath>

namespace attention {

Mask Mask::from_element(Index element) const {
  Mask rest = *this;
  if (kind == Kind::boolean) rest.data = static_cast<const std::uint8_t*>(data) + element;
  if (kind == Kind::additive) rest.data = static_cast<const float*>(data) + element;
  return rest;
}

Mask Mask::from_row(Index first) const {
  Mask rest = from_element(first * row_stride);
  rest.diagonal += first;
  return rest;
}

Mask Mask::from_column(Index first) const {
  Mask rest = from_element(first * column_stride);
  rest.diagonal -= first;
  return rest;
}

Index Mask::visible(Index i, Index m) const {
  return is_causal ? std::clamp<Index>(i + diagonal + 1, 0, m) : m;
}

bool Mask::is_open(Index i, Index j) const {
  if (is_causal && j > i + diagonal) return false;
  const Index element = i * row_stride + j * column_stride;
  switch (kind) {
    case Kind::boolean:
      return static_cast<const std::uint8_t*>(data)[element] != 0;
    case Kind::additive:
      return static_cast<const float*>(data)[element] != -kInfinity;
    case Kind::none:
      break;
  }
  return true;
}

bool Mask::is_row_open(Index i, Index m) const {
  for (Index j = 0; j < m; ++j) {
    if (is_open(i, j)) return true;
  }
  return false;
}

bool Mask::is_column_open(Index j, Index n) const {
  for (Index i = 0; i < n; ++i) {
    if (is_open(i, j)) return true;
  }
  return false;
}

void Mask::copy_row(Index i, Index first, Index count, float* row) const {
  const Index start = i * row_stride + first * column_stride;
  if (kind == Kind::boolean) {
    const std::uint8_t* open = static_cast<const std::uint8_t*>(data) + start;
    for (Index j = 0; j < count; ++j) row[j] = open[j * column_stride] ? 0 : -kInfinity;
  } else if (kind == Kind::additive) {
    const float* bias = static_cast<const float*>(data) + start;
    for (Index j = 0; j < count; ++j) row[j] = bias[j * column_stride];
  } else {
    std::fill_n(row, count, 0.0f);
  }
}

Mask BatchMask::slice(Index b) const { return mask.from_element(offsets ? offsets[b] : 0); }

namespace {

/// out_ij = is_open(i, j), row-major (n, m).
template <typename Condition>
void fill_mask(std::uint8_t* out, Index n, Index m, Condition is_open) {
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) *out++ = is_open(i, j) ? 1 : 0;
  }
}

}  // namespace

void causal_mask(std::uint8_t* out, Index n, Index m) {
  fill_mask(out, n, m, [](Index i, Index j) { return j <= i; });
}

void window_mask(std::uint8_t* out, Index n, Index m, Index size) {
  fill_mask(out, n, m, [=](Index i, Index j) { return j <= i && i - j < size; });
}

void prefix_mask(std::uint8_t* out, Index n, Index m, Index length) {
  fill_mask(out, n, m, [=](Index i, Index j) { return j < length || j <= i; });
}

void padding_mask(const std::int32_t* lengths, std::uint8_t* out, Index batch, Index m) {
  fill_mask(out, batch, m, [=](Index b, Index j) { return j < lengths[b]; });
}

float alibi_slope(Index h, Index heads) {
  Index power = 1;
  while (power * 2 <= heads) power *= 2;
  const double exponent =
      h < power ? -8.0 * static_cast<double>(h + 1) / static_cast<double>(power)
                : -4.0 * static_cast<double>(2 * (h - power) + 1) / static_cast<double>(power);
  return static_cast<float>(std::exp2(exponent));
}

void alibi_bias(float* out, Index heads, Index n, Index m) {
  for (Index h = 0; h < heads; ++h) {
    const float slope = alibi_slope(h, heads);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) *out++ = -slope * static_cast<float>(i - j);
    }
  }
}

}  // namespace attention
