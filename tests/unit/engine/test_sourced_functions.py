"""``check`` knows the functions of the files that a script sources (bash manual 4.1 ``.``, 6.5 for BASH_SOURCE and ``$0``)."""

from __future__ import annotations

from pathlib import Path

import pytest
from alarms import reported

pytestmark = pytest.mark.usefixtures("usual_interpreters")

LIBRARY = "say() { echo hi; }\n"
#: Ways to source ``lib/l.sh`` from a script in alarms.HOOKS.
SPELLINGS = [
    'source "$(dirname "$0")/lib/l.sh"',
    '. "$(dirname -- "$0")/lib/l.sh"',
    '. "$(dirname "${BASH_SOURCE[0]}")/lib/l.sh"',
    '. "$(dirname "$BASH_SOURCE")/lib/l.sh"',
    '. "`dirname "$0"`/lib/l.sh"',
    '. "${0%/*}/lib/l.sh"',
    '. "${BASH_SOURCE[0]%/*}/lib/l.sh"',
    '. "$(dirname "${BASH_SOURCE[0]:-$0}")/lib/l.sh"',
    'D="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"; source "$D/lib/l.sh"',
    'D=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P); . "$D/lib/l.sh"',
    'D="$(cd "$(dirname "$0")" >/dev/null 2>&1; pwd)"; . "$D/lib/l.sh"',
    'D="$(cd "$(dirname "$0")" && pwd || exit 1)"; . "$D/lib/l.sh"',
    'D="$(cd "$(dirname "$0")" && pwd)"; R="$(cd "$D/.." && pwd)"; source "$R/hooks/lib/l.sh"',
    'D="$(cd "$(dirname "$0")/../.." && pwd)"; source "${D}/.claude/hooks/lib/l.sh"',
    'P="${CLAUDE_PROJECT_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}"; source "$P/.claude/hooks/lib/l.sh" 2>/dev/null || true',
    'P="${UNSET_HERE:-$(cd "$(dirname "$0")/../.." && pwd)}"; source "$P/.claude/hooks/lib/l.sh"',
    'source "$CLAUDE_PROJECT_DIR/.claude/hooks/lib/l.sh"',
    'L="$(dirname "$0")/lib/l.sh"; [ -f "$L" ] && . "$L"',
    'cd "$(dirname "$0")"; source lib/l.sh',
    ". .claude/hooks/lib/l.sh",
    "builtin source .claude/hooks/lib/l.sh",
]
#: Ways to source a file that can't be told: any unknown name behind them may be its function.
UNTOLD = [
    'for f in "$(dirname "$0")"/lib/*.sh; do . "$f"; done',
    'eval "$(cat "$(dirname "$0")/lib/l.sh")"',
    'load() { . "$(dirname "$0")/lib/$1.sh"; }; load l',
    '. "$(git rev-parse --show-toplevel)/l.sh"',
    '. "$1"',
    "source <(cat .claude/hooks/lib/l.sh)",
    'source "$HOME/.nowhere" || true',
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_functions_of_a_sourced_file(spelling: str, tmp_path: Path) -> None:
    """The file is read: what neither it nor the script defines is still missing."""
    found = reported(tmp_path, f"{spelling}\nsay hi\nno-such-x", lib_l=LIBRARY)
    assert [message.partition(":")[0] for message in found] == ["no-such-x"]


@pytest.mark.parametrize("spelling", UNTOLD)
def test_a_file_that_can_not_be_determined(spelling: str, tmp_path: Path) -> None:
    assert [one for one in reported(tmp_path, f"{spelling}\nsay hi", lib_l=LIBRARY) if "say" in one] == []


@pytest.mark.parametrize(
    "files",
    [
        {"lib_l": '. "$(dirname "${BASH_SOURCE[0]}")/more.sh"\n', "lib_more": LIBRARY},
        {"lib_l": 'd="${BASH_SOURCE[0]%/*}"; . "$d/../more.sh"\n', "more": LIBRARY},
        {"lib_l": '. "$(dirname "$0")/more.sh"\n', "more": LIBRARY},  # $0 stays the script's own
        {"lib_l": '. "$(dirname "$BASH_SOURCE")/l.sh"\n' + LIBRARY},  # it sources itself
    ],
)
def test_a_sourced_file_that_sources_another(files: dict[str, str], tmp_path: Path) -> None:
    found = reported(tmp_path, '. "$(dirname "$0")/lib/l.sh"\nsay hi\nno-such-x', **files)
    assert [message.partition(":")[0] for message in found] == ["no-such-x"]


def test_files_that_call_each_other(tmp_path: Path) -> None:
    """A function is looked up when it is called, whatever file defines it (POSIX XCU 2.9.1)."""
    pick = 'D="$(dirname "$0")"; . "$D/one.sh"; . "$D/two.sh"\npick() { case "$1" in a) one;; b) two;; esac; }\n'
    files = {"lib_l": pick, "one": "one() { two; own; no-such-x; }\n", "two": "two() { pick c; }\n"}
    found = reported(tmp_path, 'own() { :; }\n. "$(dirname "$0")/lib/l.sh"\npick a', **files)
    assert [message.partition(":")[0] for message in found] == ["no-such-x"]


@pytest.mark.parametrize(
    ("script", "missing"),
    [
        ('no-such-x\n. "$1"', "no-such-x"),  # before the file is read
        ('f() { no-such-x; }\n. "$1"\nf', ""),  # f runs behind it
        ('. "$1"\ncommand no-such-x', "no-such-x"),  # a program that another one runs is no function
        ('. "$1"\nenv no-such-x', "no-such-x"),
        ('( . "$1" )\nno-such-x', ""),
        ("bash .claude/hooks/lib/l.sh\nsay", "say"),  # run, not sourced
        (". .claude/hooks/lib/l.sh\nbash .claude/hooks/other.sh", "say"),  # another shell, without its functions
        ("bash .claude/hooks/other.sh\n. .claude/hooks/lib/l.sh", "say"),
    ],
)
def test_commands_that_are_still_missing(script: str, missing: str, tmp_path: Path) -> None:
    found = reported(tmp_path, script, lib_l=LIBRARY, other="#!/bin/bash\nsay\n")
    names = {message.partition(":")[0] for message in found}
    assert names == ({missing} if missing else set())


def test_a_utility_that_is_not_installed_is_still_missing(tmp_path: Path) -> None:
    """An unread file hardly defines ``jq``: a guard that lacks it lets everything pass."""
    bash = tmp_path / "bin" / "bash"  # is found, and never started
    bash.parent.mkdir()
    bash.write_text("#!/bin/sh\n")
    bash.chmod(0o755)
    found = reported(tmp_path, '. "$1"\njq -r .tool_name\nno-such-x', path=str(tmp_path / "bin"))
    assert [message.partition(":")[0] for message in found] == ["jq"]


def test_two_scripts_with_one_library(tmp_path: Path) -> None:
    """The library is reported once; each script has its functions."""
    library = LIBRARY + "no-such-x\n"
    found = reported(
        tmp_path,
        ". .claude/hooks/lib/l.sh\nsay\nbash .claude/hooks/b.sh",
        lib_l=library,
        b=". .claude/hooks/lib/l.sh\nsay\n",
    )
    assert [message.partition(":")[0] for message in found] == ["no-such-x"]
