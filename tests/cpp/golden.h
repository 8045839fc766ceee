// Golden figures for tests: numbers in tests/golden/*.json, found by file name and JSON pointer.
//
//   golden_tensor("causal.json", "/axioms/Q")  →  shape {8, 16} and 128 values
//
// A '/' inside a key is written ~1 in a pointer, a '~' is written ~0. What is not there ends the
// test program with a message that names it, so a misspelt key cannot pass for an empty tensor.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attention {

struct GoldenTensor {
  std::vector<int> shape;
  std::vector<double> data;  ///< row-major

  /// The same values rounded to float32, as the kernels take them.
  std::vector<float> floats() const { return {data.begin(), data.end()}; }
};

/// A {"shape", "data"} object or a (nested) array of numbers or booleans; null reads as −∞, true as 1.
GoldenTensor golden_tensor(const std::string& file, const std::string& pointer);

double golden_number(const std::string& file, const std::string& pointer);
std::string golden_string(const std::string& file, const std::string& pointer);

/// How many entries the array or object there has.
std::size_t golden_size(const std::string& file, const std::string& pointer);

/// The keys of the object there, in alphabetical order.
std::vector<std::string> golden_keys(const std::string& file, const std::string& pointer);

}  // namespace attention
