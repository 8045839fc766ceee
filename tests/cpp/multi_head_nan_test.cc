// NaN and Inf in a layer's tokens: behind a mask they reach nothing but what is the token's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "multi_head_case.h"

namespace attention {
namespace {

const float kBad[] = {kNaN, kInfinity, -kInfinity};

/// Cross-attention in which token 2 of every context is padding. Of the other tokens each head sees
/// a few of its own.
MultiHeadCase with_padding(int num_kv_heads) {
  MultiHeadCase c({.batch = 2,
                   .n = 5,
                   .m = 6,
                   .d_context = 4,
                   .d_model = 3,
                   .num_heads = 4,
                   .num_kv_heads = num_kv_heads,
                   .d_out = 5,
                   .has_context = true});
  c.use_boolean_mask(false, true, false, true);
  c.boolean_mask = {1, 0, 0, 0, 0, 1,   //
                    0, 1, 0, 0, 0, 1,   //
                    0, 0, 0, 1, 0, 1,   //
                    0, 0, 0, 0, 1, 1};  //
  return c;
}

MultiHeadCase with_bad_padding(const MultiHeadCase& clean, float bad) {
  MultiHeadCase dirty = clean;
  for (int b = 0; b < 2; ++b) std::fill_n(dirty.context.begin() + (b * 6 + 2) * 4, 4, bad);
  return dirty;
}

TEST(MultiHeadPadding, changes_no_bit_of_the_result) {
  for (const int num_kv_heads : {1, 2, 4}) {
    const MultiHeadCase clean = with_padding(num_kv_heads);
    for (const float bad : kBad) {
      const MultiHeadCase dirty = with_bad_padding(clean, bad);
      for (const Keep keep : {Keep::weights, Keep::nothing}) {
        const LayerForward expected = clean.forward(keep), actual = dirty.forward(keep);
        EXPECT_TRUE(is_same_bits(actual.output, expected.output)) << bad;
        EXPECT_TRUE(is_same_bits(actual.weights, expected.weights)) << bad;
      }
    }
  }
}

TEST(MultiHeadPadding, reaches_no_gradient_of_others) {
  for (const int num_kv_heads : {1, 2, 4}) {
    const MultiHeadCase clean = with_padding(num_kv_heads);
    const std::vector<float> grad_output = random_floats(2 * 5 * 5, 93);
    const LayerBackward expected = clean.backward(grad_output, nullptr);
    for (const float bad : kBad) {
      const MultiHeadCase dirty = with_bad_padding(clean, bad);
      const LayerForward kept = dirty.forward(Keep::stages);
      for (const LayerForward* forward : {&kept, static_cast<const LayerForward*>(nullptr)}) {
        const LayerBackward actual = dirty.backward(grad_output, forward);
        EXPECT_TRUE(is_same_bits(actual.x, expected.x)) << bad;
        EXPECT_TRUE(is_same_bits(actual.context, expected.context)) << bad << ": its own is 0";
        EXPECT_TRUE(is_same_bits(actual.wq, expected.wq)) << bad;
        EXPECT_TRUE(is_same_bits(actual.bk, expected.bk)) << bad;
        EXPECT_TRUE(is_same_bits(actual.bv, expected.bv)) << bad;
        EXPECT_TRUE(is_same_bits(actual.wo, expected.wo)) << bad;
        // Summed in another order, since the token is left out: twice the bound of its 2·6 terms.
        const double tolerance = 2 * 13 * kUnitRoundoff;
        const int columns = num_kv_heads * 3;
        EXPECT_TRUE(is_close(actual.wk, doubles(expected.wk), {4, columns}, tolerance)) << bad;
        EXPECT_TRUE(is_close(actual.wv, doubles(expected.wv), {4, num_kv_heads * 2}, tolerance))
            << bad;
      }
    }
  }
}

TEST(MultiHeadNan, in_a_token_shows_in_what_attends_to_it_and_only_there) {
  // Causal: tokens before it know nothing of it.
  for (const float bad : kBad) {
    MultiHeadCase c({.batch = 2, .n = 20, .num_heads = 4, .num_kv_heads = 2, .d_out = 5});
    c.is_causal = true;
    const LayerForward clean = c.forward(Keep::weights), clean_streamed = c.forward(Keep::nothing);
    c.x[(20 + 12) * 4 + 1] = bad;
    const LayerForward kept = c.forward(Keep::weights), streamed = c.forward(Keep::nothing);
    const std::size_t before = (20 + 12) * 5;  // the other entry's too
    EXPECT_TRUE(is_same_bits(kept.output.data(), clean.output.data(), before)) << bad;
    EXPECT_TRUE(is_same_bits(streamed.output.data(), clean_streamed.output.data(), before)) << bad;
    for (std::size_t i = before; i < kept.output.size(); ++i) {
      EXPECT_TRUE(std::isnan(kept.output[i])) << bad << ' ' << i;
      EXPECT_TRUE(std::isnan(streamed.output[i])) << bad << ' ' << i;
    }
    for (int slice = 4; slice < 8; ++slice) {
      for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 20; ++j) {
          const float weight = kept.weights[(slice * 20 + i) * 20 + j];
          if (j > i) {
            EXPECT_EQ(weight, 0) << slice << ' ' << i << ' ' << j;
          } else if (i < 12) {
            EXPECT_TRUE(std::isfinite(weight)) << slice << ' ' << i << ' ' << j;
          }
        }
      }
    }
  }
}

TEST(MultiHeadNan, in_a_query_that_may_attend_to_nothing_reaches_no_parameters_gradient) {
  for (const float bad : kBad) {
    MultiHeadCase clean(
        {.batch = 1, .n = 4, .m = 3, .d_context = 3, .d_out = 5, .has_context = true});
    clean.use_boolean_mask(false, false, true, false);
    clean.boolean_mask = {1, 0, 1, 1};
    MultiHeadCase dirty = clean;
    std::fill_n(dirty.x.begin() + 4, 4, bad);
    const std::vector<float> grad_output = random_floats(4 * 5, 94);
    const LayerBackward expected = clean.backward(grad_output, nullptr);
    const LayerBackward actual = dirty.backward(grad_output, nullptr);
    EXPECT_TRUE(is_close(actual.wq, doubles(expected.wq), {4, 6}, 2 * 5 * kUnitRoundoff)) << bad;
    EXPECT_TRUE(is_same_bits(actual.wk, expected.wk)) << bad;
    EXPECT_TRUE(is_same_bits(actual.wv, expected.wv)) << bad;
    EXPECT_TRUE(is_same_bits(actual.x, expected.x)) << bad;
  }
}

}  // namespace
}  // namespace attention
