"""Commands (POSIX XCU 2.9, bash manual 3.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks.syntax import nodes as n
from pyshellhooks.syntax.parser import Modes, parse

Read = Callable[..., Any]
A, B, C, D = ["a"], ["b"], ["c"], ["d"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# a", []),
        ("a", [A]),
        ("a; b", [A, B]),
        ("a\n\n b # c\n", [A, B]),
        ("a & b &", [("&", A), ("&", B)]),
        ("a && b || c", [(A, "&&", B, "||", C)]),
        ("a &&\n # x\n b", [(A, "&&", B)]),
        ("a &\\\n& b", [(A, "&&", B)]),
        ("a && b &", [("&", (A, "&&", B))]),
        ("a | b |\n c", [("|", A, B, C)]),
        ("a |& b", [("|", A, B, "both")]),
        ("! a", [("|", "!", A)]),
        ("! ! a | b", [("|", A, B)]),
        ("!", [("|", "!")]),
        ("time a | b", [("|", "time", A, B)]),
        ("time -p ! a", [("|", "!", "time-p", A)]),
        ("time", [("|", "time")]),
        ("a time", [["a", "time"]]),
        ("(a; b)", [("(", A, B)]),
        ("( (a) )", [("(", ("(", A))]),
        ("((a); b)", [("(", ("(", A), B)]),
        ("{ a; b; }", [("{", A, B)]),
        ("{ a; } 2>&1 >f", [("{", A, ("2>&", "1"), (">", "f"))]),
        ("{a,b}", [["{a,b}"]]),
        ("if a; then b; fi", [("if", ([A], [B]))]),
        ("if a; then b; elif c; then d; else a; fi", [("if", ([A], [B]), ([C], [D]), [A])]),
        ("if (a) then (b) fi", [("if", ([("(", A)], [("(", B)]))]),
        ("i\\\nf a; then b; f\\\ni", [("if", ([A], [B]))]),
        ("while a; do b; done <f", [("while", [A], [B], ("<", "f"))]),
        ("until a\ndo b\ndone", [("until", [A], [B])]),
        ("for i in a b; do c; done", [("for", "i", ["a", "b"], [C])]),
        ("for i; do c; done", [("for", "i", None, [C])]),
        ("for i in; do c; done", [("for", "i", [], [C])]),
        ("for i in a; { c; }", [("for", "i", ["a"], [C])]),
        ("for i\nin a\ndo c\ndone", [("for", "i", ["a"], [C])]),
        ("for ((i=0; i<2; i++)); do c; done", [("for((", ("i", "=", 0), ("i", "<", 2), ("i", "++"), [C])]),
        ("for ((;;)) { c; }", [("for((", None, None, None, [C])]),
        ("select i in a; do c; done", [("select", "i", ["a"], [C])]),
        ("case a in (b|c) d;; *) ;& esac", [("case", "a", (["b", "c"], [D], ";;"), (["*"], [], ";&"))]),
        ("case a in\nb)\nc\n;;&\nd) a\nesac", [("case", "a", (["b"], [C], ";;&"), (["d"], [A], ";;"))]),
        ("case in in in) a;; esac", [("case", "in", (["in"], [A], ";;"))]),
        ("case a in esac", [("case", "a")]),
        ("f() { a; }", [("function", "f", ("{", A))]),
        ("f () (a) >b", [("function", "f", ("(", A, (">", "b")))]),
        ("function a-b.c\n{ a; }", [("function", "a-b.c", ("{", A))]),
        ("function if() [[ a ]]", [("function", "if", ("[[", "a"))]),
        ("((x = 1))", [("((", ("x", "=", 1))]),
        ("((1)) && a", [(("((", 1), "&&", A)]),
        ("coproc a b", [("coproc", "COPROC", ["a", "b"])]),
        ("coproc x { a; }", [("coproc", "x", ("{", A))]),
        ("coproc { a; }", [("coproc", "COPROC", ("{", A))]),
        ("a; } b", None),
        ("x=1 f() { a; }", None),
    ],
)
def test_commands(tree: Read, text: str, expected: Any) -> None:
    if expected is None:
        with pytest.raises(Exception, match="unexpected token"):
            tree(text)
    else:
        assert tree(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">f", [(">", "f")]),
        ("a >f b 2>>g", ["a", "b", (">", "f"), ("2>>", "g")]),
        ("a 2>&1 >&- 3>&4- <&$x", ["a", ("2>&", "1"), (">&", "-"), ("3>&", "4-"), ("<&", (("$", "x"),))]),
        ("a >|f <>g &>h &>>i", ["a", (">|", "f"), ("<>", "g"), ("&>", "h"), ("&>>", "i")]),
        ("a {fd}>f {b[1]}<g", ["a", ("{fd}>", "f"), ("{b[1]}<", "g")]),
        ("a {fd} >f", ["a", "{fd}", (">", "f")]),
        ("a 2 >f", ["a", "2", (">", "f")]),
        ("a2>f", ["a2", (">", "f")]),
        ("a >\\\n>f", ["a", (">>", "f")]),
        ("a <<<b", ["a", ("<<<", "b")]),
        (">f if", ["if", (">", "f")]),
        ("a 2>(b)", ["a", ("2", (">(", ["b"]))]),
        ("a < <(b)", ["a", ("<", (("<(", ["b"]),))]),
        ("x=1", [("x=", "1")]),
        ("x= y+=2 a x=3", [("x=", ()), ("y+=", "2"), "a", "x=3"]),
        ("x[1]=2 x[a b]+=c", [("x[1]=", "2"), ("x[a b]+=", "c")]),
        ("x[1 2]", ["x[1 2]"]),
        ("x[$y]z", [("x[", ("$", "y"), "]z")]),
        ("x=(a b)", [("x=", ["a", "b"])]),
        ("x+=([1]=a [y]+=b c) d", [("x+=", [("[1]=", "a"), ("[y]+=", "b"), "c"]), "d"]),
        ("x=(a # b\n c)", [("x=", ["a", "c"])]),
        ("x=([ab]c [d e])", [("x=", ["[ab]c", "[d e]"])]),
        ("x=(a b)c", [("x=", "(a b)c")]),
        ("1x=2", ["1x=2"]),
        ("x-=2", ["x-=2"]),
        ("declare x=1 -a y=(a b) z", ["declare", ("x=", "1"), "-a", ("y=", ["a", "b"]), "z"]),
        ("export x=$y", ["export", ("x=", (("$", "y"),))]),
        ("local 'x'=1", ["local", (("'", "x"), "=1")]),
        ("command builtin export x=1", ["command", "builtin", "export", ("x=", "1")]),
        ("readonly x[1]=2", ["readonly", ("x[1]=", "2")]),
        ("declare x['a b']=2", ["declare", ("x[((\"'\", 'a b'),)]=", "2")]),
        ("declare x[1 2]=3", ["declare", "x[1", "2]=3"]),
        ("echo x=1", ["echo", "x=1"]),
        ("eval x=(1 2)", ["eval", "x=(1 2)"]),
    ],
)
def test_simple_commands(tree: Read, text: str, expected: Any) -> None:
    assert tree(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        ("-f a", ("-f", "a")),
        ("a == b*", ("a", "==", "b*")),
        ("a && b || c && d", (("a", "&&", "b"), "||", ("c", "&&", "d"))),
        ("a || (b && c) || d", (("a", "||", ("b", "&&", "c")), "||", "d")),
        ("! a && b", (("!", "a"), "&&", "b")),
        ("! ( a &&\n b )", ("!", ("a", "&&", "b"))),
        ("a<b", ("a", "<", "b")),
        ("$x -eq 1", ((("$", "x"),), "-eq", "1")),
        ("-v x[1]", ("-v", "x[1]")),
        ("a == @(b|c d)", ("a", "==", "@(b|c d)")),
        ("a != !(b)$x", ("a", "!=", ("!(b)", ("$", "x")))),
        ("a =~ ^(b|c d)+$", ("a", "=~", "^(b|c d)+$")),
        ("a =~ b|c", ("a", "=~", "b|c")),
        ("a =~ 'b'$x\\.", ("a", "=~", (("'", "b"), ("$", "x"), ("\\", ".")))),
        ("a =~ [[:space:]]x && b", (("a", "=~", "[[:space:]]x"), "&&", "b")),
        ("'-f' == a", ((("'", "-f"),), "==", "a")),
    ],
)
def test_tests(tree: Read, text: str, expected: Any) -> None:
    assert tree(f"[[ {text} ]]") == [("[[", expected)]


def test_extended_globs_in_case_patterns(tree: Read) -> None:
    modes = Modes(extglob=True)
    assert tree("case a in @(b|c)|d) ;; esac", modes) == [("case", "a", (["@(b|c)", "d"], [], ";;"))]


def test_lines_and_places() -> None:
    text = "a\n\nif b; then\n  c $x\nfi >f\ng() {\n  d\n}\n"
    first, second, third = (command for command, _ in parse(text).items)
    assert isinstance(first, n.Simple) and isinstance(second, n.If) and isinstance(third, n.Function)
    body = second.clauses[0][1].items[0][0]
    assert isinstance(body, n.Simple) and isinstance(body.words[1], n.Word)
    parameter = body.words[1].parts[0]
    assert isinstance(parameter, n.Parameter)
    assert (first.line, second.line, body.line, parameter.line, third.line) == (1, 3, 4, 4, 6)
    assert text[second.pos : second.end] == "if b; then\n  c $x\nfi >f"
    assert text[parameter.pos : parameter.end] == "$x"
    assert third.source_text == "g() {\n  d\n}"


def test_a_file_to_read_instead_of_a_command(tree: Read) -> None:
    for text, reads in [("$(<f)", True), ("$(< $x)", True), ("`<f`", True), ("$(<f a)", False), ("$(3<f)", False)]:
        command = parse(f"x {text}").items[0][0]
        assert isinstance(command, n.Simple) and isinstance(command.words[1], n.Word)
        part = command.words[1].parts[0]
        assert isinstance(part, n.CommandSub)
        assert (part.input_file is not None) == reads
