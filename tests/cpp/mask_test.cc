#include "attention/mask.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compare.h"
#include "golden.h"

namespace attention {
namespace {

std::vector<std::uint8_t> golden_mask(const std::string& name) {
  const GoldenTensor mask = golden_tensor("extra.json", "/causal/masks_on_demo/" + name + "/mask");
  return {mask.data.begin(), mask.data.end()};
}

TEST(MaskBuilders, give_the_golden_masks) {
  std::vector<std::uint8_t> mask(36);
  causal_mask(mask.data(), 6, 6);
  EXPECT_EQ(mask, golden_mask("causal"));
  window_mask(mask.data(), 6, 6, 2);
  EXPECT_EQ(mask, golden_mask("window_2 (i-1..i)"));
  prefix_mask(mask.data(), 6, 6, 3);
  EXPECT_EQ(mask, golden_mask("prefix_3 (columns 0..2 open to all, causal after)"));

  const std::int32_t lengths[] = {4, 0, 6};
  std::vector<std::uint8_t> padding(18);
  padding_mask(lengths, padding.data(), 3, 6);
  EXPECT_EQ(padding, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0,  //
                                                0, 0, 0, 0, 0, 0,  //
                                                1, 1, 1, 1, 1, 1}));
}

TEST(MaskBuilders, align_rectangles_top_left) {
  std::vector<std::uint8_t> mask(8);
  causal_mask(mask.data(), 2, 4);
  EXPECT_EQ(mask, (std::vector<std::uint8_t>{1, 0, 0, 0,  //
                                             1, 1, 0, 0}));
  causal_mask(mask.data(), 4, 2);
  EXPECT_EQ(mask, (std::vector<std::uint8_t>{1, 0, 1, 1, 1, 1, 1, 1}));
}

TEST(Alibi, gives_the_golden_slopes_and_bias) {
  const std::string at = "/causal/masks_on_demo/alibi_4_heads_causal";
  const GoldenTensor slopes = golden_tensor("extra.json", at + "/slopes");
  for (int h = 0; h < 4; ++h) EXPECT_EQ(alibi_slope(h, 4), slopes.data[h]);
  const GoldenTensor expected = golden_tensor("extra.json", at + "/bias");
  std::vector<float> bias(4 * 36);
  alibi_bias(bias.data(), 4, 6, 6);
  EXPECT_TRUE(near(bias, expected.data, {4, 6, 6}, 0));
}

TEST(Alibi, interleaves_slopes_for_heads_that_are_no_power_of_two) {
  // get_slopes(12) of the authors' code: the 8 slopes of 8 heads, then every second one of 16.
  for (int h = 0; h < 8; ++h) EXPECT_FLOAT_EQ(alibi_slope(h, 12), std::exp2(-1.0f - h));
  for (int h = 8; h < 12; ++h) EXPECT_FLOAT_EQ(alibi_slope(h, 12), std::exp2(-0.5f - (h - 8)));
  EXPECT_FLOAT_EQ(alibi_slope(0, 1), std::exp2(-8.0f));
}

TEST(Mask, closes_by_zero_bytes_by_minus_infinity_and_by_causality) {
  const std::uint8_t open[] = {1, 0, 255};
  const float bias[] = {-kInfinity, kNaN, kInfinity};
  Mask mask{Mask::Kind::boolean, open, 0, 1};
  EXPECT_TRUE(mask.is_open(7, 0));
  EXPECT_FALSE(mask.is_open(7, 1));
  EXPECT_TRUE(mask.is_open(7, 2));
  mask = {Mask::Kind::additive, bias, 0, 1};
  EXPECT_FALSE(mask.is_open(0, 0));
  EXPECT_TRUE(mask.is_open(0, 1));
  EXPECT_TRUE(mask.is_open(0, 2));
  mask.is_causal = true;
  EXPECT_FALSE(mask.is_open(1, 2));
  EXPECT_TRUE(mask.is_open(2, 2));
}

TEST(Mask, leaves_no_key_fewer_keys_or_all_keys_visible) {
  Mask mask;
  EXPECT_EQ(mask.visible(0, 5), 5);
  mask.is_causal = true;
  EXPECT_EQ(mask.visible(0, 5), 1);
  EXPECT_EQ(mask.visible(9, 5), 5);
  mask.diagonal = 3;
  EXPECT_EQ(mask.visible(0, 5), 4);
  mask.diagonal = -3;
  EXPECT_EQ(mask.visible(1, 5), 0);
}

TEST(Mask, seen_from_a_later_row_and_column_is_the_same_mask) {
  const std::vector<float> noise = random_floats(7 * 9, 1);
  std::vector<std::uint8_t> open;
  for (const float x : noise) open.push_back(x > 0);
  for (const bool is_causal : {false, true}) {
    const Mask mask{Mask::Kind::boolean, open.data(), 9, 1, is_causal};
    const Mask rest = mask.from_row(2).from_column(3);
    for (Index i = 2; i < 7; ++i) {
      for (Index j = 3; j < 9; ++j) {
        EXPECT_EQ(rest.is_open(i - 2, j - 3), mask.is_open(i, j)) << i << ' ' << j;
      }
    }
  }
}

TEST(Mask, broadcasts_over_rows_columns_or_both) {
  const std::uint8_t open[] = {1, 0, 1};
  const Mask rows{Mask::Kind::boolean, open, 0, 1}, columns{Mask::Kind::boolean, open, 1, 0},
      both{Mask::Kind::boolean, open + 1, 0, 0};
  float row[3];
  rows.copy_row(5, 0, 3, row);
  EXPECT_EQ(std::vector<float>(row, row + 3), (std::vector<float>{0, -kInfinity, 0}));
  columns.copy_row(1, 0, 3, row);
  EXPECT_EQ(std::vector<float>(row, row + 3),
            (std::vector<float>{-kInfinity, -kInfinity, -kInfinity}));
  EXPECT_TRUE(columns.is_row_open(0, 3));
  EXPECT_FALSE(columns.is_row_open(1, 3));
  EXPECT_FALSE(rows.is_column_open(1, 3));
  EXPECT_FALSE(both.is_open(4, 2));
}

}  // namespace
}  // namespace attention
