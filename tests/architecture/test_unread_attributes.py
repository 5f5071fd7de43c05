"""What an object of the package holds is read by something: a setting that nothing reads looks as if it had an effect."""

from __future__ import annotations

import pytest

from tests.architecture.unread_attributes import unread

pytestmark = [pytest.mark.not_on_windows("same-everywhere"), pytest.mark.slow]

#: Attributes that something else than an expression of the package reads: it or its class, and what reads it.
READ_ELSEWHERE = {
    "adapters.langchain.ShellHooks.state_schema": "langchain",
    "adapters.langchain.ShellHooks.tools": "langchain",
    "adapters.langchain._Fence.raise_error": "langchain",
    "adapters.pydantic_ai.ShellHooks.id": "pydantic-ai",
    "cancel.CancelScope.cancelled_caught": "hosts",
    "cli.parsers.Parser.examples": "tests/generators/command_pages.py",
    "dialects.docker_agent.current_schema": "pydantic",
    "engine.checks.code_table.Code": "tests/generators/code_tables.py",
    "hooks.effects.Effect": "tests",
    "host.libproc.BsdInfo._fields_": "ctypes",
    "host.libproc.BsdInfoWithIds._fields_": "ctypes",
    "host.libproc.ResourceUsage._fields_": "ctypes",
    "host.libproc.UniqueIds._fields_": "ctypes",
    "hooks.model.Delivery": "HookEvent.delivery has the type Any",
    "interp.builtin.Builtin.summary": "tests/generators/utility_pages.py",
    "interp.evaluator.Interpreter.command_substitution": "Evaluator, the protocol of state",
    "resident.server._Identity": "tuples are compared as a whole",
    "shell.arguments.DescriptorStream._file": "nothing: the reference keeps the descriptor open",
    "utilities.awk.library.Library._do_bindtextdomain": "getattr of _do_NAME",
    "utilities.jq.compiler": "values of type Any",
    "utilities.jq.regex.machine.State.origin": "values of type Any",
    "utilities.rg.walk._Layer": "getattr of the kinds of ignore files",
}


@pytest.fixture(scope="module")
def found() -> list[str]:
    return unread()


def _reasons(name: str) -> list[str]:
    """Return the rows of ``READ_ELSEWHERE`` for an attribute."""
    short = name.removeprefix("pyshellhooks.")
    return [row for row in READ_ELSEWHERE if short == row or short.startswith(f"{row}.")]


@pytest.mark.timeout(600)
def test_an_attribute_is_distinguished_from_another_of_the_same_name(found: list[str]) -> None:
    planted = [name for name in found if name.startswith("planted.")]
    assert planted == ["planted.Job.limits", "planted.Named.forgotten", "planted.Runner.lost"]


@pytest.mark.timeout(600)
def test_attributes_are_read(found: list[str]) -> None:
    ours = [name for name in found if name.startswith("pyshellhooks.")]
    assert [name for name in ours if not _reasons(name)] == []
    needed = {row for name in ours for row in _reasons(name)}
    assert [row for row in READ_ELSEWHERE if row not in needed] == []
