"""One complete command at a time; aliases; run-time entrances; linear time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks.errors import Stop
from pyshellhooks.state.references import is_name
from pyshellhooks.syntax import nodes as n
from pyshellhooks.syntax.parser import (
    Modes,
    Parser,
    parse,
    parse_assignment,
    parse_subscript,
    parse_word,
)
from pyshellhooks.syntax.printer import print_list
from pyshellhooks.syntax.source import Source
from tests.clock import patient


def texts(text: str, modes: Modes) -> list[str]:
    """Each complete command, printed."""
    parser = Parser(Source(text), modes)
    out = []
    while (found := parser.next()) is not None:
        out.append(print_list(found))
    return out


def test_one_complete_command_at_a_time() -> None:
    text = "\n# x\na; b\n\nif c\nthen d; fi; e &\ncat <<E\nx\nE\nf"
    parser = Parser(Source(text))
    seen = []
    while (found := parser.next()) is not None:
        seen.append((len(found.items), parser.offset))
    assert [count for count, _ in seen] == [2, 2, 1, 1]
    assert [text[:offset].rpartition("\n")[0].rpartition("\n")[2] for _, offset in seen[:3]] == [
        "a; b",
        "then d; fi; e &",
        "E",
    ]
    assert seen[-1][1] == len(text)
    assert parser.next() is None


def test_starts_at_an_offset() -> None:
    parser = Parser(Source("a\nb\nc"), offset=2)
    found = parser.next()
    assert found is not None and print_list(found) == "b"
    command = found.items[0][0]
    assert isinstance(command, n.Simple) and command.line == 2


def test_modes_may_change_between_commands() -> None:
    parser = Parser(Source("shopt -s extglob\ncase a in @(b)) ;; esac"))
    parser.next()
    assert parser.next(Modes(extglob=True)) is not None


def test_modes_that_parse_alike_have_one_key() -> None:
    assert Modes(aliases={}).key == Modes().key
    assert Modes(aliases={"a": "b", "c": "d"}) == Modes(aliases={"c": "d", "a": "b"})
    assert len({Modes(), Modes(extglob=True), Modes(posix=True), Modes(aliases={"a": "b"}), Modes()}) == 4


@pytest.mark.parametrize(
    ("text", "aliases", "expected"),
    [
        ("ll a; ll", {"ll": "ls -l"}, ["ls -l a;\nls -l"]),
        ("x ll 'll'; \\ll", {"ll": "ls -l"}, ["x ll 'll';\n\\ll"]),
        ("x=1 ll; >f ll; ! ll | ll && ll", {"ll": "ls"}, ["x=1 ls;\nls > f;\n! ls | ls && ls"]),
        ("ls x", {"ls": "ls -F"}, ["ls -F x"]),
        ("a", {"a": "b", "b": "a"}, ["a"]),
        ("sudo ll x", {"sudo": "sudo ", "ll": "ls -l"}, ["sudo ls -l x"]),
        ("a x", {"a": "b ", "b": "c", "x": "y"}, ["c y"]),
        ("a x", {"a": "b", "x": "y"}, ["b x"]),
        ("a0 a0", {"a0": "a1 a1 ", "a1": "b a2 ", "a2": "c"}, ["b a2 b a2 b a2 b a2"]),
        ("iff a; then b; fi", {"iff": "if"}, ["if a; then\n    b;\nfi"]),
        ("beg a; end", {"beg": "{", "end": "}"}, ["{ \n    a\n}"]),
        ("e\nb", {"e": ""}, ["b"]),
        ("a x\nb", {"a": "c\nd"}, ["c;\nd x", "b"]),
        ("x $(ll) `ll` \"$(ll)\"", {"ll": "ls"}, ["x $(ls) `ls` \"$(ls)\""]),
        ("case ll in ll) ll;; esac", {"ll": "ls"}, ["case ll in \n    ll)\n        ls\n    ;;\nesac"]),
        ("for ll in ll; do ll; done", {"ll": "ls"}, ["for ll in ll;\ndo\n    ls;\ndone"]),
        ("# ll\nx # ll", {"ll": "ls"}, ["x"]),
        ("c a <<E\nll\nE\nll", {"c": "cat", "ll": "ls"}, ["cat a <<E\nll\nE\n", "ls"]),
    ],
)  # fmt: skip
def test_aliases(text: str, aliases: dict[str, str], expected: list[str]) -> None:
    """POSIX XCU 2.3.1."""
    assert texts(text, Modes(aliases=aliases)) == expected


def test_lines_stay_right_behind_an_alias() -> None:
    parser = Parser(Source("a\nb; c\nd"), Modes(aliases={"a": "x\ny\nz", "b": "long long long"}))
    lines = []
    while (found := parser.next()) is not None:
        lines += [command.line for command, _ in found.items if isinstance(command, n.Simple)]
    assert lines == [1, 1, 1, 2, 2, 3]


def test_aliases_that_explode_are_stopped() -> None:
    aliases = {f"a{i}": f"a{i + 1} a{i + 1} " for i in range(60)}
    with pytest.raises(Stop, match="alias"):
        parse("a0 a0 a0", Modes(aliases=aliases))


def test_names() -> None:
    assert all(map(is_name, ("a", "_", "A1", "_a_b")))
    assert not any(map(is_name, ("", "1", "a-b", "a b", "ä", "a\n", "a[1]")))


@pytest.mark.parametrize(
    ("text", "name", "index", "append", "value"),
    [
        ("a=b c", "a", None, False, "b c"),
        ("a=", "a", None, False, ""),
        ("a+='$x'", "a", None, True, "'$x'"),
        ("a[1]=x", "a", "1", False, "x"),
        ("a[b c]+=x", "a", "b c", True, "x"),
        ("a=(1 [2]=3)", "a", None, False, ["1", "3"]),
        ("a=(1)x", "a", None, False, "(1)x"),
    ],
)
def test_assignments_made_at_run_time(text: str, name: str, index: str | None, append: bool, value: Any) -> None:
    found = parse_assignment(text)
    assert found is not None
    assert (found.name, found.append) == (name, append)
    assert (found.index.word.literal() if found.index else None) == index
    if isinstance(found.value, n.ArrayLiteral):
        assert [item.word.literal() for item in found.value.items] == value
    else:
        assert "".join(part.text for part in found.value.parts if isinstance(part, n.Quoted)) == value


@pytest.mark.parametrize("text", ["", "a", "=b", "1=2", "a b=c", "a[1]", "a-=1", "a[1]x=2"])
def test_words_that_are_no_assignment(text: str) -> None:
    assert parse_assignment(text) is None


def test_subscripts_and_words_made_at_run_time(one_word: Callable[..., Any], expression: Callable[..., Any]) -> None:
    index = parse_subscript("i+'x y'")
    assert (index.kind, one_word(index.word), index.arith) == ("", ("i+", ("'", "x y")), None)
    assert parse_subscript("@").kind == "@"
    assert expression(parse_subscript("i+1").arith) == ("i", "+", 1)
    assert one_word(parse_word("+ $x \"a\" 'b' \\$")) == (('"', "+ "), ("$", "x"), ('"', " \"a\" 'b' $"))


BLOCK = """
input=$(cat)
if [ "$(echo "$input" | jq -r '.tool_name // empty')" = "bash" ] && [ -n "${CMD:-}" ]; then
    case "$tool" in
        rm*|dd) echo "blocked: $tool" >&2; exit 2 ;;
    esac
