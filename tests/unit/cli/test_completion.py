"""Completion, each tried in its shell. PowerShell is not to be had on our machines: its text is looked at."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from pyshellhooks import cli, dialects
from pyshellhooks.cli.completion import WRITERS, table

FS = ["host", "memory", "overlay"]
ASKED = [
    ("fi", ["fire"]),
    ("", [*cli.COMMANDS, "help"]),
    ("fire --f", ["--fs"]),
    ("fire --fs ", FS),
    ("fire --fs me", ["memory"]),
    ("fire before_m", ["before_model"]),
    ("schema cru", ["crush"]),
    ("explain --dialect g", ["gemini"]),
    ("completion ", ["bash", "fish", "powershell", "zsh"]),
    ("help tr", ["trust"]),
    ("sh --no", ["--no-spawn"]),
    ("conformance --se", ["--sections"]),
    ("check crush.j", ["crush.json"]),
    ("fire --config crush.j", ["crush.json"]),
]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with a file to be completed; gives the folder of the scripts."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "crush.json").write_text("{}")
    monkeypatch.chdir(tmp_path / "project")
    for name, writer in WRITERS.items():
        (tmp_path / name).write_text(writer(table()), encoding="utf-8", newline="\n")
    return tmp_path


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.oracle
@pytest.mark.parametrize(("line", "words"), ASKED)
def test_bash(written: Path, line: str, words: list[str], program: Callable[[str], str]) -> None:
    given = ["pyshellhooks", *line.split(" ")]
    # an empty answer is the completion of paths (complete -o default), which only a terminal has
    script = (
        '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pyshellhooks; '
        '((${#COMPREPLY[@]})) || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")); printf "%s\\n" "${COMPREPLY[@]}"'
    )
    found = set(run(program("bash"), "-c", script, "bash", str(written / "bash"), *given).split())
    assert found - {"--help", "--version", "--json"} == set(words)


@pytest.mark.oracle
def test_bash_with_an_equals_sign(written: Path, program: Callable[[str], str]) -> None:
    script = (
        '. "$1"; COMP_WORDS=(pyshellhooks fire --fs = me); COMP_CWORD=4; _pyshellhooks; echo "${COMPREPLY[@]}"; '
        'COMP_WORDS=(pyshellhooks fire --fs =); COMP_CWORD=3; _pyshellhooks; echo "${COMPREPLY[@]}"'
    )
    assert run(program("bash"), "-c", script, "bash", str(written / "bash")) == f"memory\n{' '.join(FS)}\n"


@pytest.mark.oracle
@pytest.mark.parametrize(("line", "words"), ASKED)
def test_fish(written: Path, line: str, words: list[str], program: Callable[[str], str]) -> None:
    given = f"source {written / 'fish'}; complete -C 'pyshellhooks {line}'"
    shown = run(program("fish"), "--no-config", "-c", given)
    assert {row.partition("\t")[0] for row in shown.splitlines()} == set(words)


@pytest.mark.oracle
@pytest.mark.parametrize(("line", "words"), ASKED)
def test_zsh(written: Path, line: str, words: list[str], program: Callable[[str], str]) -> None:
    zsh = program("zsh")
    from tests.pseudo_terminal import Typist

    env = {**os.environ, "TERM": "dumb", "HOME": str(written)}
    with Typist([zsh, "-f", "-i"], cwd=os.getcwd(), env=env, columns=300) as typist:
        # what would be inserted or listed, one match a line, between two marks
        typist.types(
            "PS1='ready> '; autoload -U compinit && compinit -u -D && "
            f'source {written / "zsh"} && compadd() {{ local -a got; builtin compadd -O got "$@"; print -rl -- $got >>{written}/found; '
            'builtin compadd "$@" }; echo do""ne\n'
        )
        typist.sees("done\n", "ready> ")
        typist.types(f"pyshellhooks {line}\t")
        typist.types(" \x15echo fi''nished\n")
        typist.sees("finished\n")
    found = (written / "found").read_text(encoding="utf-8").split("\n")
    assert {word.rstrip("=") for word in found if word} == set(words)


def test_powershell_by_its_text() -> None:
    """Every option, operand and value has its row, as a key in quotes and pairs of word and help."""
    text = WRITERS["powershell"](table())
    rows = dict(re.findall(r"^  \$known\['([^']*)'\] = @\((.*)\)$", text, re.MULTILINE))
    words = {key: re.findall(r"(?<![^, (])@\('((?:[^']|'')*)', '(?:[^']|'')*'\)", row) for key, row in rows.items()}
    assert words[""] == [*cli.COMMANDS, "help"]
    assert words["fire --fs"] == FS and words["sh --fs"] == FS
    assert set(words["schema"]) >= {*dialects.names(), "config", "input", "output"}
    assert words["fire --config"] == []  # paths are PowerShell's own to complete
    assert {"-o", "-O"} <= set(words["sh -"]) and "sh -o" in words and "sh -O" in words
    for name in cli.COMMANDS:
        assert len(words[f"{name} -"]) == rows[f"{name} -"].count("@("), name
    assert text.count("{") == text.count("}") and text.count("(") - text.count(")") == unpaired(text)


def unpaired(text: str) -> int:
    """Count what stands open in strings: the help's own parentheses."""
    return sum(string.count("(") - string.count(")") for string in re.findall(r"'(?:[^']|'')*'", text))


def test_every_option_is_in_every_script() -> None:
    texts = {name: writer(table()) for name, writer in WRITERS.items()}
    for name in cli.COMMANDS:
        made: argparse.ArgumentParser = import_module(cli.module_of(name)).parser()
        (bash,) = re.findall(rf"^    {name}:\*\) .*words='([^']*)'; else", texts["bash"], re.MULTILINE)
        zsh = re.split(r"^    [a-z-]+\)$", texts["zsh"].partition(f"\n    {name})\n")[2], flags=re.MULTILINE)[0]
        fish = [line for line in texts["fish"].splitlines() if f"_from {name}'" in line]
        for action in made._actions:
            for flag in action.option_strings:
                assert flag in bash.split()
                assert f"{flag}=[" in zsh or f"{flag}[" in zsh
                assert any(f" -{'l' if flag[1] == '-' else 's'} {flag.lstrip('-')} " in line for line in fish)
                assert f"$known['{name} -']" in texts["powershell"] and f"@('{flag}', " in texts["powershell"]


def test_the_shells_own_options_are_options_of_sh() -> None:
    """Help and completion of ``sh`` come from a table of their own: what it shows is what the command takes."""
    from pyshellhooks.cli.sh import parse, parser

    values = {"--fs": "memory", "--timeout": "1", "--cwd": "/", "--env": "a=b", "-o": "errexit", "-O": "extglob"}
    for action in parser()._actions:
        for flag in action.option_strings:
            if flag not in ("-h", "--help"):
                parse([flag, *([values[flag]] if action.nargs != 0 else []), "-c", ":"])
