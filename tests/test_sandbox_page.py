"""The examples of docs/sandboxed-shell.md and docs/mcp-shell.md run, in order, and print what stands under them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import Shell
from pyshellhooks.cli import main
from pyshellhooks.cli.mcp_shell import parser

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "sandboxed-shell.md").read_text(encoding="utf-8")
MCP = (DOCS / "mcp-shell.md").read_text(encoding="utf-8")


@pytest.mark.not_on_windows("text")
def test_every_example_prints_as_promised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```python\n(.*?)^```\n\n^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(examples) == PAGE.count("```python") > 10
    names: dict[str, Any] = {"__name__": "page"}
    for example, promised in examples:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(example, "sandboxed-shell.md", "exec"), names)  # the text is ours
        assert out.getvalue().rstrip() == promised.rstrip(), example


def test_the_rows_with_yes_lead_to_headings() -> None:
    anchors = {
        re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    }
    assert {link for link in re.findall(r"\]\(#([\w-]+)\)", PAGE)} <= anchors


def test_the_commands_that_the_table_lists_as_missing_are_missing() -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith("| `tar`")]
    shell = Shell.sandbox()
    assert all(shell.run(f"type {name}").status == 1 for name in re.findall(r"`(\w+)`", row))


def test_the_options_of_the_page_are_those_of_the_command() -> None:
    listed = set(re.findall(r"^\| `(--[\w-]+)", MCP, re.MULTILINE))
    options = {name for action in parser()._actions for name in action.option_strings if name.startswith("--")}
    assert listed == options - {"--help", "--json"}


def test_the_page_of_mcp_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(r"^```sh\npyshellhooks (.*?)\n```$", MCP, re.MULTILINE | re.DOTALL)
    assert main(command.split()) == 0
    assert "- /work: real files; only you see your changes" in capsys.readouterr().out


@pytest.mark.slow
def test_the_server_of_the_page() -> None:
    pytest.importorskip("mcp.types", exc_type=ImportError)
    (example,) = re.findall(r"^```python\n(.*?)^```$", MCP, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(example, "mcp-shell.md", "exec"), names)  # the text is ours
    tool = names["ShellTool"](names["Shell"].sandbox(utilities=[names["order"]]))
    assert tool.call({"command": "order 5"}).text == "order 5\n"
    assert "order: Show an order." in names["make_server"](tool).instructions
