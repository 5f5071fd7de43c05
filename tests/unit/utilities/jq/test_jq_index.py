"""The index of jq's builtins, and which there are."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import pyshellhooks.utilities.jq.functions as functions
from pyshellhooks.utilities.jq.compiler.control import CONSTRUCTS
from pyshellhooks.utilities.jq.compiler.definitions import TEXTS, find
from pyshellhooks.utilities.jq.functions.index import INDEX

FAMILIES = sorted(
    path.stem for path in Path(functions.__path__[0]).glob("*.py") if path.stem not in ("__init__", "index")
)


def test_the_index_has_the_declared_functions() -> None:
    declared: dict[str, str] = {}
    for family in FAMILIES:
        module = import_module(f"{functions.__name__}.{family}")
        for key in module.function.functions if hasattr(module, "function") else ():
            assert key not in declared, f"{key} is in {family} and in {declared[key]}"
            declared[key] = family
    assert declared == INDEX


def test_every_definition_can_be_read() -> None:
    for key in TEXTS:
        definition = find(key)
        assert definition is not None
        assert definition.key == key


@pytest.mark.oracle
@pytest.mark.not_on_windows("needs-program")
def test_there_are_all_builtins_of_jq(program: Callable[[str], str]) -> None:
    done = subprocess.run([program("jq"), "-n", "builtins"], capture_output=True, check=True)
    real = set(json.loads(done.stdout))
    ours = {key for key in (*INDEX, *TEXTS, *CONSTRUCTS) if not key.startswith("_")}
    assert real - ours == {"get_jq_origin/0"}  # where jq's own program lies: there is none
    assert ours - real == {"toarray/0"}  # of jq 1.8.1's manual
