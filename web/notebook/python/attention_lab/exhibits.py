"""A class for each exhibit, made from the one list that the JavaScript side writes."""

import re

import traitlets

from . import static
from .figure import Figure
from .problems import shown, wrong


class Exhibit(Figure):
    """A teaching figure that computes its numbers in the page.

    Each setting is an argument and, where a widget has no such attribute, a property (``num_heads``); ``state`` holds
    all of them by their names in JavaScript (``{'numHeads': 8}``), and follows what the reader changes.

    :raises ValueError: naming what was wrong, what it was, and what it had to be
    """

    _module = "exhibits.js"

    #: Name in JavaScript -> what is allowed.
    _settings = {}
    _options = {}

    exhibit = traitlets.Unicode(read_only=True).tag(sync=True)
    options = traitlets.Dict(read_only=True).tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, state=None, **kwargs):
        names = {_snake(name): name for name in [*self._settings, *self._options]}
        given = {}
        for argument in [name for name in kwargs if name in names]:
            given[names[argument]] = kwargs.pop(argument)
        unknown = [name for name in kwargs if name not in self.trait_names()]
        if unknown:
            raise TypeError(
                f"{type(self).__name__} has no {unknown[0]!r}; there are {', '.join(names)}"
            )
        self.set_trait("exhibit", self._element)
        self.set_trait("options", _read(self._options, _part(given, self._options)))
        super().__init__(state={**(state or {}), **_part(given, self._settings)}, **kwargs)

    @traitlets.default("state")
    def _initial_state(self):
        return _read(self._settings, {})

    @traitlets.validate("state")
    def _read_state(self, proposal):
        return _read(self._settings, proposal["value"], whole=True)


def _part(values, names):
    return {name: value for name, value in values.items() if name in names}


def _read(settings, part, whole=False):
    """All settings, from some of them: what is left out has its initial value if they are to be whole."""
    for name, value in part.items():
        if name not in settings:
            raise wrong("a setting", shown(name), f"one of {', '.join(settings)}")
        if not _allows(settings[name], value):
            raise wrong(_snake(name), shown(value), settings[name]["wanted"])
    initial = {name: setting["initial"] for name, setting in settings.items()} if whole else {}
    return {**initial, **part}


def _allows(setting, value):
    """What Python can tell of it; the page looks at the rest."""
    initial = setting["initial"]
    if "values" in setting:
        return any(type(value) is type(one) and value == one for one in setting["values"])
    if isinstance(initial, bool):
        return isinstance(value, bool)
    if isinstance(initial, list):
        # One that is empty at first may have any length.
        return isinstance(value, (list, tuple)) and len(initial) in (0, len(value))
    if "low" in setting:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and setting["low"] <= value <= setting["high"]
    return isinstance(value, type(initial))


def _snake(name):
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def _setting_property(name, setting):
    def get(self):
        return self.state[name]

    def put(self, value):
        self.state = {**self.state, name: value}

    return property(get, put, doc=f"{setting['wanted']}, {setting['initial']!r} at first")


def _class_of(element, settings, options):
    names = [f":param {_snake(name)}: {one['wanted']}" for name, one in {**settings, **options}.items()]
    return type(
        "".join(part.capitalize() for part in element.split("-")),
        (Exhibit,),
        {
            "__doc__": "\n".join([f"The exhibit ``<{element}>``.", "", *names]),
            "__module__": __name__,
            "_element": element,
            "_settings": settings,
            "_options": options,
            **{
                _snake(name): _setting_property(name, one)
                for name, one in settings.items()
                if not hasattr(Exhibit, _snake(name))
            },
        },
    )


_classes = [_class_of(**exhibit) for exhibit in static.lab()["exhibits"]]
globals().update({one.__name__: one for one in _classes})

__all__ = [one.__name__ for one in _classes]
