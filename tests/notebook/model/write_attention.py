"""Runs the Python lines of the page 'Open your attention', and writes beside their files what the page has to show.

    python write_attention.py FOLDER

runs the lines that it is given as a JSON list, in that folder.
"""

import json
import os
import sys

import numpy as np
import stand_ins


def entropies(weights):
    logarithms = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logarithms).sum(axis=-1).mean(axis=-1)


def rollout(weights):
    same = np.eye(weights.shape[-1])
    rolled = same
    for layer in weights.mean(axis=1):
        rolled = (0.5 * layer + 0.5 * same) @ rolled
    return rolled


def figures(weights):
    return {
        "attention": weights.tolist(),
        "entropy": entropies(weights).ravel().tolist(),
        "rollout": rollout(weights).ravel().tolist(),
    }


def main(folder):
    os.chdir(folder)
    stand_ins.install()
    names = {}
    for lines in json.load(sys.stdin):
        exec(lines, names)
    # From float32, as it is in the files, on in float64.
    weights = np.stack([layer[0] for layer in names["attentions"]]).astype(np.float64)
    inner = weights[..., 1:-1, 1:-1]
    expected = {
        "tokens": names["tokens"],
        **figures(weights),
        "withoutSpecial": figures(inner / inner.sum(axis=-1, keepdims=True)),
    }
    with open("expected.json", "w") as file:
        json.dump(expected, file)


if __name__ == "__main__":
    main(sys.argv[1])
