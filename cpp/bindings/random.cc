// Random streams for JavaScript: the same numbers as NumPy and PyTorch give for the same seed.
//
//   NumpyLegacy .seed(seed)        np.random.seed(seed);           seed an integer, 0 ≤ seed < 2³²
//     .normal(out, count, mean, std)   normal(mean, std, count), randn(count) with mean 0 and std 1
//     .random(out, count)              rand(count), random(count)
//   NumpyGenerator .seed(seed)     np.random.default_rng(seed);    seed an integer, 0 ≤ seed < 2⁵³
//     .normal(out, count, mean, std)   normal(mean, std, count)
//     .random(out, count)              random(count)
//   TorchGenerator .seed(seed)     torch.manual_seed(seed);        seed an integer, 0 ≤ seed < 2⁵³
//     .randn(out, count)               torch.randn(count)
//     .rand(out, count)                torch.rand(count)
//     .linear(in, out, weight, bias)   nn.Linear(in, out): weight float32[out·in], bias float32[out]
//                                      (bias 0 = nn.Linear(in, out, bias=False))
//   each: new NumpyLegacy() …          seeded with 0
//         .stateBytes()                how many bytes hold the stream's whole state
//         .saveState(to)               copies the state to an address, 16-aligned
//         .loadState(from)             goes on as the stream did whose state was saved
//
// JavaScript keeps the states, so a stream needs no dispose() and nothing can leak: one object of
// each class, made when the module starts, draws for all streams of its kind. So no stream depends
// on there being memory for `new`, which ends the program when there is none. The classes are
// trivially copyable, hence memcpy.
//
// `out` is an address: float64[count] for the two NumPy streams, float32[count] for PyTorch's.
// Methods return nothing and cannot fail; count may be 0.
//
// A stream goes on where the last call ended. NumPy's streams may be drawn in pieces: two calls of
// 3 and 5 give what one of 8 gives. PyTorch's randn may not: it fills 16 and more numbers by another
// rule than fewer, so each call must ask for as many as the PyTorch call it stands for.
#include <emscripten/bind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "bindings/calls.h"
#include "random/numpy_generator.h"
#include "random/numpy_legacy.h"
#include "random/torch_generator.h"

namespace attention::bindings {
namespace {

template <typename T>
std::span<T> array(Address address, int count) {
  return {at<T>(address), static_cast<std::size_t>(count)};
}

template <typename Stream>
void normal(Stream& stream, Address out, int count, double mean, double std) {
  stream.normal(array<double>(out, count), mean, std);
}

template <typename Stream>
void random(Stream& stream, Address out, int count) {
  stream.random(array<double>(out, count));
}

void torch_randn(TorchGenerator& stream, Address out, int count) {
  stream.randn(array<float>(out, count));
}

void torch_rand(TorchGenerator& stream, Address out, int count) {
  stream.rand(array<float>(out, count));
}

void torch_linear(TorchGenerator& stream, int in, int out, Address weight, Address bias) {
  stream.linear(in, out, array<float>(weight, in * out), array<float>(bias, bias ? out : 0));
}

template <typename Stream>
double state_bytes(const Stream&) {
  static_assert(std::is_trivially_copyable_v<Stream>, "a state is its bytes");
  return sizeof(Stream);
}

template <typename Stream>
void save_state(const Stream& stream, Address to) {
  std::memcpy(at<void>(to), &stream, sizeof(Stream));
}

template <typename Stream>
void load_state(Stream& stream, Address from) {
  std::memcpy(&stream, at<const void>(from), sizeof(Stream));
}

/// A seed is a whole number within the range of Seed, so its conversion from double is exact.
template <typename Stream, typename Seed>
void seed(Stream& stream, double seed) {
  stream = Stream(static_cast<Seed>(seed));
}

template <typename Stream>
std::unique_ptr<Stream> create() {
  return std::make_unique<Stream>(0);
}

/// A class with what all streams have.
template <typename Stream, typename Seed>
emscripten::class_<Stream> stream_class(const char* name) {
  return emscripten::class_<Stream>(name)
      .constructor(&create<Stream>)
      .function("seed", &seed<Stream, Seed>)
      .function("stateBytes", &state_bytes<Stream>)
      .function("saveState", &save_state<Stream>)
      .function("loadState", &load_state<Stream>);
}

EMSCRIPTEN_BINDINGS(random) {
  stream_class<NumpyLegacy, std::uint32_t>("NumpyLegacy")
      .function("normal", &normal<NumpyLegacy>)
      .function("random", &random<NumpyLegacy>);
  stream_class<NumpyGenerator, std::uint64_t>("NumpyGenerator")
      .function("normal", &normal<NumpyGenerator>)
      .function("random", &random<NumpyGenerator>);
  stream_class<TorchGenerator, std::uint64_t>("TorchGenerator")
      .function("randn", &torch_randn)
      .function("rand", &torch_rand)
      .function("linear", &torch_linear);
}

}  // namespace
}  // namespace attention::bindings
