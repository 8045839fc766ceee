"""What web/notebook/build.js built: the widgets' modules, and what there is to show."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "static"


@lru_cache(maxsize=None)
def read(name):
    """The text of a built file."""
    return (_FOLDER / name).read_text(encoding="utf-8")


@lru_cache(maxsize=None)
def fingerprint(name):
    """A short name for the content of a built file."""
    return hashlib.sha256(read(name).encode()).hexdigest()[:16]


@lru_cache(maxsize=None)
def lab():
    """The names of colour maps, and the exhibits with their settings and options."""
    return json.loads(read("lab.json"))
