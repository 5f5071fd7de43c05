"""The smallest config of each system around a case's hooks, so that most cases need not write one out."""

from __future__ import annotations

from pyshellhooks import dialects
from pyshellhooks.hooks.config_form import Shape


def _shape_of(name: str) -> Shape:
    form = dialects.dialect_class(name).config_form
    assert form is not None, f"{name} has no config_form"
    return form.shape


SHAPES: dict[str, Shape] = {name: _shape_of(name) for name in dialects.built_in()}
