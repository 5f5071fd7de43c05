"""The index of utilities agrees with their declarations, and each entry can be loaded."""

from __future__ import annotations

from pathlib import Path

import pyshellhooks
from pyshellhooks.command import Registry, Utility
from pyshellhooks.utilities._index import INDEX
from tests.generators.index import build, declared

PACKAGE = Path(pyshellhooks.__file__).parent


def test_the_index_is_fresh() -> None:
    written = (PACKAGE / "utilities" / "_index.py").read_text(encoding="utf-8")
    assert written == build(str(PACKAGE)), "run python -m tests.generators.index"


def test_each_entry_is_a_utility_of_that_name() -> None:
    registry = Registry(INDEX)
    for name in INDEX:
        found = registry.get(name)
        assert isinstance(found, Utility)
        assert found.name == name
        assert found.summary.endswith(".")


def test_declarations_are_found_in_both_forms() -> None:
    source = '@utility("a", summary="")\ndef one(call): ...\ntwo = utility("b", summary="")(run)\n@other("c")\ndef c(): ...\n'
    assert list(declared(source)) == [("a", "one"), ("b", "two")]
