"""CONTRIBUTING's recipes: every file and command that they name exists, and an example of each is in the files that its recipe names.

An example is found by words that nothing else has. Generated files are left out, and so are files that use
the example for something else, each with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from rooms import ROOT

pytestmark = pytest.mark.not_on_windows("same-everywhere")

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_RECIPE = re.compile(r"^\*\*(?P<title>[^*]+)\.\*\*(?P<text>.*?)(?=^\*\*|^## )", re.MULTILINE | re.DOTALL)
RECIPES = {found["title"]: found["text"] for found in _RECIPE.finditer(TEXT.partition("## How one adds")[2])}
_PATH = re.compile(r"`((?:pyshellhooks|tests|docs|conformance)/[\w./*-]*)`")
_COMMAND = re.compile(r"python -m ([\w.]+)")
_KINDS = (".py", ".toml", ".json", ".md", ".txt")
_DIRECTORIES = ("pyshellhooks", "tests", "docs", "conformance", ".ci")
#: Written by a generator or a recorder; a recipe need not name them.
_GENERATED = re.compile(
    r"docs/utilities|docs/reference/|docs/(?:diagnostics|guards|notices)\.md|pyshellhooks/types/|pyshellhooks/\w+/_index\.py"
    r"|conformance/cases/utilities/generated_"
)


class Example(NamedTuple):
    """An example of a recipe: the words in its paths, those that find it, and the files that only use it."""

    names: dict[str, str]
    words: tuple[str, ...]
    users: tuple[str, ...] = ()


EXAMPLES = {
    "A utility": Example(
        {"NAME": "uuidgen"},
        ("uuidgen",),
        (
            ".ci/run",  # installs the real tool
            "tests/differential/utilities_runs.py",  # its output is random
            "tests/hostile/test_bad_descriptors.py",  # it buffers otherwise
        ),
    ),
    "An option of a utility": Example({"NAME": "shuf"}, ("input-range", "input_range")),
    "A builtin": Example(
        {"NAME": "pushd"},  # the file has both
        ("popd",),
        (
            "conformance/cases/scripts/variables.toml",  # more cases
            "conformance/cases/shell/values_in_builtins.toml",
            "tests/windows/tables/lines.toml",
        ),
    ),
    "An event": Example({"SYSTEM": "cursor"}, ("workspaceOpen",)),
    "A diagnostic": Example({}, ("matcher-subject",)),
    "A limit of ours": Example(
        {},
        ("parser_depth",),
        (
            "pyshellhooks/interp/compile/units.py",  # count with it
            "pyshellhooks/syntax/parser/modes.py",
            "pyshellhooks/syntax/parser/scanner.py",
            "pyshellhooks/utilities/jq/compiler/modules.py",
            "tests/unit/engine/test_own_failures.py",  # one limit of several
        ),
    ),
}
#: Files of a recipe that its example does not need: the example's rule or event is of another kind.
NOT_NEEDED = {
    "A utility": ("pyshellhooks/utilities/support/", "pyshellhooks/utilities/support/kinds.py"),
    "An event": (
        "conformance/sections.toml",
        "pyshellhooks/dialects/flat_events/rows.py",
        "pyshellhooks/resident/fallback.py",
        "tests/contract/guard_matrix/systems.py",
    ),
    "A diagnostic": (
        "pyshellhooks/engine/scripts/off_rules.py",
        "pyshellhooks/engine/scripts/script_advice.py",
        "tests/architecture/test_codes.py",
        "tests/contract/test_check_sound.py",
        "tests/generators/code_tables.py",
        "tests/unit/engine",
    ),
}


def paths(title: str, names: dict[str, str]) -> list[str]:
    """Return the paths that a recipe names, for an example."""
    text = RECIPES[title]
    for placeholder, word in names.items():
        text = text.replace(placeholder, word)
    return [path for path in _PATH.findall(text) if "*" not in path]


@cache
def texts() -> dict[str, str]:
    """Return the texts of the repository's files."""
    found = (path for directory in _DIRECTORIES for path in (ROOT / directory).rglob("*") if path.is_file())
    kept = [path for path in found if path.suffix in _KINDS or path.name == "run"]
    own = Path(__file__).resolve()
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8", "replace") for path in kept if path != own}


def files_with(*words: str) -> Iterator[str]:
    """Yield the files that one of the words is in, without generated ones."""
    for name, text in texts().items():
        if any(word in text for word in words) and not _GENERATED.match(name):
            yield name


@pytest.mark.parametrize("title", RECIPES)
def test_files_that_a_recipe_names_exist(title: str) -> None:
    names = {"NAME": "pushd" if title == "A builtin" else "tac", "SYSTEM": "cursor"}
    missing = [path for path in paths(title, names) if not (ROOT / path).exists()]
    assert missing == []
    assert [name for name in _COMMAND.findall(RECIPES[title]) if find_spec(name) is None] == []


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example_is_in_the_files_of_its_recipe(title: str) -> None:
    example = EXAMPLES[title]
    named = {path for path in paths(title, example.names) if path not in NOT_NEEDED.get(title, ())}
    found = set(files_with(*example.words))
    assert found - named == set(example.users), "the recipe does not name these files, or they changed"
    assert named - found == set()


def test_a_dialect_is_in_the_files_of_its_recipe() -> None:
    named = paths("A dialect", {"SYSTEM": "everruns"})
    lists = {name for name in files_with('"everruns"') if re.match(r"pyshellhooks/|conformance/\w+\.", name)}
    assert {name for name in lists if not name.startswith("pyshellhooks/dialects/everruns/")} <= set(named)
    for path in named:
        general = path.endswith(("/", "hooks/dialect.py"))
        assert general or "everruns" in path or "everruns" in texts()[path], path


def test_every_recipe_was_read() -> None:
    assert len(RECIPES) >= 13
    assert EXAMPLES.keys() <= RECIPES.keys()
    assert all(_PATH.search(text) or _COMMAND.search(text) for text in RECIPES.values()), RECIPES.keys()
