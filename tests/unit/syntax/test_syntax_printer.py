"""Printed text parses back to the tree it came from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshellhooks.errors import ShellSyntaxError
from pyshellhooks.syntax import nodes as n
from pyshellhooks.syntax.parser import Modes, parse
from pyshellhooks.syntax.printer import print_command, print_function, print_list, print_word

ACCEPTED: list[str] = json.loads((Path(__file__).parent / "acceptance.json").read_text(encoding="utf-8"))["accepted"]
MORE = [
    "a $'\\t\\xff\\u20ac\\'' $\"x\" \"\\$\\`\\\"\\\\\" 'it'\\''s'",
    "a \"${x:-'}'}\" \"${x:-\\}}\" \"${x:-\"y\"}\" \"${x#'}'}\" ${x////_} ${x:\"-1\"} ${x: -1:2} ${x/a/} ${x/a}",
    "a ${!x@} ${!x[@]} ${!x} ${#x} ${x@Q} ${x~~} ${x!} ${x[a b]} ${x['a b']} ${#} ${##} ${@:1:2}",
    "a `b \\`c \\\\\\`d\\\\\\`\\`` \"`b \"c\" \\\\`\" `'\\\\'` $( (a) ) $(<f) $[1+(2] $((1+\"2\"))",
    "a <<E && b <<-'F' | c\n$x \\$y\nE\n\tz\nF\n",
    "a $(b <<E; c\nx\nE\n) d",
    "if a <<E; then b <<E; fi <<E\n1\nE\n2\nE\n3\nE\n",
    "{ a <<E; b; } | ( c <<E\n1\nE\n2\nE\n)",
    "for x in a <(b); do c & d; done; while a & do b; done; until a; b; do c; done",
    "case x in (esac) a;; *) ;; esac >f 2>&1",
    "! time -p a | b |& c || ! ! d & e",
    "[[ ( a || b ) && ! ( c && d ) || e =~ ^(x y)|'z'$ ]] && ((a, b)) && for ((;a<(1);)) { b; }",
    ">f if; >f 2>&1 a; {x}<&- a <<<b; x= y+=(a [1]=b) z[1]=c; declare x[1]=2 y=(a)",
    "function if { a; }; f() ( a; ) >b; coproc x { a; }; coproc a b",
    "a \"$(b \"$(c \"d\")\")\" ${x:-$(a)} ${x:-`b`}",
    "((a = b ? c : d)); x=$((  1 + ( 2 ) )); y=(1 2)z",
]  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("text", ACCEPTED + MORE)
@pytest.mark.parametrize("extglob", [False, True])
def test_round_trip(text: str, extglob: bool) -> None:
    modes = Modes(extglob=extglob)
    try:
        tree = parse(text, modes)
    except ShellSyntaxError:
        assert extglob  # the table was made without
        return
    printed = print_list(tree)
    assert parse(printed, modes) == tree, printed
    assert print_list(parse(printed, modes)) == printed


def test_layout_of_a_function() -> None:
    """As ``declare -f`` of bash 5.2 lays it out."""
    text = "f() { a >b; if c; then d; else e; fi; while g; do h; done; for i in 1 2; do j; done; case k in l|m) n;; esac; }"
    function = parse(text).items[0][0]
    assert isinstance(function, n.Function)
    assert print_function("f", function.body) == (
        "f () \n{ \n    a > b;\n    if c; then\n        d;\n    else\n        e;\n    fi;\n"
        "    while g; do\n        h;\n    done;\n    for i in 1 2;\n    do\n        j;\n    done;\n"
        "    case k in \n        l | m)\n            n\n        ;;\n    esac\n}"
    )


def test_single_pieces() -> None:
    command = parse("sleep 1 | cat 'a b' &").items[0][0]
    assert print_command(command) == "sleep 1 | cat 'a b'"
    simple = parse('a "$x"y').items[0][0]
    assert isinstance(simple, n.Simple) and isinstance(simple.words[1], n.Word)
    assert print_word(simple.words[1]) == '"$x"y'
