// Where memory is out, a call says so and has written nothing: sizes that cannot be had, buffers
// that are as small as they can be. AddressSanitizer would see them touched, and leaks.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "attention/gemm.h"
#include "attention/kv_cache.h"
#include "attention/softmax.h"
#include "multi_head_case.h"

namespace attention {
namespace {

/// So many elements of eight floats are more bytes than there are addresses.
constexpr Index kTooMany = std::numeric_limits<Index>::max() / 8;
static_assert(static_cast<double>(kTooMany) * 8 * sizeof(float) > static_cast<double>(SIZE_MAX));

/// A buffer of one element, and whether it is as it was.
struct Untouched {
  float element = 42;
  ~Untouched() { EXPECT_EQ(element, 42); }
  float* data() { return &element; }
  MatrixView<float> matrix(Index rows, Index columns) { return {&element, rows, columns}; }
};

TEST(OutOfMemory, is_what_a_buffer_says_of_sizes_that_cannot_be_had) {
  Buffer buffer;
  const double addresses = static_cast<double>(SIZE_MAX);
  for (const double bytes : {1e300, addresses, addresses - 4096}) {
    EXPECT_EQ(buffer.allocate(bytes), Status::out_of_memory) << bytes;
    EXPECT_EQ(buffer.data(), nullptr);
  }
  EXPECT_EQ(buffer.allocate(1), Status::ok);
  EXPECT_NE(buffer.data(), nullptr);
  EXPECT_EQ(buffer.allocate(1e300), Status::out_of_memory);
  EXPECT_EQ(buffer.data(), nullptr) << "what there was is given back";
}

TEST(OutOfMemory, is_what_products_and_softmax_say) {
  Untouched in, out;
  EXPECT_EQ(matmul(in.matrix(1, kTooMany), in.matrix(kTooMany, 8), out.matrix(1, 8)),
            Status::out_of_memory);
  const Index columns = std::numeric_limits<Index>::max() - 32;
  EXPECT_EQ(softmax(in.matrix(1, columns), out.matrix(1, columns)), Status::out_of_memory);
  EXPECT_EQ(softmax_backward(in.matrix(1, columns), in.matrix(1, columns), out.matrix(1, columns)),
            Status::out_of_memory);
}

TEST(OutOfMemory, is_what_attention_says) {
  Untouched output, weights, grad_query, grad_key, grad_value;
  AttentionCase c(1, 1, 8, 8);
  AttentionBatch inputs = c.batch();
  inputs.shape.m = kTooMany;
  AttentionBatchResults results;
  results.output = output.data();
  EXPECT_EQ(scaled_dot_product(inputs, results), Status::out_of_memory) << "streaming";
  results.scores.weights = weights.data();
  EXPECT_EQ(scaled_dot_product(inputs, results), Status::out_of_memory) << "weights kept";

  const float some = 0;
  AttentionBatchGradients gradients;
  gradients.grad_output = &some;
  gradients.query = grad_query.data();
  gradients.key = grad_key.data();
  gradients.value = grad_value.data();
  EXPECT_EQ(scaled_dot_product_backward(inputs, gradients), Status::out_of_memory) << "recomputed";
  gradients.weights = &some;
  EXPECT_EQ(scaled_dot_product_backward(inputs, gradients), Status::out_of_memory) << "kept";
}

/// A layer whose tokens are too many, or whose parameters are.
std::vector<MultiHeadShape> impossible_shapes(const MultiHeadCase& c) {
  MultiHeadShape tokens = c.shape(), parameters = c.shape();
  tokens.n = tokens.m = kTooMany;
  parameters.d_model = parameters.d_context = kTooMany;
  return {tokens, parameters};
}

TEST(OutOfMemory, is_what_a_layer_says) {
  const MultiHeadCase c({.n = 1, .d_k = 4, .d_v = 4, .d_out = 8});
  for (const MultiHeadShape& shape : impossible_shapes(c)) {
    Untouched output, weights, grad_x, grad_wq, grad_bo;
    MultiHeadResults results;
    results.output = output.data();
    const float some = 0;
    MultiHeadGradients gradients;
    gradients.grad_output = &some;
    gradients.x = grad_x.data();
    gradients.wq = grad_wq.data();
    gradients.bo = grad_bo.data();
    const MultiHeadKept kept = {&some, &some, &some, &some, &some};
    EXPECT_EQ(multi_head(shape, c.parameters(), c.inputs(), results), Status::out_of_memory);
    EXPECT_EQ(multi_head_backward(shape, c.parameters(), c.inputs(), {}, gradients),
              Status::out_of_memory);
    EXPECT_EQ(multi_head_backward(shape, c.parameters(), c.inputs(), kept, gradients),
              Status::out_of_memory);
    results.scores.weights = weights.data();
    EXPECT_EQ(multi_head(shape, c.parameters(), c.inputs(), results), Status::out_of_memory);
  }
}

TEST(OutOfMemory, is_what_a_prepared_layer_says) {
  const MultiHeadCase c({.n = 1, .d_k = 4, .d_v = 4, .d_out = 8});
  const std::vector<MultiHeadShape> shapes = impossible_shapes(c);
  PreparedParameters prepared;
  EXPECT_EQ(prepared.prepare(shapes[1], c.parameters()), Status::out_of_memory);
  EXPECT_EQ(prepared.prepare(c.shape(), c.parameters()), Status::ok);
  Untouched output, grad_x;
  MultiHeadResults results;
  results.output = output.data();
  EXPECT_EQ(multi_head(shapes[0], prepared.packed(), c.inputs(), results), Status::out_of_memory);
  const float some = 0;
  MultiHeadGradients gradients;
  gradients.grad_output = &some;
  gradients.x = grad_x.data();
  EXPECT_EQ(multi_head_backward(shapes[0], prepared.packed(), c.inputs(), {}, gradients),
            Status::out_of_memory);
}

TEST(OutOfMemory, leaves_a_cache_as_it_was) {
  MultiHeadCase c({.n = 6, .d_k = 4, .d_v = 4, .d_out = 8});
  c.is_causal = true;
  KvCache cache;
  EXPECT_EQ(cache.create(c.shape(), c.parameters(), c.scale, 6), Status::ok);
  std::vector<float> output(6 * 8, kNaN);
  EXPECT_EQ(cache.step(c.x.data(), 3, output.data(), nullptr), Status::ok);

  Untouched untouched;
  EXPECT_EQ(cache.step(c.x.data(), kTooMany, untouched.data(), nullptr), Status::out_of_memory);
  EXPECT_EQ(cache.create(c.shape(), c.parameters(), c.scale, kTooMany), Status::out_of_memory);
  EXPECT_EQ(cache.create(impossible_shapes(c)[1], c.parameters(), c.scale, 6),
            Status::out_of_memory);
  EXPECT_EQ(cache.length(), 3);

  EXPECT_EQ(cache.step(c.x.data() + 3 * 4, 3, output.data() + 3 * 8, nullptr), Status::ok);
  EXPECT_TRUE(is_same_bits(output, c.forward(Keep::weights).output));
}

}  // namespace
}  // namespace attention
