// The kernels' multi-head attention against the golden figures, within the bounds that the oracle
// derives for inputs rounded to float32.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "golden.h"
#include "multi_head_case.h"

namespace attention {
namespace {

using Matrix64 = oracle::Bounded::Matrix;

/// A golden layer: where its numbers are and what they are called there.
struct Names {
  std::string file, x, wq, wk, wv, wo;
  std::vector<std::string> biases = {};  ///< of query, key, value, output; empty = none
  bool is_transposed = false;            ///< PyTorch keeps (out, in)
};

/// A (rows, columns) matrix; leading dimensions lie one below the other.
Matrix64 matrix(const std::string& file, const std::string& pointer) {
  const GoldenTensor tensor = golden_tensor(file, pointer);
  const Eigen::Index columns = tensor.shape.back();
  return Eigen::Map<const Matrix64>(
      tensor.data.data(), static_cast<Eigen::Index>(tensor.data.size()) / columns, columns);
}

std::vector<float> floats(const Matrix64& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

MultiHeadCase golden_layer(const Names& names, int num_heads, int num_kv_heads) {
  const auto weight = [&](const std::string& pointer) -> Matrix64 {
    const Matrix64 stored = matrix(names.file, pointer);
    return names.is_transposed ? Matrix64(stored.transpose()) : stored;
  };
  const std::vector<int> shape = golden_tensor(names.file, names.x).shape;
  const Matrix64 x = matrix(names.file, names.x), wq = weight(names.wq), wk = weight(names.wk);
  const Matrix64 wv = weight(names.wv), wo = weight(names.wo);
  const bool has_biases = !names.biases.empty();
  const int batch = shape.size() == 3 ? shape[0] : 1;
  MultiHeadCase c({.batch = batch,
                   .n = static_cast<int>(x.rows()) / batch,
                   .d_model = static_cast<int>(x.cols()),
                   .num_heads = num_heads,
                   .num_kv_heads = num_kv_heads,
                   .d_k = static_cast<int>(wq.cols()) / num_heads,
                   .d_v = static_cast<int>(wv.cols()) / num_kv_heads,
                   .d_out = static_cast<int>(wo.cols()),
                   .has_biases = has_biases});
  c.scale = 1 / std::sqrt(static_cast<float>(c.sizes.d_k));
  c.x = floats(x);
  c.wq = floats(wq);
  c.wk = floats(wk);
  c.wv = floats(wv);
  c.wo = floats(wo);
  if (!has_biases) return c;
  std::vector<float>* const biases[] = {&c.bq, &c.bk, &c.bv, &c.bo};
  for (std::size_t i = 0; i < 4; ++i)
    *biases[i] = golden_tensor(names.file, names.biases[i]).floats();
  return c;
}

/// The oracle's problem for numbers that were rounded once before the kernels got them.
oracle::MultiHeadProblem rounded_problem(const MultiHeadCase& c, int b) {
  oracle::MultiHeadProblem p = c.problem(b);
  const auto round = [](oracle::Bounded* m) { m->error = kUnitRoundoff * m->value.cwiseAbs(); };
  for (auto* m : {&p.x, &p.context, &p.wq, &p.wk, &p.wv}) round(m);
  for (auto* m : {&p.wo, &p.bq, &p.bk, &p.bv, &p.bo}) {
    if (m->has_value()) round(&**m);
  }
  return p;
}

/// Outputs and weights of all entries and heads. `slack` = 2 where the figures are themselves
/// float32, and as far from exact as the kernels may be.
void expect_forward(const MultiHeadCase& c, const Matrix64& output, const Matrix64& weights,
                    double slack = 1) {
  const auto& s = c.sizes;
  const LayerForward kept = c.forward(Keep::weights), streamed = c.forward(Keep::nothing);
  for (int b = 0; b < s.batch; ++b) {
    const oracle::MultiHead expected = multi_head(rounded_problem(c, b));
    const oracle::Bounded entry = {output.middleRows(b * s.n, s.n), slack * expected.output.error};
    EXPECT_TRUE(part_is_near(kept.output, b * s.n, entry)) << "entry " << b;
    EXPECT_TRUE(part_is_near(streamed.output, b * s.n, entry)) << "entry " << b << ", streamed";
    for (int h = 0; h < s.num_heads; ++h) {
      const int row = (b * s.num_heads + h) * s.n;
      const Matrix64 error =
          Eigen::Map<const Matrix64>(expected.attention[h].weights_tolerance.data(), s.n, s.m);
      EXPECT_TRUE(part_is_near(kept.weights, row, {weights.middleRows(row, s.n), slack * error}))
          << "entry " << b << ", head " << h;
    }
  }
}

/// Gradients of x and of all parameters, under `key` in the file.
void expect_backward(const MultiHeadCase& c, const std::string& file, const std::string& key,
                     bool has_bias_gradients) {
  const auto& s = c.sizes;
  const Matrix64 grad_output = matrix(file, key + "/grad_output");
  const Matrix64 grad_x = matrix(file, key + "/grad_x");
  const LayerForward forward = c.forward(Keep::stages);
  const LayerBackward actual = c.backward(floats(grad_output), &forward);
  oracle::MultiHeadGradients sum;
  for (int b = 0; b < s.batch; ++b) {
    const oracle::MultiHeadProblem problem = rounded_problem(c, b);
    const Matrix64 grad = grad_output.middleRows(b * s.n, s.n);
    const oracle::MultiHeadGradients entry =
        multi_head_backward(problem, multi_head(problem), {grad, kUnitRoundoff * grad.cwiseAbs()});
    EXPECT_TRUE(part_is_near(actual.x, b * s.n,
                             {grad_x.middleRows(b * s.n, s.n), (entry.x + entry.context).error}))
        << "gradient of x, entry " << b;
    if (b == 0) {
      sum = entry;
    } else {
      add_parameter_gradients(entry, &sum);
    }
  }
  const auto check = [&](const char* name, const std::vector<float>& gradient,
                         const oracle::Bounded& expected) {
    EXPECT_TRUE(
        is_near(gradient, oracle::Bounded{matrix(file, key + "/grad_" + name), expected.error}))
        << name;
  };
  check("wq", actual.wq, sum.wq);
  check("wk", actual.wk, sum.wk);
  check("wv", actual.wv, sum.wv);
  check("wo", actual.wo, *sum.wo);
  if (!has_bias_gradients) return;
  check("bq", actual.bq, sum.bq);
  check("bk", actual.bk, sum.bk);
  check("bv", actual.bv, sum.bv);
  check("bo", actual.bo, *sum.bo);
}

TEST(MultiHeadGolden, gives_autograds_gradients) {
  const std::string file = "backward.json";
  for (const std::string key : {"/multi_head", "/multi_head_causal", "/grouped_query_causal"}) {
    MultiHeadCase c =
        golden_layer({file, key + "/x", key + "/wq", key + "/wk", key + "/wv", key + "/wo"},
                     static_cast<int>(golden_number(file, key + "/num_heads")),
                     static_cast<int>(golden_number(file, key + "/num_kv_heads")));
    c.is_causal = key != "/multi_head";
    expect_forward(c, matrix(file, key + "/output"), matrix(file, key + "/weights"));
    expect_backward(c, file, key, false);
  }
}

TEST(MultiHeadGolden, gives_autograds_gradients_with_biases_groups_and_a_mask_for_each_head) {
  const std::string file = "extra.json", key = "/backward/grouped_query_biased_alibi_causal";
  MultiHeadCase c = golden_layer({file,
                                  key + "/x",
                                  key + "/wq",
                                  key + "/wk",
                                  key + "/wv",
                                  key + "/wo",
                                  {key + "/bq", key + "/bk", key + "/bv", key + "/bo"}},
                                 4, 2);
  c.is_causal = true;
  c.use_additive_mask(false, true, true, true);
  c.additive_mask = golden_tensor(file, key + "/bias").floats();
  expect_forward(c, matrix(file, key + "/output"), matrix(file, key + "/weights"));
  expect_backward(c, file, key, true);
}

TEST(MultiHeadGolden, gives_the_attention_cube_for_every_number_of_heads) {
  const std::string file = "attention_cube.json";
  for (const int h : {1, 2, 4, 8}) {
    const std::string key = "/heads/" + std::to_string(h);
    expect_forward(golden_layer({file, "/X", "/W_Q", "/W_K", "/W_V", "/W_O"}, h, h),
                   matrix(file, key + "/output"), matrix(file, key + "/attention"));
  }
}

TEST(MultiHeadGolden, gives_the_layer_of_four_heads) {
  const std::string file = "multi_head.json", key = "/numpy_layer";
  expect_forward(
      golden_layer({file, key + "/X", key + "/W_q", key + "/W_k", key + "/W_v", key + "/W_o"}, 4,
                   4),
      matrix(file, key + "/out"), matrix(file, key + "/weights"));
}

TEST(MultiHeadGolden, gives_the_pytorch_module_with_its_biases) {
  const std::string file = "causal.json", key = "/torch_module";
  const auto weight = [&](const char* name) { return key + "/" + name + "/weight"; };
  const auto bias = [&](const char* name) { return key + "/" + name + "/bias"; };
  MultiHeadCase c =
      golden_layer({file,
                    key + "/x",
                    weight("q_proj"),
                    weight("k_proj"),
                    weight("v_proj"),
                    weight("out_proj"),
                    {bias("q_proj"), bias("k_proj"), bias("v_proj"), bias("out_proj")},
                    true},
                   4, 4);
  c.is_causal = true;
  expect_forward(c, matrix(file, key + "/out"), matrix(file, key + "/weights"), 2);
}

}  // namespace
}  // namespace attention