fi
for f in *.txt "$HOME"/x/*; do [[ -f $f && $f == *.sh ]] || continue; count=$((count + 1)); arr+=("$f"); done
log() { printf '%s\\n' "$(date): ${*##*/}" | sed -e 's/a/b/' >> "$log" 2>&1; }
cat <<EOF
value $x and ${y:-z}
EOF
"""

PIECES = [
    BLOCK, "a ", "a;", "a\n", "a|", "a && ", "'a' ", '"a" ', "$x", "${x}", "`a`", "$(a)", "$((1))", "a\\\n", "((a) )\n",
    "((a) # (\n)\n", "x[y]=z ", 'declare a["', "a=([", "<<E ", "cat <<E\n", ">f ", "{fd", "$\\\n", "@(", "\\", '"\\',
]  # fmt: skip


@pytest.mark.one_in(9)
@pytest.mark.parametrize("piece", PIECES)
def test_time_is_linear(piece: str) -> None:
    """Four times the text takes about four times as long, whatever is in it (quadratic would be sixteen)."""

    def seconds(count: int) -> float:
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            try:
                parse(piece * count)
            except (Exception, Stop):  # how it ends does not matter here
                pass
            best = min(best, time.process_time() - start)
        return best

    count = max(1, 1500 // len(piece))
    # A clock that ticks every 15 ms (Windows) adds up to two ticks to each.
    assert seconds(4 * count) < 10 * seconds(count) + 0.06


def test_a_thousand_lines_take_a_moment() -> None:
    text = BLOCK * (1000 // BLOCK.count("\n"))
    start = time.process_time()
    parse(text)
    assert time.process_time() - start < patient(0.5)  # 30 ms on an idle machine of 2024
