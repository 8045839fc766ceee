#include "attention/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "attention/gemm_tile.h"
#include "compare.h"

namespace attention {
namespace {

/// A packed matrix and the memory it lies in.
struct Packed {
  Buffer memory;
  PackedMatrix matrix;
  bool is_finite;

  explicit Packed(ConstMatrix source) {
    Arena count;
    PackedMatrix(count, source.rows, source.columns);
    EXPECT_EQ(memory.allocate(count.bytes()), Status::ok);
    Arena arena(memory.data());
    matrix = PackedMatrix(arena, source.rows, source.columns);
    is_finite = pack(source, matrix);
  }
};

/// A·B by the definition, and the bound on a float32 sum's rounding: (k + 1) u Σ|a||b|.
struct Oracle {
  std::vector<double> product, tolerance;

  Oracle(ConstMatrix a, ConstMatrix b, ConstMatrix addend = {}) {
    for (Index i = 0; i < a.rows; ++i) {
      for (Index j = 0; j < b.columns; ++j) {
        double sum = addend ? addend(i, j) : 0;
        double magnitude = std::abs(sum);
        for (Index k = 0; k < a.columns; ++k) {
          const double term = static_cast<double>(a(i, k)) * b(k, j);
          sum += term;
          magnitude += std::abs(term);
        }
        product.push_back(sum);
        tolerance.push_back(static_cast<double>(a.columns + 2) * kUnitRoundoff * magnitude);
      }
    }
  }
};

std::vector<int> shape(ConstMatrix a, ConstMatrix b) {
  return {static_cast<int>(a.rows), static_cast<int>(b.columns)};
}

/// Checks matmul(a, b) against the definition.
testing::AssertionResult product_is_right(ConstMatrix a, ConstMatrix b) {
  std::vector<float> c(static_cast<std::size_t>(a.rows * b.columns), kNaN);
  EXPECT_EQ(matmul(a, b, Matrix(c.data(), a.rows, b.columns)), Status::ok);
  const Oracle oracle(a, b);
  return is_near(c, oracle.product, oracle.tolerance, shape(a, b));
}

TEST(Matmul, is_right_for_every_size_and_transposition) {
  for (Index m = 1; m <= 17; ++m) {
    for (Index n = 1; n <= 17; ++n) {
      for (Index k = 1; k <= 17; ++k) {
        const std::vector<float> a = random_floats(m * k, 1), b = random_floats(k * n, 2);
        const ConstMatrix a_rows(a.data(), m, k), b_rows(b.data(), k, n);
        const ConstMatrix a_columns = ConstMatrix(a.data(), k, m).transposed();
        const ConstMatrix b_columns = ConstMatrix(b.data(), n, k).transposed();
        ASSERT_TRUE(product_is_right(a_rows, b_rows)) << "A·B " << m << ' ' << n << ' ' << k;
        ASSERT_TRUE(product_is_right(a_rows, b_columns)) << "A·Bᵀ " << m << ' ' << n << ' ' << k;
        ASSERT_TRUE(product_is_right(a_columns, b_rows)) << "Aᵀ·B " << m << ' ' << n << ' ' << k;
        ASSERT_TRUE(product_is_right(a_columns, b_columns))
            << "Aᵀ·Bᵀ " << m << ' ' << n << ' ' << k;
      }
    }
  }
}

TEST(Matmul, is_right_across_blocks_of_rows_and_terms) {
  for (const Index k : {kBlockDepth - 1, kBlockDepth, kBlockDepth + 1, 2 * kBlockDepth + 3}) {
    for (const Index m : {63, 64, 65, 130}) {
      const Index n = 19;
      const std::vector<float> a = random_floats(m * k, 3), b = random_floats(k * n, 4);
      ASSERT_TRUE(product_is_right({a.data(), m, k}, {b.data(), k, n})) << m << ' ' << k;
    }
  }
}

TEST(Matmul, of_no_rows_columns_or_terms_works) {
  std::vector<float> c(6, kNaN);
  EXPECT_EQ(matmul({nullptr, 2, 0}, {nullptr, 0, 3}, Matrix(c.data(), 2, 3)), Status::ok);
  EXPECT_EQ(c, std::vector<float>(6, 0.0f));
  EXPECT_EQ(matmul({nullptr, 0, 4}, {c.data(), 4, 0}, Matrix(nullptr, 0, 0)), Status::ok);
}

TEST(Multiply, adds_a_bias_or_what_is_there) {
  const Index m = 7, n = 11, k = 5;
  const std::vector<float> a = random_floats(m * k, 5), b = random_floats(k * n, 6);
  const std::vector<float> bias = random_floats(n, 7), before = random_floats(m * n, 8);
  const ConstMatrix a_view(a.data(), m, k), b_view(b.data(), k, n);
  const Packed packed(b_view);

  std::vector<float> c(m * n, kNaN);
  multiply(a_view, packed.matrix, Matrix(c.data(), m, n), Addend::bias(bias.data()));
  const Oracle biased(a_view, b_view, ConstMatrix(bias.data(), m, n, 0));
  EXPECT_TRUE(is_near(c, biased.product, biased.tolerance, {m, n}));

  c = before;
  const Matrix c_view(c.data(), m, n);
  multiply(a_view, packed.matrix, c_view, Addend::matrix(c_view));
  const Oracle added(a_view, b_view, ConstMatrix(before.data(), m, n));
  EXPECT_TRUE(is_near(c, added.product, added.tolerance, {m, n}));
}

TEST(Multiply, writes_only_its_own_columns_of_a_wider_matrix) {
  const Index m = 5, n = 6, k = 3, width = 9;
  const std::vector<float> a = random_floats(m * k, 9), b = random_floats(k * n, 10);
  const Packed packed({b.data(), k, n});
  std::vector<float> c(m * width, 42.0f);
  multiply({a.data(), m, k}, packed.matrix, Matrix(c.data(), m, width).column_block(2, n));
  for (Index i = 0; i < m; ++i) {
    for (const Index j : {0, 1, 8}) EXPECT_EQ(c[i * width + j], 42.0f) << i << ' ' << j;
  }
}

TEST(Multiply, gives_a_row_the_same_bits_alone_and_among_others) {
  for (const Index k : {Index{1}, Index{7}, Index{64}, kBlockDepth + 9}) {
    const Index m = 70, n = 21;
    const std::vector<float> a = random_floats(m * k, 11), b = random_floats(k * n, 12);
    const Packed packed({b.data(), k, n});
    std::vector<float> together(m * n), alone(n);
    multiply({a.data(), m, k}, packed.matrix, Matrix(together.data(), m, n));
    for (Index i = 0; i < m; ++i) {
      multiply({a.data() + i * k, 1, k}, packed.matrix, Matrix(alone.data(), 1, n));
      ASSERT_TRUE(is_same_bits(alone.data(), together.data() + i * n, n)) << "row " << i;
    }
  }
}

TEST(Multiply, gives_the_same_bits_when_zero_terms_follow) {
  // Also where the sum is a product that underflows to −0: with nothing after it, with +0 after it.
  const Index n = 3;
  for (const float tiny : {1.0f, 1e-30f}) {
    std::vector<float> a = {-tiny, 0, 0}, b(3 * n, tiny);
    const Packed packed({b.data(), 3, n});
    std::vector<float> one(n), three(n);
    multiply({a.data(), 1, 1, 3}, packed.matrix, Matrix(one.data(), 1, n));
    multiply({a.data(), 1, 3}, packed.matrix, Matrix(three.data(), 1, n));
    EXPECT_TRUE(is_same_bits(one, three));
  }
}

TEST(Multiply, uses_the_leading_part_of_a_packed_matrix) {
  const Index m = 5, n = 20, k = 9;
  const std::vector<float> a = random_floats(m * k, 13), b = random_floats(k * n, 14);
  const Packed packed({b.data(), k, n});
  std::vector<float> c(m * 11, kNaN);
  multiply(ConstMatrix(a.data(), m, k).column_block(0, 4), packed.matrix, Matrix(c.data(), m, 11));
  const Oracle oracle(ConstMatrix(a.data(), m, 4, k), ConstMatrix(b.data(), 4, 11, n));
  EXPECT_TRUE(is_near(c, oracle.product, oracle.tolerance, {m, 11}));
}

TEST(Pack, finds_what_is_not_finite_in_any_place) {
  for (Index rows = 1; rows <= 4; ++rows) {
    for (Index columns = 1; columns <= 17; ++columns) {
      std::vector<float> b = random_floats(rows * columns, 15);
      EXPECT_TRUE(Packed({b.data(), rows, columns}).is_finite);
      for (const float bad : {kNaN, kInfinity, -kInfinity}) {
        for (float& x : b) {
          const float good = std::exchange(x, bad);
          EXPECT_FALSE(Packed({b.data(), rows, columns}).is_finite);
          EXPECT_FALSE(Packed(ConstMatrix(b.data(), columns, rows).transposed()).is_finite);
          x = good;
        }
      }
    }
  }
}

TEST(Pack, transposes_what_is_packed) {
  for (Index rows = 1; rows <= 17; ++rows) {
    for (Index columns = 1; columns <= 17; ++columns) {
      const std::vector<float> b = random_floats(rows * columns, 16);
      const ConstMatrix view(b.data(), rows, columns);
      const Packed packed(view), expected(view.transposed());
      Packed transposed(view.transposed());
      for (Index i = 0; i < columns * whole_panels(rows); ++i) transposed.matrix.panels[i] = kNaN;
      pack_transposed(packed.matrix, transposed.matrix);
      ASSERT_TRUE(is_same_bits(transposed.matrix.panels, expected.matrix.panels,
                               static_cast<std::size_t>(columns * whole_panels(rows))))
          << rows << ' ' << columns;
    }
  }
}

/// One whole tile of some size.
template <int kRows, int kColumns>
std::vector<float> tile_product(const std::vector<float>& a, const std::vector<float>& b,
                                Index depth) {
  std::vector<float> c(kRows * kColumns, kNaN);
  multiply_tile<kRows, kColumns, true>(
      {a.data(), depth, 1, b.data(), depth, nullptr, 0, c.data(), kColumns, kColumns});
  return c;
}

TEST(Tile, of_any_size_gives_an_element_the_same_bits) {
  const Index depth = 37;
  const std::vector<float> a = random_floats(6 * depth, 17), wide = random_floats(depth * 16, 18);
  std::vector<float> narrow;
  for (Index k = 0; k < depth; ++k) {
    narrow.insert(narrow.end(), wide.begin() + k * 16, wide.begin() + k * 16 + 8);
  }
  const std::vector<float> tile_4x8 = tile_product<4, 8>(a, narrow, depth);
  const std::vector<float> tile_6x8 = tile_product<6, 8>(a, narrow, depth);
  const std::vector<float> tile_2x16 = tile_product<2, 16>(a, wide, depth);
  EXPECT_TRUE(is_same_bits(tile_6x8.data(), tile_4x8.data(), 32));
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(is_same_bits(&tile_2x16[i * 16], &tile_4x8[i * 8], 8)) << "row " << i;
  }
}

}  // namespace
}  // namespace attention
