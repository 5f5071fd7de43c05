"""Every option of every utility has a case, and the tool that says so reads command lines as the utilities do."""

from __future__ import annotations

from functools import cache

import pytest
from shipped_cases import shipped_cases

from conformance.case import ShellCase
from conformance.coverage import (
    SAME,
    UNFAILING,
    Covered,
    Reader,
    complains,
    cover,
    options_of_help,
    report,
    shortfall,
    summary,
)
from pyshellhooks.command import Flag, Flags, Registry, Utility
from pyshellhooks.utilities._index import INDEX

HELD = sorted(set(INDEX) - set(SAME))


@cache
def table() -> dict[str, Covered]:
    """Return which options of each utility the shipped cases use."""
    return cover(shipped_cases())


def case(script: str, **more: object) -> ShellCase:
    """Make a case of a script."""
    return ShellCase(id=f"t/{script}", rule="r", source="s", script=script, **more)  # type: ignore[arg-type]


def used(script: str, name: str) -> set[str]:
    """Return the options of one utility that a script uses."""
    return {flag for flag, ids in cover([case(script)])[name].flags.items() if ids}


@pytest.mark.parametrize("name", HELD)
def test_every_option_has_its_cases(name: str) -> None:
    covered = table()[name]
    assert covered.missing() == [], "add cases (conformance/cases/utilities/NAME_options.toml)"
    assert covered.cases


@pytest.mark.parametrize("name", [name for name in HELD if name not in UNFAILING])
def test_every_utility_has_a_case_of_an_error(name: str) -> None:
    assert table()[name].errors


def test_the_list_names_existing_options() -> None:
    assert table().keys() == set(HELD)


@pytest.mark.parametrize(
    ("script", "name", "expected"),
    [
        ("grep -in x f", "grep", {"-i, -y, --ignore-case", "-n, --line-number"}),
        ("grep -A2 x", "grep", {"-A, --after-context"}),
        ("grep -e -v x", "grep", {"-e, --regexp"}),
        ("grep --line-n x", "grep", {"-n, --line-number"}),
        ("grep -2 x", "grep", {"-C, --context"}),
        ("egrep -c x", "grep", {"-c, --count"}),
        ("grep -- -v x", "grep", set()),
        ("env A=1 cut -f1", "cut", {"-f, --fields"}),
        ("env -i cut -f1", "env", {"-i, --ignore-environment"}),
        ("printf x | xargs -n 1 head -c 2", "head", {"-c, --bytes"}),
        ("find . -exec wc -l {} +", "wc", {"-l, --lines"}),
        ("sh -c 'sort -r'; x=$(sort -u f)", "sort", {"-r, --reverse", "-u, --unique"}),
        ('sort -k "$n" -r', "sort", {"-k, --key", "-r, --reverse"}),
        ("sort -c; sort --check=quiet", "sort", {"-c", "--check"}),
        ("sort -u --nope", "sort", {"-u, --unique"}),
        ("tail +3 f", "tail", {"-n, --lines"}),
        ("jq -rc --arg a b .", "jq", {"-r, --raw-output", "-c, --compact-output", "--arg"}),
        ("pwd -P", "pwd", set()),
        ("env pwd -P", "pwd", {"-P, --physical"}),
        ("f() { cut -s; }; f -b", "cut", {"-s, --only-delimited"}),
        ("/usr/bin/cut -b1", "cut", set()),
        ("case", "cut", set()),
    ],
)
def test_options_of_a_script(script: str, name: str, expected: set[str]) -> None:
    assert used(script, name) == expected


def test_each_case_counts_once() -> None:
    covered = cover([case("cut -b1; cut -b2"), case("cut -b3; wc")])
    assert covered["cut"].flags["-b, --bytes"] == ["t/cut -b1; cut -b2", "t/cut -b3; wc"]
    assert covered["cut"].cases == ["t/cut -b1; cut -b2", "t/cut -b3; wc"]
    assert covered["wc"].cases == ["t/cut -b3; wc"]


@pytest.mark.parametrize(
    ("more", "last", "expected"),
    [
        ({"stdout": "cut: none: No such file\n"}, "cut", True),
        ({"stderr": "bash: line 1: cut: x\n"}, "wc", True),
        ({"stderr_matches": "^cut: "}, "wc", True),
        ({"status": 1}, "cut", True),
        ({"status": 1}, "wc", False),
        ({"stdout": "a cut: x\n"}, "cut", False),
        ({"stdout": "x\n"}, "cut", False),
    ],
)
def test_errors(more: dict[str, object], last: str, expected: bool) -> None:
    assert complains("cut", case("x", **more), last) is expected


def test_words_of_an_expression_are_read_by_name() -> None:
    flag = Flag(dest="name")
    flag.short = ("name",)
    command = Utility("find", lambda call: 0, summary="Find.", flags=Flags([flag]))
    assert Reader(command).read(["find", ".", "-name", "x"]) == {"-name"}
    assert Reader(command).read(["find", ".", "-n"]) == set()


def test_missing_options_are_listed() -> None:
    registry = Registry({name: INDEX[name] for name in ("cut", "grep")})
    covered = cover([case("cut -b1; grep -c x", status=1), case("cut -b2", status=1)], registry)
    listed = shortfall(covered.values())
    assert "cut -c, --characters: 0 of 1" in listed
    assert "grep -c, --count: 1 of 3" in listed
    assert not any(line.startswith("cut -b") for line in listed)
    assert "cut: 2 cases, 2 show an error" not in listed
    assert "cut: 2 cases, 1 show an error" in report(covered.values())
    assert summary(covered.values()).startswith("2 utilities, ")


def test_names_of_one_utility_are_one() -> None:
    assert not SAME.keys() & table().keys()
    assert set(SAME.values()) <= table().keys()


def test_help_texts_are_read() -> None:
    text = "Usage: x [-a]\n  -a, --all   do --not read\n      --size=N  big\n  -k, -l      x\n      --help     y\n"
    assert options_of_help(text) == {"-a", "--all", "--size", "-k", "-l"}
