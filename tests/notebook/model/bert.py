"""The forward pass of BERT, in NumPy and float64, as far as attention needs it."""

import numpy as np

HEADS = 12
EPSILON = 1e-12


def erf(x):
    # Abramowitz and Stegun 7.1.26: off by 1.5e-7 at most, which is about float32's precision.
    t = 1 / (1 + 0.3275911 * np.abs(x))
    polynomial = 1.061405429
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        polynomial = polynomial * t + coefficient
    return np.sign(x) * (1 - polynomial * t * np.exp(-x * x))


def normed(x, part, weight):
    centred = x - x.mean(axis=-1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    return centred / scale * weight(f"{part}.LayerNorm.weight") + weight(f"{part}.LayerNorm.bias")


def dense(x, part, weight):
    return x @ weight(f"{part}.weight").T + weight(f"{part}.bias")


def softmax(logits):
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def attentions(ids, layers, weight):
    """One array (h, N, N) for each layer; ``weight`` gives a model's tensor by its name."""
    n = len(ids)
    x = weight("embeddings.word_embeddings.weight")[ids]
    x = x + weight("embeddings.position_embeddings.weight")[:n]
    x = normed(x + weight("embeddings.token_type_embeddings.weight")[0], "embeddings", weight)
    computed = []
    for layer in range(layers):
        part = f"encoder.layer.{layer}"
        query, key, value = (
            dense(x, f"{part}.attention.self.{name}", weight).reshape(n, HEADS, -1).swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        weights = softmax(query @ key.swapaxes(1, 2) / np.sqrt(query.shape[-1]))
        computed.append(weights)
        joined = (weights @ value).swapaxes(0, 1).reshape(n, -1)
        attended = dense(joined, f"{part}.attention.output.dense", weight)
        x = normed(attended + x, f"{part}.attention.output", weight)
        inner = dense(x, f"{part}.intermediate.dense", weight)
        inner = inner * 0.5 * (1 + erf(inner / np.sqrt(2)))
        x = normed(dense(inner, f"{part}.output.dense", weight) + x, f"{part}.output", weight)
    return computed
