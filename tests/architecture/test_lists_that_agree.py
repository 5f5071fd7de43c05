"""Lists that must agree, where one cannot be derived from the other: an import would be too slow, or the other is a document."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from typing import Any, get_args

import pytest
from rooms import PACKAGE, ROOT

from conformance import shapes
from pyshellhooks import dialects
from pyshellhooks.builtins._index import INDEX as BUILTINS
from pyshellhooks.cli import completion, serve, show
from pyshellhooks.dialects import models
from pyshellhooks.dialects.claude_code import config as claude_config
from pyshellhooks.dialects.claude_code import events
from pyshellhooks.dialects.claude_code import tables as claude
from pyshellhooks.dialects.crush import config as crush_config
from pyshellhooks.dialects.flat_events import parse_output
from pyshellhooks.dialects.flat_events import schema as flat_schema
from pyshellhooks.dialects.gemini import tables as gemini
from pyshellhooks.dialects.grouped_events import parse_json, schema
from pyshellhooks.engine.trust import coverage
from pyshellhooks.hooks import dialect as rows
from pyshellhooks.hooks import event_field, failure_notices, fields, tool_kinds
from pyshellhooks.hooks.model import FAILURES, Decision
from pyshellhooks.notice import KINDS
from pyshellhooks.resident import project
from pyshellhooks.resident.install import hooks as installed
from pyshellhooks.resident.install import targets
from pyshellhooks.resident.server import Server
from pyshellhooks.utilities._index import INDEX as UTILITIES

CAPABILITIES = frozenset("deny allow ask halt rewrite context output followup env plugins".split())
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]


def claude_events() -> set[str]:
    return set(dialects.get("claude_code").events)


def constant(file: str, name: str) -> Any:
    """Return a literal of a module, which may need a package that is not installed."""
    for node in ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
            return ast.literal_eval(node.value)
    raise LookupError(name)


# -- systems ----------------------------------------------------------------------------------------------------------


def test_the_installer_knows_or_refuses_every_system() -> None:
    names = set(dialects.names())
    assert targets.TAILS.keys() | targets.REFUSED.keys() == names
    assert targets.TAILS.keys() == installed._HANDLERS.keys() == project.VARIABLES.keys() | project.UNNAMED
    assert not project.VARIABLES.keys() & project.UNNAMED
    assert names >= installed.NESTED


@pytest.mark.parametrize("system", targets.TAILS)
def test_the_installer_finds_the_files_and_the_project_of_a_system(system: str) -> None:
    dialect = dialects.get(system)
    of_projects = {name for name in dialect.file_names if name.startswith((".", "crush"))}
    assert {name for name in of_projects if not name.endswith(".toml")} <= set(targets.TAILS[system])
    variable = project.VARIABLES.get(system, "")
    assert variable in dialect.variables if system not in project.UNNAMED else not variable


def test_the_installer_moves_only_keys_that_the_system_has() -> None:
    known = {"claude_code": {*claude.COMMON_FIELDS, *claude.OWN_FIELDS["command"]}, "gemini": set(gemini.HOOK_FIELDS)}
    for system, keys in known.items():
        assert installed._HANDLERS[system] <= keys, system


def test_each_system_has_its_pages_and_its_cases() -> None:
    assert shapes.SHAPES.keys() == set(dialects.names())
    for system in dialects.names():
        for path in (f"docs/dialects/{system}.md", f"docs/contracts/{system}.md", f"conformance/cases/{system}"):
            assert (ROOT / path).exists(), path


# -- events and tools -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", dialects.names())
def test_rows_use_known_words(system: str) -> None:
    dialect = dialects.get(system)
    kinds = {kind.name for kind in tool_kinds.KINDS}
    assert dialect.tools.keys() <= kinds
    assert dialect.arguments.keys() <= kinds
    assert dialect.absolute <= kinds
    for row in dialect.events.values():
        assert row.can <= CAPABILITIES, row.native
        assert set(row.neutral) <= rows.NEUTRAL_EVENTS, row.native
        assert row.failure.keys() <= FAILURES, row.native


def test_names_of_other_systems_events_are_theirs() -> None:
    events = claude_events()
    assert set(crush_config._FOREIGN) <= events
    assert {*claude_config._MEANT.values()} <= events
    assert {*gemini.FOREIGN_EVENTS} - events == {"SubAgentStop"}  # a spelling that people use
    assert {*gemini.FOREIGN_EVENTS.values()} <= dialects.get("gemini").events.keys()
    assert dialects.get("gemini").events.keys() - events == claude_config._GEMINI


def test_the_adapter_of_claude_listens_to_its_events() -> None:
    assert set(constant("adapters/claude_agent_sdk.py", "_EVENTS")) <= claude_events()


def test_the_types_of_hooks_of_claude_agree() -> None:
    assert claude.TYPES.keys() == claude.OWN_FIELDS.keys() == claude.REQUIRED.keys()
    assert {*dialects.get("claude_code").handled, "command"} == claude.TYPES.keys()
    for kind, required in claude.REQUIRED.items():
        assert claude.OWN_FIELDS[kind][: len(required)] == required


# -- answers ----------------------------------------------------------------------------------------------------------


def test_the_schemas_of_answers_have_the_keys_and_words_of_the_parsers() -> None:
    assert set(get_args(schema.SPECIFIC["permissionDecision"])) == parse_json._PERMISSIONS.keys()
    assert get_args(schema.SPECIFIC["action"]) == parse_json._ACTIONS
    assert set(schema.UNIVERSAL) == set(claude.UNIVERSAL)
    needs = {key: need for key, (need, _, _) in flat_schema.ANSWER_KEYS.items() if key in parse_output._NEEDS}
    assert needs == parse_output._NEEDS
    assert {*parse_output._NEEDS.values()} <= CAPABILITIES


@pytest.mark.parametrize("name", dialects.names())
def test_the_page_of_a_system_has_all_of_its_events(name: str) -> None:
    page = (ROOT / f"docs/dialects/{name}.md").read_text(encoding="utf-8")
    if name == "cursor":  # its page lists the differences from Firebender's
        page += (ROOT / "docs/dialects/firebender.md").read_text(encoding="utf-8")
    assert [event for event in dialects.get(name).events if event not in page] == []


def test_kinds_of_fields_have_their_types() -> None:
    assert fields._WANTED.keys() == event_field.EXACT_TYPES.keys()
    kinds = {
        field.kind for name in dialects.names() for row in dialects.get(name).events.values() for field in row.fields
    }
    assert kinds <= models._TYPES.keys()


def test_ends_and_decisions_are_shown() -> None:
    assert failure_notices.ENDS.keys() == FAILURES
    assert {*failure_notices.ENDS.values()} <= KINDS.keys()
    assert {*map(str, Decision)} <= show.COLOURS.keys()


# -- commands ---------------------------------------------------------------------------------------------------------


def test_the_parts_of_a_command_agree() -> None:
    assert completion.HOW.keys() == completion.WRITERS.keys()
    server = Server.__new__(Server)
    server._began, server._answered, server._now, server._engines, server._connections = 0.0, 0, 0, {}, {}
    assert tuple(server.health()) == serve.HEALTH


def test_programs_without_code_are_utilities_of_the_package() -> None:
    assert BUILTINS.keys() | UTILITIES.keys() >= coverage._PLAIN


def test_the_installer_knows_the_bounds_of_timeouts() -> None:
    assert installed.CAPS == {("claude_code", "SessionEnd"): events.LARGEST_BUDGET}


# -- packages ---------------------------------------------------------------------------------------------------------


def test_an_adapter_has_its_extra_its_page_and_its_example() -> None:
    adapters = {path.stem for path in (PACKAGE / "adapters").glob("*.py")} - {"__init__"}
    assert {path.stem.replace("-", "_") for path in (ROOT / "docs/adapters").glob("*.md")} == adapters
    assert {path.stem.removesuffix("_agent") for path in (ROOT / "examples").glob("*_agent.py")} == adapters
    assert adapters <= {name.replace("-", "_") for name in EXTRAS}


def test_a_package_has_one_lowest_version() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for requirement in [*PYPROJECT["project"]["dependencies"], *(one for extra in EXTRAS.values() for one in extra)]:
        name, _, version = requirement.partition(">=")
        found[name.partition("[")[0]].add(version)
    assert {name: versions for name, versions in found.items() if len(versions) > 1} == {}
