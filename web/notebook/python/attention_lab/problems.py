"""Errors that name what was wrong, what it was, and what it had to be."""


def wrong(name, was, wanted):
    """A ``ValueError`` to be raised."""
    return ValueError(f"{name} was {was}; it had to be {wanted}")


def shown(value):
    """A value in few words."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
