"""No text crashes the parser or hangs it: it parses, or it is a syntax error, or it nests too deep."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pyshellhooks.errors import ShellSyntaxError, Stop
from pyshellhooks.syntax import nodes as n
from pyshellhooks.syntax.parser import (
    Modes,
    parse,
    parse_arithmetic,
    parse_assignment,
    parse_subscript,
    parse_word,
)
from pyshellhooks.syntax.printer import print_list

TABLE: dict[str, list[str]] = json.loads((Path(__file__).parent / "acceptance.json").read_text(encoding="utf-8"))
_TOKENS = (
    "a x=1 $x ${ } ${x:- $( ) $(( )) (( ) ( `  ' \" $' \\ \\\n \n ; & && || | |& < > << <<- <<< >& <( # ! { } [[ ]] [ ]"
    " if then elif else fi for in do done while until case esac ;; ;& function coproc time select f() x=( x[ ]= @( =~ ~"
    " * ? / % # : ^ , 1 + ++ E \0 é \udc80 \t"
)
TOKENS = _TOKENS.split(" ")
TEXTS = st.one_of(
    st.lists(st.sampled_from(TOKENS), max_size=30).map("".join),
    st.lists(st.sampled_from(TOKENS), max_size=30).map(" ".join),
    st.text(max_size=40),
)
MODES = st.builds(
    Modes,
    extglob=st.booleans(),
    posix=st.booleans(),
    aliases=st.dictionaries(st.sampled_from(["a", "if", "f", "x"]), st.sampled_from(TOKENS), max_size=2),
    depth=st.integers(1, 40),
)


def check(text: str, modes: Modes) -> None:
    """Parse; what parses can be printed."""
    try:
        tree = parse(text, modes)
    except ShellSyntaxError as error:
        assert error.diagnostic.line >= 1 and error.diagnostic.column >= 1 and error.diagnostic.message
        return
    except Stop as stop:
        assert stop.reason == "limit"
        return
    assert isinstance(print_list(tree), str)


@given(TEXTS, MODES)
@settings(max_examples=250, deadline=None, derandomize=True, database=None)
def test_random_text(text: str, modes: Modes) -> None:
    check(text, modes)


@given(st.sampled_from(TABLE["accepted"] + TABLE["rejected"]), st.data())
@settings(max_examples=250, deadline=None, derandomize=True, database=None)
def test_mutations(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 3))
        text = text[:at] + data.draw(st.sampled_from(["", *TOKENS])) + text[at + cut :]
    check(text, data.draw(MODES))


@given(TEXTS)
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
def test_run_time_entrances(text: str) -> None:
    for read in (parse_arithmetic, parse_assignment, parse_subscript, parse_word):
        try:
            found: object = read(text)
        except (ShellSyntaxError, Stop):
            continue
        assert found is None or isinstance(found, n.Node)
