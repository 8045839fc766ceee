#include "attention/reference_multi_head.h"

#include <Eigen/Core>
#include <cstddef>

namespace attention::reference {
namespace {

bool is_present(const ConstMap& parameter) { return parameter.data() != nullptr; }

/// X·W + b
Matrix project(const MatrixIn& x, const ConstMap& weight, const ConstMap& bias) {
  Matrix projected = x * weight;
  if (is_present(bias)) projected.rowwise() += bias.row(0);
  return projected;
}

/// ∂L/∂W = Σ_t x_tᵀ·∂y_t over the rows that took part. The others have ∂y_t = 0, but 0·NaN is NaN.
Matrix projection_gradient(const MatrixIn& x, const MatrixIn& grad_projected,
                           const std::vector<bool>& takes_part) {
  if (x.allFinite()) return x.transpose() * grad_projected;
  Matrix gradient = Matrix::Zero(x.cols(), grad_projected.cols());
  for (Index t = 0; t < x.rows(); ++t) {
    if (takes_part[static_cast<std::size_t>(t)]) {
      gradient += x.row(t).transpose() * grad_projected.row(t);
    }
  }
  return gradient;
}

/// Adds to `queries` those that may attend to something, to `keys` those that something attends to.
void mark_open(const Mask& mask, std::vector<bool>* queries, std::vector<bool>* keys) {
  for (std::size_t i = 0; i < queries->size(); ++i) {
    for (std::size_t j = 0; j < keys->size(); ++j) {
      if (mask.is_open(static_cast<Index>(i), static_cast<Index>(j))) {
        (*queries)[i] = true;
        (*keys)[j] = true;
      }
    }
  }
}

}  // namespace

MultiHead multi_head(const Parameters& parameters, const MatrixIn& x, const MatrixIn& context,
                     const std::vector<Mask>& masks) {
  const Index h = parameters.num_heads, kv = parameters.num_kv_heads;
  MultiHead result;
  result.query = project(x, parameters.wq, parameters.bq);
  result.key = project(context, parameters.wk, parameters.bk);
  result.value = project(context, parameters.wv, parameters.bv);

  const Index d_k = result.query.cols() / h, d_v = result.value.cols() / kv;
  result.concatenated.resize(x.rows(), h * d_v);
  for (Index i = 0; i < h; ++i) {
    const Index g = i * kv / h;
    result.heads.push_back(scaled_dot_product(
        result.query.middleCols(i * d_k, d_k), result.key.middleCols(g * d_k, d_k),
        result.value.middleCols(g * d_v, d_v), parameters.scale,
        masks[static_cast<std::size_t>(i)]));
    result.concatenated.middleCols(i * d_v, d_v) = result.heads.back().output;
  }

  result.output = is_present(parameters.wo)
                      ? project(result.concatenated, parameters.wo, parameters.bo)
                      : result.concatenated;
  return result;
}

MultiHeadGradients multi_head_backward(const Parameters& parameters, const MatrixIn& x,
                                       const MatrixIn& context, const std::vector<Mask>& masks,
                                       const MultiHead& forward, const MatrixIn& grad_output) {
  const Index h = parameters.num_heads, kv = parameters.num_kv_heads;
  const Index d_k = forward.query.cols() / h, d_v = forward.value.cols() / kv;
  MultiHeadGradients g;

  Matrix grad_heads = grad_output;
  if (is_present(parameters.wo)) {
    grad_heads = grad_output * parameters.wo.transpose();
    g.wo = forward.concatenated.transpose() * grad_output;
    g.bo = grad_output.colwise().sum();
  }

  Matrix grad_query = Matrix::Zero(x.rows(), h * d_k);
  Matrix grad_key = Matrix::Zero(context.rows(), kv * d_k);
  Matrix grad_value = Matrix::Zero(context.rows(), kv * d_v);
  g.wq.resize(x.cols(), h * d_k);
  g.wk.resize(context.cols(), kv * d_k);
  g.wv.resize(context.cols(), kv * d_v);
  const auto n = static_cast<std::size_t>(x.rows()), m = static_cast<std::size_t>(context.rows());
  std::vector<bool> keys_in_group(m);
  for (Index i = 0; i < h; ++i) {
    const Index group = i * kv / h;
    const auto query_block = [&](auto&& matrix) { return matrix.middleCols(i * d_k, d_k); };
    const auto key_block = [&](auto&& matrix) { return matrix.middleCols(group * d_k, d_k); };
    const auto value_block = [&](auto&& matrix) { return matrix.middleCols(group * d_v, d_v); };
    const auto index = static_cast<std::size_t>(i);

    g.heads.push_back(scaled_dot_product_backward(
        query_block(forward.query), key_block(forward.key), value_block(forward.value),
        parameters.scale, masks[index], forward.heads[index].weights,
        grad_heads.middleCols(i * d_v, d_v)));
    query_block(grad_query) = g.heads.back().query;
    key_block(grad_key) += g.heads.back().key;  // the query heads of a group share it
    value_block(grad_value) += g.heads.back().value;

    std::vector<bool> queries(n);
    mark_open(masks[index], &queries, &keys_in_group);
    query_block(g.wq) = projection_gradient(x, query_block(grad_query), queries);
    const bool is_last_of_group = i + 1 == h || (i + 1) * kv / h != group;
    if (is_last_of_group) {
      key_block(g.wk) = projection_gradient(context, key_block(grad_key), keys_in_group);
      value_block(g.wv) = projection_gradient(context, value_block(grad_value), keys_in_group);
      keys_in_group.assign(m, false);
    }
  }

  g.bq = grad_query.colwise().sum();
  g.bk = grad_key.colwise().sum();
  g.bv = grad_value.colwise().sum();
  g.x = grad_query * parameters.wq.transpose();
  g.context = grad_key * parameters.wk.transpose() + grad_value * parameters.wv.transpose();
  return g;
}

}  // namespace attention::reference
