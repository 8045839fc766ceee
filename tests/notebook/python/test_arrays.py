"""What the widgets take for an array, and how it goes over the wire."""

import numpy as np
import pytest

from attention_lab import AttentionCube, AttentionHeads, AttentionHeatmap, AttentionLines

VIEWS = [AttentionCube, AttentionHeads, AttentionHeatmap, AttentionLines]


def on_the_wire(widget, name="attention_tensor"):
    return widget.get_state([name])[name]


@pytest.mark.parametrize("view", VIEWS)
def test_an_array_travels_as_bytes_beside_its_shape(view):
    weights = np.random.default_rng(1).random((2, 3, 4))
    wire = on_the_wire(view(attention_tensor=weights))
    assert set(wire) == {"shape", "dtype", "bytes"}
    assert (wire["shape"], wire["dtype"]) == ([2, 3, 4], "float64")
    assert isinstance(wire["bytes"], memoryview)
    assert bytes(wire["bytes"]) == weights.tobytes()


@pytest.mark.parametrize(
    ("dtype", "sent"),
    [
        ("float16", "float32"),
        ("float32", "float32"),
        (">f4", "float32"),
        ("float64", "float64"),
        ("longdouble", "float64"),
        ("int8", "float32"),
        ("uint16", "float32"),
        ("int32", "float64"),
        ("int64", "float64"),
        ("bool", "float32"),
    ],
)
def test_every_real_dtype_is_taken(dtype, sent):
    weights = np.arange(12).reshape(1, 3, 4).astype(dtype)
    cube = AttentionCube(attention_tensor=weights)
    wire = on_the_wire(cube)
    assert wire["dtype"] == sent
    assert np.array_equal(np.frombuffer(wire["bytes"], sent).reshape(1, 3, 4), weights)
    assert np.array_equal(cube.attention_tensor, weights)


def test_an_array_that_lies_scattered_in_memory_keeps_its_order():
    weights = np.arange(24.0).reshape(4, 3, 2).transpose(2, 0, 1)[:, ::-1]
    assert bytes(on_the_wire(AttentionCube(attention_tensor=weights))["bytes"]) == weights.tobytes()


def test_nested_lists_and_numbers_that_are_none_are_taken():
    cube = AttentionCube(attention_tensor=[[[0.5, float("nan")], [1, float("inf")]]])
    assert np.array_equal(cube.attention_tensor, [[[0.5, np.nan], [1, np.inf]]], equal_nan=True)


class TorchTensor:
    """As PyTorch's: NumPy's own functions refuse it while it needs gradients or lives elsewhere."""

    def __init__(self, values, dtype="torch.float32", grad=True, device="cuda"):
        self.values, self.dtype, self.grad, self.device = values, dtype, grad, device

    def _with(self, **changes):
        return TorchTensor(**{**vars(self), **changes})

    def detach(self):
        return self._with(grad=False)

    def cpu(self):
        return self._with(device="cpu")

    def float(self):
        return self._with(dtype="torch.float32")

    def numpy(self):
        if self.grad or self.device != "cpu" or self.dtype == "torch.bfloat16":
            raise TypeError("can't convert")
        return np.array(self.values, self.dtype.split(".")[1])

    def __array__(self, *_args, **_kwargs):
        raise RuntimeError("can't call numpy() on Tensor that requires grad")


@pytest.mark.parametrize("dtype", ["torch.float16", "torch.bfloat16", "torch.float32", "torch.float64"])
def test_a_torch_tensor_is_taken_wherever_it_lives_and_with_gradients(dtype):
    cube = AttentionCube(attention_tensor=TorchTensor([[[0.25, 0.75]]], dtype))
    assert cube.attention_tensor.tolist() == [[[0.25, 0.75]]]


def test_the_tensor_reads_as_an_array_of_its_own_that_cannot_be_written_to():
    weights = np.ones((1, 2, 2), np.float32)
    cube = AttentionCube(attention_tensor=weights)
    weights[:] = 7
    assert cube.attention_tensor.tolist() == [[[1, 1], [1, 1]]]
    with pytest.raises(ValueError, match="read-only"):
        cube.attention_tensor[0, 0, 0] = 2


def test_every_assignment_is_sent_also_of_equal_numbers():
    cube = AttentionCube(attention_tensor=np.zeros((1, 1, 1)))
    seen = []
    cube.observe(lambda change: seen.append(change.new.shape), "attention_tensor")
    cube.attention_tensor = np.zeros((1, 1, 1))
    cube.attention_tensor = np.zeros((2, 3, 3))
    assert seen == [(1, 1, 1), (2, 3, 3)]


def test_what_the_page_sends_is_read_back():
    cube = AttentionCube(attention_tensor=np.zeros((1, 2, 2)))
    sent = np.array([[[1, 2], [3, 4]]], np.float32)
    cube.set_state({"attention_tensor": {"shape": [1, 2, 2], "dtype": "float32", "bytes": memoryview(sent.tobytes())}})
    assert np.array_equal(cube.attention_tensor, sent)


def test_a_mask_of_booleans_stays_one():
    mask = np.tri(2, dtype=bool)
    cube = AttentionCube(attention_tensor=np.ones((3, 2, 2)), mask=mask)
    wire = on_the_wire(cube, "mask")
    assert (wire["dtype"], bytes(wire["bytes"])) == ("bool", b"\x01\x00\x01\x01")


WRONG_ARRAYS = {
    "a text": ("weights", "'weights'"),
    "a number": (3.5, "shape ()"),
    "an object": (object(), "a object"),
    "texts": ([["a", "b"]], "dtype <U1"),
    "complex numbers": (np.ones((1, 2, 2), complex), "dtype complex128"),
    "rows of two lengths": ([[[1, 2], [3]]], "a list"),
    "one axis": (np.ones(4), "shape (4,)"),
    "five axes": (np.ones((1, 1, 1, 2, 2)), "shape (1, 1, 1, 2, 2)"),
}


@pytest.mark.parametrize("given", WRONG_ARRAYS)
@pytest.mark.parametrize("view", VIEWS)
def test_what_is_no_array_of_real_numbers_is_refused_by_name(view, given):
    value, was = WRONG_ARRAYS[given]
    with pytest.raises(ValueError) as caught:
        view(attention_tensor=value)
    message = str(caught.value)
    assert message.startswith("attention_tensor was ")
    assert was in message
    assert "it had to be" in message


def test_a_wrong_array_leaves_the_one_before():
    cube = AttentionCube(attention_tensor=np.ones((1, 2, 2)))
    with pytest.raises(ValueError, match="attention_tensor"):
        cube.attention_tensor = np.ones(2)
    assert cube.attention_tensor.shape == (1, 2, 2)
