// Matrices that are looked at, memory that is owned, and the one way a kernel can fail.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

namespace attention {

/// Counts and offsets in elements. Signed, so that a difference is a number.
using Index = std::ptrdiff_t;

/// What a masked score is, with a minus.
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// How a call ended. Kernels check no argument, so lack of memory is all that can go wrong.
enum class Status : int { ok = 0, out_of_memory = 1 };

/// A matrix somewhere in memory: element (i, j) is data[i·row_stride + j·column_stride].
/// A view owns nothing and costs nothing to copy. Stride 0 repeats a row or a column.
template <typename T>
struct MatrixView {
  T* data = nullptr;
  Index rows = 0;
  Index columns = 0;
  Index row_stride = 0;
  Index column_stride = 1;

  MatrixView() = default;
  /// A contiguous row-major matrix.
  MatrixView(T* data, Index rows, Index columns) : MatrixView(data, rows, columns, columns, 1) {}
  MatrixView(T* data, Index rows, Index columns, Index row_stride, Index column_stride = 1)
      : data(data),
        rows(rows),
        columns(columns),
        row_stride(row_stride),
        column_stride(column_stride) {}
  /// A matrix that may be written can be read.
  operator MatrixView<const T>() const { return {data, rows, columns, row_stride, column_stride}; }

  T& operator()(Index i, Index j) const { return data[i * row_stride + j * column_stride]; }
  T* row(Index i) const { return data + i * row_stride; }
  /// Is there a matrix at all? Optional results are passed as views without data.
  explicit operator bool() const { return data != nullptr; }

  /// The same numbers with rows and columns exchanged.
  MatrixView transposed() const { return {data, columns, rows, column_stride, row_stride}; }
  /// Rows first … first + count − 1.
  MatrixView row_block(Index first, Index count) const {
    return {data ? data + first * row_stride : nullptr, count, columns, row_stride, column_stride};
  }
  /// Columns first … first + count − 1.
  MatrixView column_block(Index first, Index count) const {
    return {data ? data + first * column_stride : nullptr, rows, count, row_stride, column_stride};
  }
};

using Matrix = MatrixView<float>;
using ConstMatrix = MatrixView<const float>;

/// Matrix b of an array of contiguous (rows, columns) matrices; nothing if there is no array.
template <typename T>
MatrixView<T> slice_of(T* array, Index b, Index rows, Index columns) {
  return {array ? array + b * rows * columns : nullptr, rows, columns};
}

/// Every buffer starts at a multiple of this: a cache line, and four vectors of 128 bits.
inline constexpr std::size_t kAlignment = 64;

/// `count` rounded up to a multiple of `step`. For sizes of memory, which are double: in 32 bits a
/// product of sizes could wrap around, and what is then allocated would be too small.
inline double rounded_up(double count, double step) { return std::ceil(count / step) * step; }

/// `bytes` rounded up to whole cache lines.
inline double aligned_bytes(double bytes) { return rounded_up(bytes, kAlignment); }

/// Aligned memory with one owner. Without exceptions `operator new` would end the program, so this
/// asks malloc and stays empty when there is none left.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(data_); }

  /// Replaces the contents by `bytes` uninitialised bytes; none is asked of malloc for 0.
  Status allocate(double bytes) {
    std::free(data_);
    data_ = nullptr;
    const double size = aligned_bytes(bytes);
    if (size == 0) return Status::ok;
    if (size >= static_cast<double>(SIZE_MAX)) return Status::out_of_memory;
    data_ = std::aligned_alloc(kAlignment, static_cast<std::size_t>(size));
    return data_ ? Status::ok : Status::out_of_memory;
  }

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

/// Hands out pieces of one block of memory, each on its own cache lines.
///
/// A kernel writes down once how it divides its scratch memory, as a function of an Arena, and runs
/// it twice: on an empty Arena, which only counts, and on the block of the size so found. What a
/// kernel says it needs is therefore what it takes.
class Arena {
 public:
  /// Counts: `take` returns null pointers.
  Arena() = default;
  /// Hands out the block at `base`, which must be as large as a counting run said.
  explicit Arena(void* base) : base_(static_cast<char*>(base)) {}

  /// Room for `count` elements (a product of sizes, multiplied in double), uninitialised.
  template <typename T = float>
  T* take(double count) {
    const double offset = bytes_;
    bytes_ += aligned_bytes(count * static_cast<double>(sizeof(T)));
    if (base_ == nullptr) return nullptr;
    return reinterpret_cast<T*>(base_ + static_cast<std::size_t>(offset));
  }

  /// Bytes handed out, or counted, so far.
  double bytes() const { return bytes_; }

 private:
  char* base_ = nullptr;
  double bytes_ = 0;
};

/// A (rows, columns) matrix of scratch memory.
inline Matrix take_matrix(Arena& arena, Index rows, Index columns) {
  return {arena.take(static_cast<double>(rows) * static_cast<double>(columns)), rows, columns};
}

}  // namespace attention
