#include "random/torch_generator.h"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace attention {
namespace {

constexpr std::size_t kBlock = 16;

/// Box–Muller in place: uniforms u_0 … u_15 become normals r_j·cos θ_j and r_j·sin θ_j with
/// r_j = √(−2 ln(1 − u_j)), θ_j = 2π·u_{j+8}, j < 8. PyTorch holds 2π and θ in float32.
void box_muller(std::span<float, kBlock> block) {
  constexpr float kTwoPi = 2 * std::numbers::pi_v<float>;
  for (std::size_t j = 0; j < kBlock / 2; ++j) {
    const float angle = kTwoPi * block[j + kBlock / 2];
    const double radius = std::sqrt(-2 * std::log(1.0 - static_cast<double>(block[j])));
    block[j] = static_cast<float>(radius * std::cos(static_cast<double>(angle)));
    block[j + kBlock / 2] = static_cast<float>(radius * std::sin(static_cast<double>(angle)));
  }
}

}  // namespace

float TorchGenerator::uniform() {
  return static_cast<float>(engine_.next() & 0xffffffu) / 16777216.0f;
}

double TorchGenerator::uniform_double() {
  const std::uint64_t high = engine_.next();
  const std::uint64_t low = engine_.next();
  return static_cast<double>(((high << 32) | low) & 0x1fffffffffffffu) / 9007199254740992.0;
}

// Box–Muller in float64. The sine is kept for the next call, whatever is drawn in between.
double TorchGenerator::normal_double() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double angle = 2 * std::numbers::pi * uniform_double();
  const double radius = std::sqrt(-2 * std::log1p(-uniform_double()));
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

void TorchGenerator::rand(std::span<float> out) {
  for (float& value : out) value = uniform();
}

void TorchGenerator::randn(std::span<float> out) {
  if (out.size() < kBlock) {
    for (float& value : out) value = static_cast<float>(normal_double());
    return;
  }
  rand(out);
  const std::size_t whole = out.size() - out.size() % kBlock;
  for (std::size_t start = 0; start < whole; start += kBlock) {
    box_muller(out.subspan(start).first<kBlock>());
  }
  if (whole != out.size()) {  // the last 16 anew, over some that were done already
    const auto last = out.last<kBlock>();
    rand(last);
    box_muller(last);
  }
}

void TorchGenerator::uniform(std::span<float> out, double bound) {
  // lo + u·(hi − lo), rounded once: of float32 numbers, float64 holds product and sum exactly.
  const float low = static_cast<float>(-bound);
  const float high = static_cast<float>(bound);
  const double range = static_cast<double>(high - low);
  for (float& value : out) {
    value = static_cast<float>(static_cast<double>(uniform()) * range + static_cast<double>(low));
  }
}

void TorchGenerator::linear(int in, int out, std::span<float> weight, std::span<float> bias) {
  // What PyTorch's kaiming_uniform_(a = √5) comes to in float32; the bias has the same bound.
  const double bound = in > 0 ? 1 / std::sqrt(static_cast<double>(in)) : 0;
  uniform(weight.first(static_cast<std::size_t>(in) * static_cast<std::size_t>(out)), bound);
  uniform(bias.first(bias.empty() ? 0 : static_cast<std::size_t>(out)), bound);
}

}  // namespace attention
