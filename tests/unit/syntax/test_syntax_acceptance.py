"""What is a script and what is not: the answers of ``bash -n`` 5.2 over a table of snippets."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks.errors import ShellSyntaxError
from pyshellhooks.syntax.parser import parse

TABLE: dict[str, list[str]] = json.loads((Path(__file__).parent / "acceptance.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", TABLE["accepted"])
def test_accepted(text: str) -> None:
    parse(text)


@pytest.mark.parametrize("text", TABLE["rejected"])
def test_rejected(text: str) -> None:
    with pytest.raises(ShellSyntaxError):
        parse(text)


@pytest.mark.parametrize("text", ["[[ ]]", "[[ a && ]]", "[[ ! ]]"])
def test_empty_tests_are_errors(text: str) -> None:
    """bash 5.2 stops at these too, but without a message and with status 0, which can't be told from acceptance."""
    with pytest.raises(ShellSyntaxError):
        parse(text)


@pytest.mark.oracle
def test_the_table_equals_bashs_answers(program: Callable[[str], str]) -> None:
    bash = program("bash")
    loop = r"""while IFS= read -r -d '' text; do
        if message=$("$BASH" -n -c "$text" 2>&1); then printf '0%s\0' "$message"; else printf '1%s\0' "$message"; fi
    done"""
    snippets = TABLE["accepted"] + TABLE["rejected"]
    given = "".join(text + "\0" for text in snippets).encode()
    answers = subprocess.run([bash, "-c", loop], input=given, capture_output=True, check=True).stdout.split(b"\0")
    assert len(answers) == len(snippets) + 1
    wrong = []
    for i, (text, answer) in enumerate(zip(snippets, answers, strict=False)):
        refused = answer[:1] == b"1" or re.search(rb"syntax error|unexpected|expected", answer) is not None
        if refused != (i >= len(TABLE["accepted"])):
            wrong.append((text, answer))
    assert wrong == []
