#include "attention/gemm.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "attention/gemm_tile.h"

namespace attention {
namespace {

/// Rows of A that pass over all panels before the next rows do: 60·512 floats are 120 KB, which a
/// second-level cache holds.
constexpr Index kBlockRows = 60;
static_assert(kBlockRows % kTileRows == 0, "whole tiles, but for the last");

using TileFunction = void (*)(const TileOperands&);

template <bool kContiguous, int... kRowsLessOne>
constexpr auto tile_functions(std::integer_sequence<int, kRowsLessOne...>) {
  return std::array<TileFunction, kTileRows>{
      multiply_tile<kRowsLessOne + 1, kPanelColumns, kContiguous>...};
}

// [rows − 1]. Tables, so that a tile stays a function of its own: V8 optimises WebAssembly by the
// call, never within a running one, and wasm-opt inlines whatever it can see.
constexpr auto kTileRowNumbers = std::make_integer_sequence<int, kTileRows>();
constexpr auto kContiguousTiles = tile_functions<true>(kTileRowNumbers);
constexpr auto kStridedTiles = tile_functions<false>(kTileRowNumbers);

/// C = A·B + addend over one block of A's rows and one block of terms; `b_row` is the first term's
/// row in B.
void multiply_block(ConstMatrix a, const PackedMatrix& b, Index b_row, Matrix c, Addend addend) {
  const auto& tiles = a.column_stride == 1 ? kContiguousTiles : kStridedTiles;
  TileOperands tile{};
  tile.a_row_stride = a.row_stride;
  tile.a_column_stride = a.column_stride;
  tile.depth = a.columns;
  tile.addend_row_stride = addend.row_stride;
  tile.c_row_stride = c.row_stride;
  for (Index j = 0; j < c.columns; j += kPanelColumns) {
    tile.panel = b.panel(j / kPanelColumns) + b_row * kPanelColumns;
    tile.columns = std::min<Index>(kPanelColumns, c.columns - j);
    for (Index i = 0; i < c.rows; i += kTileRows) {
      tile.a = a.row(i);
      tile.c = c.row(i) + j;
      tile.addend = addend.data ? addend.data + i * addend.row_stride + j : nullptr;
      tiles[std::min<Index>(kTileRows, c.rows - i) - 1](tile);
    }
  }
}

/// Packs up to kPanelColumns columns, 0 in the place of those that are missing.
void pack_panel(ConstMatrix source, float* row, float* zero_if_finite) {
  for (Index k = 0; k < source.rows; ++k, row += kPanelColumns) {
    for (Index j = 0; j < kPanelColumns; ++j) {
      row[j] = j < source.columns ? source(k, j) : 0;
      zero_if_finite[j] += 0 * row[j];
    }
  }
}

/// The same where no column is missing, in loops that a compiler can unroll and vectorise.
template <bool kContiguous>
void pack_full_panel(ConstMatrix source, float* row, float* zero_if_finite) {
  const Index column_stride = kContiguous ? 1 : source.column_stride;
  float zero[kPanelColumns] = {};
  for (Index k = 0; k < source.rows; ++k, row += kPanelColumns) {
    const float* source_row = source.row(k);
    for (Index j = 0; j < kPanelColumns; ++j) {
      const float x = source_row[j * column_stride];
      zero[j] += 0 * x;
      row[j] = x;
    }
  }
  for (Index j = 0; j < kPanelColumns; ++j) zero_if_finite[j] += zero[j];
}

}  // namespace

PackedMatrix PackedMatrix::from_row(Index first) const {
  PackedMatrix rest = *this;
  rest.panels += first * kPanelColumns;
  rest.depth -= first;
  return rest;
}

PackedMatrix PackedMatrix::from_column(Index first) const {
  PackedMatrix rest = *this;
  rest.panels += first / kPanelColumns * panel_stride;
  rest.columns -= first;
  return rest;
}

bool pack(ConstMatrix source, const PackedMatrix& packed) {
  // 0·x is 0 for every finite x and NaN for the others; a sum for each column, so that the sums
  // do not wait for each other.
  float zero_if_finite[kPanelColumns] = {};
  for (Index first = 0; first < source.columns; first += kPanelColumns) {
    const Index columns = std::min<Index>(kPanelColumns, source.columns - first);
    const ConstMatrix block = source.column_block(first, columns);
    float* panel = packed.panel(first / kPanelColumns);
    if (columns < kPanelColumns) {
      pack_panel(block, panel, zero_if_finite);
    } else if (source.column_stride == 1) {
      pack_full_panel<true>(block, panel, zero_if_finite);
    } else {
      pack_full_panel<false>(block, panel, zero_if_finite);
    }
  }
  return std::all_of(std::begin(zero_if_finite), std::end(zero_if_finite),
                     [](float zero) { return zero == 0; });
}

void pack_transposed(const PackedMatrix& source, const PackedMatrix& packed) {
  // (k, j) of the result is (j, k) of the source; what lies past its last column is 0 already.
  for (Index j = 0; j < packed.columns; ++j) {
    for (Index k = 0; k < packed.depth; ++k) packed(k, j) = source(j, k);
  }
  for (Index j = packed.columns; j < whole_panels(packed.columns); ++j) {
    for (Index k = 0; k < packed.depth; ++k) packed(k, j) = 0;
  }
}

void multiply(ConstMatrix a, const PackedMatrix& b, Matrix c, Addend addend) {
  // At least one block, so that a product of no terms is its addend.
  Index k = 0;
  do {
    const Index depth = std::min(kBlockDepth, a.columns - k);
    for (Index i = 0; i < c.rows; i += kBlockRows) {
      const Index rows = std::min(kBlockRows, c.rows - i);
      const Matrix c_rows = c.row_block(i, rows);
      const Addend rows_addend =
          k > 0         ? Addend::matrix(c_rows)
          : addend.data ? Addend{addend.data + i * addend.row_stride, addend.row_stride}
                        : Addend::none();
      multiply_block(a.row_block(i, rows).column_block(k, depth), b, k, c_rows, rows_addend);
    }
    k += depth;
  } while (k < a.columns);
}

Status matmul(ConstMatrix a, ConstMatrix b, Matrix c) {
  Arena count;
  PackedMatrix(count, b.rows, b.columns);
  Buffer memory;
  if (memory.allocate(count.bytes()) != Status::ok) return Status::out_of_memory;
  Arena arena(memory.data());
  const PackedMatrix packed(arena, b.rows, b.columns);
  pack(b, packed);
  multiply(a, packed, c);
  return Status::ok;
}

}  // namespace attention
