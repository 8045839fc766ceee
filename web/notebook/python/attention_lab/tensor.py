"""Arrays from wherever they come, and as bytes on their way to the page."""

import numpy as np
import traitlets

from .problems import shown, wrong

_WANTED = "an array of real numbers: NumPy's, PyTorch's or nested lists"


def as_array(value, name, keep_booleans=False):
    """Reads numbers as a NumPy array of float32 or float64, a copy that cannot be written to.

    :param value: a NumPy array of any real dtype, a PyTorch tensor wherever it lives, nested lists, or anything
        else that NumPy takes for an array
    :param name: what error messages call it
    :param keep_booleans: whether an array of booleans stays one
    :raises ValueError: if it is no array of real numbers
    """
    try:
        array = np.asarray(_from_torch(value))
    except Exception as error:
        raise wrong(name, f"{_kind(value)} ({error})", _WANTED) from error
    if array.dtype.name == "bfloat16":
        array = array.astype(np.float32)
    if array.dtype.kind not in "fiub":
        raise wrong(name, f"{_kind(value)} of dtype {array.dtype}", _WANTED)
    array = np.array(array, dtype=_dtype_for(array.dtype, keep_booleans), order="C")
    # Written to in place it would change here and not in the page.
    array.flags.writeable = False
    return array


def _dtype_for(dtype, keep_booleans):
    """The page has numbers of two types: float32 where that holds them exactly."""
    if dtype.kind == "b" and keep_booleans:
        return "?"
    holds = dtype.itemsize <= (4 if dtype.kind == "f" else 2)
    return "<f4" if holds else "<f8"


def _from_torch(value):
    """Known by what it can do, so that PyTorch need not be there."""
    if not (hasattr(value, "detach") and hasattr(value, "cpu")):
        return value
    value = value.detach().cpu()
    if str(value.dtype).endswith("bfloat16"):
        # NumPy has no such type.
        value = value.float()
    return value.numpy()


def _kind(value):
    if isinstance(value, (str, bytes)) or np.isscalar(value) or value is None:
        return shown(value)
    return f"a {type(value).__name__}"


class Tensor(traitlets.TraitType):
    """A trait that takes any array, reads as a NumPy array, and travels as ``{shape, dtype, bytes}``.

    :param axes: which numbers of axes it may have, with their names, such as ``{3: "(h, N, M)"}``
    :param keep_booleans: whether booleans mean something else than 0 and 1
    """

    default_value = None
    info_text = _WANTED

    def __init__(self, axes, keep_booleans=False):
        super().__init__(allow_none=True)
        self._axes = axes
        self._keep_booleans = keep_booleans
        self.tag(sync=True, to_json=_to_json, from_json=_from_json)

    def validate(self, obj, value):
        array = as_array(value, self.name, self._keep_booleans)
        if array.ndim not in self._axes:
            wanted = " or ".join(self._axes.values())
            raise wrong(self.name, f"an array of shape {array.shape}", f"of shape {wanted}")
        return array

    def set(self, obj, value):
        """Assigning always counts as a change: arrays do not compare to yes or no."""
        new = self._validate(obj, value)
        old = obj._trait_values.get(self.name, self.default_value)
        obj._trait_values[self.name] = new
        if new is not None or old is not None:
            obj._notify_trait(self.name, old, new)


def _to_json(array, _widget):
    if array is None:
        return None
    return {
        "shape": list(array.shape),
        "dtype": array.dtype.name,
        "bytes": memoryview(array.reshape(-1).view(np.uint8)),
    }


def _from_json(wire, _widget):
    if wire is None:
        return None
    return np.frombuffer(wire["bytes"], dtype=np.dtype(wire["dtype"])).reshape(wire["shape"])
