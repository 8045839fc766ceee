// Layers that stay in memory, for JavaScript.
//
//   prepareLayer(call) → PreparedLayer | null       packs copies of the call's wq … bo;
//                                                   null = out of memory
//     .forward(call) → status                       as multiHead and
//     .backward(call) → status                      multiHeadBackward; the parameters' addresses
//                                                   in these calls count for nothing
//     .delete()
//   preparedLayerBytes(call) → number               the memory that a prepared layer occupies
//
//   createKvCache(call, maxLength) → KvCache | null packs copies of the parameters; of the call it
//                                                   reads dModel, heads, widths, scale, parameters
//     .step(x, rows, output, weights) → status      x (rows, dModel), output (rows, dOut), weights
//                                                   (numHeads, rows, length afterwards) or 0;
//                                                   length + rows ≤ maxLength
//     .stepWorkspaceBytes(rows) → number            the memory that such a step takes while it runs
//     .length                                       tokens cached
//     .copyKeys(address)                            (numKvHeads, length, dK)
//     .copyValues(address)                          (numKvHeads, length, dV)
//     .reset()                                      forgets all tokens
//     .delete()
//   kvCacheBytes(call, maxLength) → number          the memory that a cache occupies
//
// A status is 0 = done, 1 = out of memory, and then nothing was written or cached.
#include <emscripten/bind.h>

#include <new>

#include "attention/kv_cache.h"
#include "bindings/arguments.h"

namespace attention::bindings {
namespace {

/// Objects that JavaScript owns. The global operator new ends the program when memory is out and
/// exceptions are off; this one answers null.
struct OwnedByJavaScript {
  static void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return std::malloc(bytes);
  }
  static void operator delete(void* object) noexcept { std::free(object); }
  static void operator delete(void* object, const std::nothrow_t&) noexcept { std::free(object); }
};

/// In a call of its methods the parameters' addresses are not looked at.
class Layer : public OwnedByJavaScript {
 public:
  Status prepare(const MultiHeadCall& call) {
    return parameters_.prepare(shape_of(call), parameters_of(call));
  }
  int forward(const MultiHeadCall& call) const {
    return static_cast<int>(attention::multi_head(shape_of(call), parameters_.packed(),
                                                  inputs_of(call), results_of(call)));
  }
  int backward(const MultiHeadCall& call) const {
    return static_cast<int>(attention::multi_head_backward(
        shape_of(call), parameters_.packed(), inputs_of(call), kept_of(call), gradients_of(call)));
  }

 private:
  PreparedParameters parameters_;
};

Layer* prepare_layer(const MultiHeadCall& call) {
  Layer* layer = new (std::nothrow) Layer;
  if (layer != nullptr && layer->prepare(call) != Status::ok) {
    delete layer;
    return nullptr;
  }
  return layer;
}

double prepared_layer_bytes(const MultiHeadCall& call) {
  return PreparedParameters::bytes(shape_of(call), parameters_of(call));
}

class Cache : public OwnedByJavaScript {
 public:
  Status create(const MultiHeadCall& call, int max_length) {
    return cache_.create(shape_of(call), parameters_of(call), static_cast<float>(call.scale),
                         max_length);
  }
  int step(Address x, int rows, Address output, Address weights) {
    return static_cast<int>(
        cache_.step(at<const float>(x), rows, at<float>(output), at<float>(weights)));
  }
  double step_workspace_bytes(int rows) const { return cache_.step_workspace_bytes(rows); }
  int length() const { return static_cast<int>(cache_.length()); }
  void copy_keys(Address out) const { cache_.copy_keys(at<float>(out)); }
  void copy_values(Address out) const { cache_.copy_values(at<float>(out)); }
  void reset() { cache_.reset(); }

 private:
  KvCache cache_;
};

Cache* create_kv_cache(const MultiHeadCall& call, int max_length) {
  Cache* cache = new (std::nothrow) Cache;
  if (cache != nullptr && cache->create(call, max_length) != Status::ok) {
    delete cache;
    return nullptr;
  }
  return cache;
}

double kv_cache_bytes(const MultiHeadCall& call, int max_length) {
  return KvCache::bytes(shape_of(call), parameters_of(call), max_length);
}

EMSCRIPTEN_BINDINGS(layers) {
  using emscripten::allow_raw_pointers;
  using emscripten::class_;
  using emscripten::function;

  class_<Layer>("PreparedLayer")
      .function("forward", &Layer::forward)
      .function("backward", &Layer::backward);
  function("prepareLayer", &prepare_layer, allow_raw_pointers());
  function("preparedLayerBytes", &prepared_layer_bytes);

  class_<Cache>("KvCache")
      .function("step", &Cache::step)
      .function("stepWorkspaceBytes", &Cache::step_workspace_bytes)
      .property("length", &Cache::length)
      .function("copyKeys", &Cache::copy_keys)
      .function("copyValues", &Cache::copy_values)
      .function("reset", &Cache::reset);
  function("createKvCache", &create_kv_cache, allow_raw_pointers());
  function("kvCacheBytes", &kv_cache_bytes);
}

}  // namespace
}  // namespace attention::bindings
