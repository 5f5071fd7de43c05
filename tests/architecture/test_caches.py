"""A cache that counts entries only keeps megabytes of each text that a script makes up: ``text.remembered`` counts characters."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from rooms import PACKAGE, sources, tree

pytestmark = pytest.mark.not_on_windows("same-everywhere")

# What is asked about numbers, names of a closed list, or what is cut to a length before.
SHORT = {
    "adapters/langchain.py": 1,
    "dialects/__init__.py": 1,
    "dialects/flat_events/vendor.py": 1,
    "engine/scripts/off_reason.py": 1,
    "engine/trust/coverage.py": 1,
    "host/openat.py": 1,
    "patterns/glibc.py": 3,
    "patterns/glob.py": 1,
    "utilities/jq/regex/folding.py": 1,
    "utilities/jq/regex/sets.py": 2,
    "resident/install/hooks.py": 1,
    "times/zones.py": 1,
    "utilities/bc/numbers.py": 2,
    "utilities/digests/cksum.py": 1,
    "utilities/jq/functions/trigonometry.py": 1,
    "utilities/jq/json/numbers.py": 1,
    "utilities/jq/json/writer.py": 1,
    "utilities/support/owners.py": 2,
}


def caches(module: ast.AST) -> int:
    """Count the uses of ``functools.cache`` and ``lru_cache``."""
    return sum(isinstance(node, ast.Name) and node.id in ("cache", "lru_cache") for node in ast.walk(module))


def test_caches_of_texts_count_characters() -> None:
    files: dict[Path, int] = {path: count for path in sources() if (count := caches(tree(path)))}
    assert {path.relative_to(PACKAGE).as_posix(): count for path, count in files.items()} == SHORT


def test_the_check_can_fail() -> None:
    assert (
        caches(ast.parse("@lru_cache(maxsize=9)\ndef f(text): pass\n@cache\ndef g(): pass\nh = lru_cache(2)(f)")) == 3
    )
