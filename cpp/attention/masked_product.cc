#include "attention/masked_product.h"

#include <algorithm>

#include "attention/simd.h"

namespace attention {
namespace {

constexpr int kPanelVectors = kPanelColumns / kLanes;

/// One row of C in one panel: blocks of kBlockDepth terms, as gemm.h describes them, with the terms
/// for which is_open(k) is false left out.
template <typename IsOpen>
void multiply_row(const float* a, Index a_stride, Index depth, const float* panel,
                  const float* addend, float* c, Index columns, IsOpen is_open) {
  Index k = 0;
  do {
    const Index block_end = std::min(k + kBlockDepth, depth);
    F32x4 sum[kPanelVectors];
    for (F32x4& vector : sum) vector = splat(0.0f);
    for (; k < block_end; ++k) {
      if (!is_open(k)) continue;
      const F32x4 a_k = load_splat(a + k * a_stride);
      for (int v = 0; v < kPanelVectors; ++v) {
        sum[v] = madd(a_k, load(panel + k * kPanelColumns + v * kLanes), sum[v]);
      }
    }
    float row[kPanelColumns];
    for (int v = 0; v < kPanelVectors; ++v) store(row + v * kLanes, sum[v]);
    for (Index j = 0; j < columns; ++j) c[j] = row[j] + (addend ? addend[j] : 0.0f);
    addend = c;
  } while (k < depth);
}

/// All of C; is_open(i, k) says whether term k of row i counts.
template <typename IsOpen>
void multiply_rows(ConstMatrix a, const PackedMatrix& b, Matrix c, Addend addend, IsOpen is_open) {
  for (Index i = 0; i < c.rows; ++i) {
    for (Index j = 0; j < c.columns; j += kPanelColumns) {
      multiply_row(a.row(i), a.column_stride, a.columns, b.panel(j / kPanelColumns),
                   addend.data ? addend.data + i * addend.row_stride + j : nullptr, c.row(i) + j,
                   std::min<Index>(kPanelColumns, c.columns - j),
                   [&](Index k) { return is_open(i, k); });
    }
  }
}

}  // namespace

void multiply_open(const Mask& mask, ConstMatrix a, const PackedMatrix& b, Matrix c,
                   Addend addend) {
  multiply_rows(a, b, c, addend, [&](Index i, Index j) { return mask.is_open(i, j); });
}

void multiply_open_transposed(const Mask& mask, ConstMatrix a, const PackedMatrix& b, Matrix c,
                              Addend addend) {
  multiply_rows(a, b, c, addend, [&](Index j, Index i) { return mask.is_open(i, j); });
}

bool is_finite(ConstMatrix matrix) {
  for (Index i = 0; i < matrix.rows; ++i) {
    float zero_if_finite = 0;
    for (Index j = 0; j < matrix.columns; ++j) zero_if_finite += 0 * matrix(i, j);
    if (zero_if_finite != 0) return false;  // NaN differs from everything.
  }
  return true;
}

}  // namespace attention
