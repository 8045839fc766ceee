"""Transformer attention as cubes, heatmaps and teaching figures in notebooks.

``AttentionCube``, ``AttentionHeatmap``, ``AttentionHeads`` and ``AttentionLines`` draw weights of yours; each
exhibit of attention-lab has a class too, such as ``MultiHeadExample``. All of them are anywidgets.
"""

from importlib.metadata import version as _version

from . import exhibits as _exhibits
from .exhibits import *  # noqa: F403
from .views import AttentionCube, AttentionHeads, AttentionHeatmap, AttentionLines

__version__ = _version("attention-lab")

__all__ = [
    "AttentionCube",
    "AttentionHeads",
    "AttentionHeatmap",
    "AttentionLines",
    *_exhibits.__all__,
]
