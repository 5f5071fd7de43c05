"""Tags of plain YAML scalars: the core schema of YAML 1.2, and the schema of YAML 1.1, which PyYAML implements.

Debian's yq reads YAML 1.2, and quotes its output as YAML 1.1 requires, unless ``--yml-out-ver 1.2`` is given.
"""

from __future__ import annotations

import re
from typing import Final

from yaml.resolver import Resolver

_PREFIX: Final = "tag:yaml.org,2002:"
STRING: Final = f"{_PREFIX}str"
MERGE: Final = f"{_PREFIX}merge"

# YAML 1.2.2, 10.3.2. The order matters, since an integer also matches float.
_CORE = tuple(
    (f"{_PREFIX}{name}", re.compile(expression).fullmatch)
    for name, expression in (
        ("null", "null|Null|NULL|~|"),
        ("bool", "true|True|TRUE|false|False|FALSE"),
        ("int", "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
        (
            "float",
            r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        ),
        ("merge", "<<"),
    )
)
_STARTS = frozenset("-+0123456789.~nNtTfF<")
_LONGEST = 1 << 16  # characters of a scalar that is always matched; a longer one only if it may be a number


def resolve_core(value: str) -> str:
    """Return the tag of a plain scalar in YAML 1.2."""
    if value and value[0] not in _STARTS:  # most scalars are text, which needs no matching
        return STRING
    if len(value) > _LONGEST and value[0] not in "-+0123456789.":
        return STRING
    for tag, match in _CORE:
        if match(value):
            return tag
    return STRING


def resolve_old(value: str) -> str:
    """Return the tag of a plain scalar in YAML 1.1, as PyYAML resolves it."""
    for tag, expression in Resolver.yaml_implicit_resolvers.get(value[:1], ()):
        if expression.match(value):
            return str(tag)
    return STRING
