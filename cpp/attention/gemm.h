// Matrix products: C = A·B + addend, in float32.
//
// B is packed first, into panels of kPanelColumns columns, so that the product reads it in order
// and full vectors are all it ever sees. A transposed product needs no routine of its own, since
// views transpose for nothing:
//
//   A·B    multiply(a, pack(b), …)
//   A·Bᵀ   multiply(a, pack(b.transposed()), …)      Q·Kᵀ packs K as it lies in memory
//   Aᵀ·B   multiply(a.transposed(), pack(b), …)      weight gradients
//
// What every element of C is, to the bit, whatever the sizes around it: for each block of
// kBlockDepth terms one chain of madd from 0 in the order of k, and the blocks added in order, the
// addend before the first. One row of A therefore gives the same row of C alone or among others,
// and terms that are 0 change nothing: what a KV cache computes for one token is what the full pass
// computes.
#pragma once

#include "attention/simd.h"
#include "attention/tensor.h"

namespace attention {

/// The tile that is kept in registers: rows of A by columns of B, two vectors. (gemm_tile.h says
/// what other shapes do.)
inline constexpr int kTileRows = kFastestTileRows;
inline constexpr int kPanelColumns = 8;

/// Terms that are summed in registers before they are added to memory: a panel's block of
/// 512·8 floats is 16 KB, which a first-level cache holds.
inline constexpr Index kBlockDepth = 512;

/// `columns` rounded up to whole panels.
constexpr Index whole_panels(Index columns) {
  return (columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

/// B (depth, columns) in panels: panel p holds columns 8p … 8p + 7, row after row, so that element
/// (k, j) is panels[(j / 8)·panel_stride + 8k + j mod 8]. Columns past the last are 0.
/// There may be room for more rows than are used (panel_stride ≥ 8·depth): a KV cache grows so.
struct PackedMatrix {
  float* panels = nullptr;
  Index depth = 0;
  Index columns = 0;
  Index panel_stride = 0;

  PackedMatrix() = default;
  /// A (depth, columns) matrix in the memory at `panels`, which has room for elements().
  PackedMatrix(float* panels, Index depth, Index columns)
      : panels(panels), depth(depth), columns(columns), panel_stride(depth * kPanelColumns) {}
  /// Takes memory for a (depth, columns) matrix from `arena`.
  PackedMatrix(Arena& arena, Index depth, Index columns)
      : PackedMatrix(arena.take(elements(depth, columns)), depth, columns) {}
  /// The room that a (depth, columns) matrix needs.
  static double elements(Index depth, Index columns) {
    return static_cast<double>(depth) * rounded_up(static_cast<double>(columns), kPanelColumns);
  }

  /// B without its first rows: keys from `first` on, where rows are keys.
  PackedMatrix from_row(Index first) const;
  /// B without its first columns, of which there must be whole panels.
  PackedMatrix from_column(Index first) const;

  float* panel(Index p) const { return panels + p * panel_stride; }
  float& operator()(Index k, Index j) const {
    return panel(j / kPanelColumns)[k * kPanelColumns + j % kPanelColumns];
  }
};

/// Packs a (depth, columns) matrix. Answers whether all of it is finite: a product with exact zeros
/// must not meet Inf or NaN (masked_product.h).
bool pack(ConstMatrix source, const PackedMatrix& packed);

/// Packs Bᵀ, given B packed: for a prepared layer's backward pass, which keeps no other copy.
void pack_transposed(const PackedMatrix& source, const PackedMatrix& packed);

/// What is added to a product before it is stored: nothing, one row for all (a bias), or the
/// matrix that is already there.
struct Addend {
  const float* data = nullptr;  ///< null = nothing
  Index row_stride = 0;

  static Addend none() { return {}; }
  /// The same row for all, or nothing if `bias` is null.
  static Addend bias(const float* bias) { return {bias, 0}; }
  static Addend matrix(ConstMatrix c) { return {c.data, c.row_stride}; }
};

/// c_ij = Σ_k a_ik b_kj + addend_ij.
///
/// a (rows, depth), c (rows, columns) with c.column_stride = 1. The depth is a.columns and may be
/// less than B's, and so may c.columns: the leading part of B is then meant. C may be the addend
/// (C += A·B), but overlap neither A nor B.
void multiply(ConstMatrix a, const PackedMatrix& b, Matrix c, Addend addend = Addend::none());

/// C = A·B for matrices as they come; packs B into memory of its own.
Status matmul(ConstMatrix a, ConstMatrix b, Matrix c);

}  // namespace attention
