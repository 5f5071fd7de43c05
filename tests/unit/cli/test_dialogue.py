"""``pyshellhooks sh`` without a terminal: aliases of a person who types, and what Tab offers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from pyshellhooks import CancelScope, Shell
from pyshellhooks.shell import Dialogue, Process
from pyshellhooks.state import variables

if TYPE_CHECKING:
    from pyshellhooks.cli.editing import ShellCompleter

pytestmark = pytest.mark.not_on_windows("needs-terminal")


@pytest.fixture
def dialogue() -> Iterator[Dialogue]:
    shell = Shell.sandbox(
        {"/w/file.txt": "", "/w/my file": "", "/w/dir/inner": "", "/w/.hidden": "", "/home/user/own": "", "/w/$x'": ""},
        cwd="/w",
    )
    with CancelScope() as scope, Dialogue(shell, Process(os.getpid()), scope, (), ()) as begun:
        yield begun


# Lines that a person types, and what x is then: bash 5.2.15, -i.
ALIASES = [
    (["alias five='x=5'", "five"], "5"),
    (["alias five='x=5'", "true && five"], "5"),
    (["alias five='x=5'", "f() { five; }", "f"], "5"),
    (["alias a=b b='x=5'", "a"], "5"),
    (["alias run='eval ' five='x=5'", "run five"], "5"),
    (["shopt -q expand_aliases && x=on"], "on"),
    (["alias five='x=5'; five"], None),
    (["alias five='x=5'", "\\five"], None),
    (["alias five='x=5'", "unalias five", "five"], None),
    (["alias five='x=5'", "shopt -u expand_aliases", "five"], None),
]


@pytest.mark.parametrize(("lines", "expected"), ALIASES, ids=[" | ".join(row[0]) for row in ALIASES])
def test_aliases_are_expanded_where_a_person_types(dialogue: Dialogue, lines: list[str], expected: str | None) -> None:
    for line in lines:
        assert dialogue.run(f"{line}\n")
    assert variables.get(dialogue.ctx, "x") == expected


@pytest.fixture
def completer(dialogue: Dialogue) -> ShellCompleter:
    pytest.importorskip("prompt_toolkit")
    from pyshellhooks.cli.editing import ShellCompleter

    dialogue.run("greet() { :; }; alias shout=echo; MY_NAME=1; ln -s dir linked")
    return ShellCompleter(dialogue)


# A typed text, and the texts after each completion.
COMPLETIONS = [
    ("gre", ["greet", "grep"]),
    ("shou", ["shout"]),
    ("seq 3 | base", ["seq 3 | base64", "seq 3 | basename"]),
    ("if gree", ["if greet"]),
    ("A=1 B=2 gree", ["A=1 B=2 greet"]),
    ("x; y && gree", ["x; y && greet"]),
    ("$(gree", ["$(greet"]),
    ("cat fi", ["cat file.txt"]),
    ("cat my", ["cat my\\ file"]),
    ("cat 'my", ["cat 'my file"]),
    ('cat "my', ['cat "my file']),
    ("cat my\\ f", ["cat my\\ file"]),
    ("cat \\$", ["cat \\$x\\'"]),
    ("cat di", ["cat dir/"]),
    ("cat link", ["cat linked/"]),
    ("cat dir/", ["cat dir/inner"]),
    ("cat linked/i", ["cat linked/inner"]),
    ("cat /w/di", ["cat /w/dir/"]),
    ("cat ~/o", ["cat ~/own"]),
    ("cat .h", ["cat .hidden"]),
    ("cat gre", []),
    ("cat <fi", ["cat <file.txt"]),
    ("echo x > fi", ["echo x > file.txt"]),
    ("echo $MY_", ["echo $MY_NAME"]),
    ("echo a${MY_", ["echo a${MY_NAME}"]),
    ("${MY_", ["${MY_NAME}"]),
    ('echo "a ${MY_', ['echo "a ${MY_NAME}']),
    ("echo $MY_NAME${MY_", ["echo $MY_NAME${MY_NAME}"]),
    ("echo ${MY_NAME}$MY_", ["echo ${MY_NAME}$MY_NAME"]),
    ("echo '${MY_", []),
    ("echo \\${MY_", []),
    ('echo "$MY_', ['echo "$MY_NAME']),
    ("echo '$MY_", []),
    ("grep --ignore", ["grep --ignore-case"]),
    ("seq 3 | sort --rev", ["seq 3 | sort --reverse"]),
    ("./di", ["./dir/"]),
    ("cat /gone/", []),
    ("cat /dev/fd/", []),
    ("cat /../../../etc/pass", []),
    ("'", None),
    ("\\", None),
    ("cat \\", None),
    ("${", None),
    ("", None),
]


@pytest.mark.parametrize(("typed", "expected"), COMPLETIONS, ids=[repr(row[0]) for row in COMPLETIONS])
def test_completions(completer: ShellCompleter, typed: str, expected: list[str] | None) -> None:
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    found = list(completer.get_completions(Document(typed), CompleteEvent(completion_requested=True)))
    became = [typed[: len(typed) + one.start_position] + one.text for one in found]
    if expected is None:
        assert all(one.startswith(typed[:-1]) for one in became)
    else:
        assert became == expected


def test_no_completion_changes_anything(completer: ShellCompleter) -> None:
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    text = "echo $(touch /w/made) `touch /w/made2` ${x:=5} "
    for end in range(len(text)):
        list(completer.get_completions(Document(text[:end]), CompleteEvent(completion_requested=True)))
    assert not completer._shell.fs.exists("/w/made") and "x" not in completer._dialogue.ctx.vars
