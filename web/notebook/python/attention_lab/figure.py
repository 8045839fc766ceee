"""What all widgets have in common: how their code reaches the page."""

import anywidget
import traitlets
from ipywidgets import Widget, widget_serialization

from . import static
from .page_script import page_script


class Code(Widget):
    """The text of a module, which all widgets of its kind in a kernel refer to."""

    text = traitlets.Unicode().tag(sync=True)
    fingerprint = traitlets.Unicode().tag(sync=True)

    #: One for each module. @type dict[str, Code]
    _shared = {}

    @classmethod
    def of(cls, module):
        """The one for a module, made when it is first asked for or was closed."""
        code = cls._shared.get(module)
        if code is None or code.comm is None:
            code = cls(text=static.read(module), fingerprint=static.fingerprint(module))
            cls._shared[module] = code
        return code


class Figure(anywidget.AnyWidget):
    """A widget whose code is built into this package, so that a notebook fetches nothing.

    Jupyter sends each widget its module anew and saves each with the notebook; there it gets a small shell, and
    the module itself is a trait of one more model. Other hosts, such as marimo, load a module once for a page.
    """

    #: The built module.
    _module = ""

    _attention_lab_code = traitlets.Instance(Code, allow_none=True).tag(
        sync=True, **widget_serialization
    )

    def __init__(self, **kwargs):
        is_shared = in_jupyter()
        self._esm = static.read("shell.js" if is_shared else self._module)
        if is_shared:
            kwargs["_attention_lab_code"] = Code.of(self._module)
        super().__init__(**kwargs)

    def _repr_mimebundle_(self, **kwargs):
        if in_jupyter():
            _publish_page_script()
        return super()._repr_mimebundle_(**kwargs)


def in_jupyter():
    """Whether this is a kernel of Jupyter's, which keeps its widgets' models as long as it lives."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return hasattr(get_ipython(), "kernel")


def _publish_page_script():
    """An output without looks that draws the figures of a page into which the notebook is converted."""
    from IPython.display import publish_display_data

    publish_display_data({"text/html": page_script(), "text/plain": ""})
