// The innermost loop of every product, with the tile's size as a template parameter.
#pragma once

#include "attention/simd.h"
#include "attention/tensor.h"

namespace attention {

/// One tile of C = A·B + addend, and where its operands lie.
struct TileOperands {
  const float* a;  ///< element (i, k) at a[i·a_row_stride + k·a_column_stride]
  Index a_row_stride;
  Index a_column_stride;
  const float* panel;  ///< element (k, j) at panel[k·kColumns + j]
  Index depth;
  const float* addend;  ///< null = nothing is added
  Index addend_row_stride;
  float* c;
  Index c_row_stride;
  Index columns;  ///< how many columns of the panel exist in C
};

/// c_ij = Σ_k a_ik b_kj + addend_ij for i < kRows, j < columns ≤ kColumns.
///
/// Each element is one chain of madd from 0 in the order of k. The sum with the addend is made even
/// when there is none, with +0: a chain that underflows to −0 then ends as +0, whether or not
/// zero terms followed.
/// kContiguous promises a_column_stride = 1, which spares address arithmetic.
template <int kRows, int kColumns, bool kContiguous>
void multiply_tile(const TileOperands& t) {
  constexpr int kVectors = kColumns / kLanes;
  static_assert(kColumns % kLanes == 0);
  F32x4 sum[kRows][kVectors];
  for (auto& row : sum) {
    for (F32x4& vector : row) vector = splat(0.0f);
  }

  const Index a_column_stride = kContiguous ? 1 : t.a_column_stride;
  const float* a[kRows];
  for (int i = 0; i < kRows; ++i) a[i] = t.a + i * t.a_row_stride;
  const float* b = t.panel;

  // One term a turn: unrolled by hand V8 runs out of registers. At a depth of 512 a 6×8 tile of
  // relaxed SIMD does 94 % of the multiply-adds that the machine can do so, 79 % unrolled by 4, 47 %
  // by 5 or more. 7 rows and more, and 12 columns, spill at any unrolling.
  for (Index left = t.depth; left > 0; --left) {
    F32x4 b_row[kVectors];
    for (int v = 0; v < kVectors; ++v) b_row[v] = load(b + v * kLanes);
    for (int i = 0; i < kRows; ++i) {
      const F32x4 a_ik = load_splat(a[i]);
      for (int v = 0; v < kVectors; ++v) sum[i][v] = madd(a_ik, b_row[v], sum[i][v]);
      a[i] += a_column_stride;
    }
    b += kColumns;
  }

  for (int i = 0; i < kRows; ++i) {
    float* c = t.c + i * t.c_row_stride;
    const float* addend = t.addend ? t.addend + i * t.addend_row_stride : nullptr;
    if (t.columns == kColumns) {
      for (int v = 0; v < kVectors; ++v) {
        const F32x4 added = addend ? load(addend + v * kLanes) : splat(0.0f);
        store(c + v * kLanes, sum[i][v] + added);
      }
    } else {
      float row[kColumns];
      for (int v = 0; v < kVectors; ++v) store(row + v * kLanes, sum[i][v]);
      for (Index j = 0; j < t.columns; ++j) c[j] = row[j] + (addend ? addend[j] : 0.0f);
    }
  }
}

}  // namespace attention
