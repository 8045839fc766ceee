"""The widgets that draw attention weights of yours."""

import numbers

import numpy as np
import traitlets

from . import static
from .figure import Figure
from .problems import shown, wrong
from .tensor import Tensor

_MATRICES = {2: "(N, M)", 3: "(h, N, M)", 4: "(1, h, N, M)"}
_LAYERS = {2: "(N, M)", 3: "(h, N, M)", 4: "(layers, h, N, M)"}


class Checked(traitlets.TraitType):
    """A trait whose value a function reads, or refuses by a ``ValueError`` in words."""

    def __init__(self, read, default=None, **kwargs):
        super().__init__(default_value=default, allow_none=default is None, **kwargs)
        self._read = read
        self.tag(sync=True)

    def validate(self, obj, value):
        return self._read(self.name, value)


def _index(name, value):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or value < -1:
        raise wrong(name, shown(value), "a whole number from -1, which stands for all")
    return int(value)


def _head(name, value):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or value < 0:
        raise wrong(name, shown(value), "a whole number from 0")
    return int(value)


def _words(name, value):
    if isinstance(value, str):
        return value.split()
    wanted = "a list of texts, or one text with spaces between tokens"
    try:
        words = list(value)
    except TypeError:
        raise wrong(name, shown(value), wanted) from None
    for word in words:
        if not isinstance(word, str):
            raise wrong(name, f"a list with {shown(word)} in it", wanted)
    return [str(word) for word in words]


def _flag(name, value):
    if not isinstance(value, (bool, np.bool_)):
        raise wrong(name, shown(value), "True or False")
    return bool(value)


def _text(name, value):
    if not isinstance(value, str):
        raise wrong(name, shown(value), "a text")
    return value


def _number(name, value):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real) or value != value:
        raise wrong(name, shown(value), "a number")
    return float(value)


def _pixels(name, value):
    number = _number(name, value)
    if not 0 < number < float("inf"):
        raise wrong(name, shown(value), "a number of pixels above 0")
    return number


def _color_map(name, value):
    names = static.lab()["colorMaps"]
    if value not in names:
        raise wrong(name, shown(value), f"one of {', '.join(names)}")
    return value


def _domain(name, value):
    try:
        low, high = (float(end) for end in value)
    except (TypeError, ValueError):
        low = high = float("nan")
    if not float("-inf") < low < high < float("inf"):
        raise wrong(name, shown(value), "two finite numbers, the lower first")
    return [low, high]


class View(Figure):
    """What the views have in common.

    :param attention_tensor: the weights: a NumPy array, a PyTorch tensor or nested lists. Reads as a NumPy array
        that cannot be written to; assigning another redraws the figure in place. NaN is drawn as such.
    :param tokens: labels of both axes; or ``query_tokens`` and ``key_tokens``
    :param mask: booleans, True = may be attended to, or numbers, -inf = masked; broadcast to the weights
    :param causal: whether keys after the query are masked
    :param colormap: 'purples', 'viridis', ...
    :param domain: two numbers, a fixed colour scale
    :param height: of the drawing, in CSS pixels
    :param label: names the figure to a screen reader
    :param value_label: what the numbers are
    :param inspector: whether a cell that is selected opens
    :raises ValueError: naming what was wrong, what it was, and what it had to be
    """

    attention_tensor = Tensor(_MATRICES)
    mask = Tensor({axes: f"of {axes} axes" for axes in range(5)}, keep_booleans=True)
    tokens = Checked(_words)
    query_tokens = Checked(_words)
    key_tokens = Checked(_words)
    causal = Checked(_flag, default=False)
    colormap = Checked(_color_map)
    domain = Checked(_domain)
    height = Checked(_pixels)
    label = Checked(_text)
    value_label = Checked(_text)
    inspector = Checked(_flag, default=True)

    def __init__(self, attention_tensor=None, **kwargs):
        unknown = [name for name in kwargs if name not in self.trait_names()]
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {unknown[0]!r}")
        if attention_tensor is not None:
            kwargs["attention_tensor"] = attention_tensor
        super().__init__(**kwargs)
        self._check_together()

    def _check_together(self):
        """What is wrong between the arguments; later changes come one after the other, so the page checks those."""
        if self.attention_tensor is None:
            return
        shape = self.attention_tensor.shape
        for own, axis, count in (
            ("query_tokens", "queries", shape[-2]),
            ("key_tokens", "keys", shape[-1]),
        ):
            name = "tokens" if getattr(self, own) is None else own
            words = getattr(self, name)
            if words is not None and len(words) != count:
                raise wrong(name, f"{len(words)} tokens", f"{count}, one for each of the {axis}")
        if self.mask is not None and not _broadcasts(self.mask.shape, shape):
            raise wrong("mask", f"of shape {self.mask.shape}", f"one that broadcasts to {shape}")


def _broadcasts(shape, target):
    try:
        return np.broadcast_shapes(shape, target) == tuple(target)
    except ValueError:
        return False


class AttentionCube(View):
    """The heads of attention weights ``(h, N, M)`` as a stack of translucent planes in space.

    :param emphasized_head: the head whose plane stands out, -1 for all; follows the reader's choice
    """

    _module = "cube.js"

    emphasized_head = Checked(_index, default=-1)


class AttentionHeatmap(View):
    """One matrix of attention weights, ``(N, M)`` or one head of ``(h, N, M)``.

    :param head: which head is drawn
    :param show_values: whether cells hold their numbers
    """

    _module = "heatmap.js"

    head = Checked(_head)
    show_values = Checked(_flag, default=False)


class AttentionHeads(View):
    """The heads of ``(h, N, M)`` side by side, or layers x heads of ``(layers, h, N, M)``, on one colour scale.

    :param emphasized_head: the head that stands out, -1 for none; heads of all layers are counted through
    :param show_values: whether cells hold their numbers
    """

    _module = "heads.js"

    attention_tensor = Tensor(_LAYERS)
    emphasized_head = Checked(_index, default=-1)
    show_values = Checked(_flag, default=False)


class AttentionLines(View):
    """Lines from queries to keys between two columns of tokens.

    :param emphasized_head: the head whose lines stand out, -1 for all
    :param selected_query: the only query whose lines are shown, -1 for all
    :param threshold: weights below it have no line
    """

    _module = "lines.js"

    emphasized_head = Checked(_index, default=-1)
    selected_query = Checked(_index, default=-1)
    threshold = Checked(_number)
