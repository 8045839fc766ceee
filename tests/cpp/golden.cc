#include "golden.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace attention {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& file, const std::string& pointer, const char* why) {
  std::fprintf(stderr, "golden figure %s%s: %s\n", file.c_str(), pointer.c_str(), why);
  std::abort();
}

const Json& document(const std::string& file) {
  static std::map<std::string, Json> documents;
  auto found = documents.find(file);
  if (found != documents.end()) return found->second;
  std::ifstream stream(std::string(ATTENTION_GOLDEN_DIR) + "/" + file);
  if (!stream) fail(file, "", "cannot be opened under " ATTENTION_GOLDEN_DIR);
  std::stringstream text;
  text << stream.rdbuf();
  Json parsed = Json::parse(text.str(), nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) fail(file, "", "is not JSON");
  return documents.emplace(file, std::move(parsed)).first->second;
}

const Json& entry(const std::string& file, const std::string& pointer) {
  const Json& root = document(file);
  const Json::json_pointer path(pointer);
  if (!root.contains(path)) fail(file, pointer, "there is none");
  return root.at(path);
}

// Appends the numbers of a nested array and notes its shape on the way down the first branch.
void flatten(const Json& value, std::size_t depth, GoldenTensor* tensor) {
  if (value.is_array()) {
    if (depth == tensor->shape.size() && tensor->data.empty()) {
      tensor->shape.push_back(static_cast<int>(value.size()));
    }
    for (const Json& element : value) flatten(element, depth + 1, tensor);
  } else if (value.is_null()) {
    tensor->data.push_back(-HUGE_VAL);
  } else if (value.is_boolean()) {
    tensor->data.push_back(value.get<bool>() ? 1 : 0);
  } else {
    tensor->data.push_back(value.get<double>());
  }
}

}  // namespace

GoldenTensor golden_tensor(const std::string& file, const std::string& pointer) {
  const Json& value = entry(file, pointer);
  GoldenTensor tensor;
  const bool is_tensor = value.is_object() && value.contains("shape") && value.contains("data");
  if (!is_tensor && !value.is_array()) fail(file, pointer, "is no tensor");
  flatten(is_tensor ? value["data"] : value, 0, &tensor);
  if (is_tensor) tensor.shape = value["shape"].get<std::vector<int>>();
  std::size_t elements = 1;
  for (int extent : tensor.shape) elements *= static_cast<std::size_t>(extent);
  if (elements != tensor.data.size()) fail(file, pointer, "is ragged");
  return tensor;
}

double golden_number(const std::string& file, const std::string& pointer) {
  const Json& value = entry(file, pointer);
  if (!value.is_number()) fail(file, pointer, "is no number");
  return value.get<double>();
}

std::string golden_string(const std::string& file, const std::string& pointer) {
  const Json& value = entry(file, pointer);
  if (!value.is_string()) fail(file, pointer, "is no string");
  return value.get<std::string>();
}

std::size_t golden_size(const std::string& file, const std::string& pointer) {
  return entry(file, pointer).size();
}

std::vector<std::string> golden_keys(const std::string& file, const std::string& pointer) {
  std::vector<std::string> keys;
  for (const auto& item : entry(file, pointer).items()) keys.push_back(item.key());
  return keys;
}

}  // namespace attention
