"""What the parser makes of programs: nodes, patterns, imports, and its bounds."""

from __future__ import annotations

import pytest

from pyshellhooks.errors import Stop
from pyshellhooks.utilities.jq.compiler.compiler import compile_program, define
from pyshellhooks.utilities.jq.compiler.constants import NOT_CONSTANT, constant
from pyshellhooks.utilities.jq.compiler.scopes import Scope
from pyshellhooks.utilities.jq.errors import CompileError
from pyshellhooks.utilities.jq.parser.lexer import Number, tokens, utf8_as_latin1
from pyshellhooks.utilities.jq.parser.syntax import Builder, Node, Pattern, parse, parse_module, parse_program
from pyshellhooks.utilities.jq.parser.syntax_errors import Mistaken
from tests.generators import jq_tables

LONG = 5000
FRAMES = 300

ROOT = Scope(None, "", None, 0)


def spell(node: Node | Pattern | None) -> str:
    """Write a tree in one line."""
    if node is None:
        return "-"
    if isinstance(node, Pattern):
        if node.kind == "variable":
            return node.name
        if node.kind == "array":
            return f"[{' '.join(map(spell, node.elements))}]"
        return "{" + " ".join(f"{spell(key)}:{name or ''}:{spell(part)}" for key, name, part in node.entries) + "}"
    inner = " ".join(map(spell, node.parts))
    if node.kind == "literal":
        return f"{node.value}" if isinstance(node.value, Number) else repr(node.value)
    if node.kind in ("bind", "reduce", "foreach"):
        assert isinstance(node.value, tuple)
        return f"{node.kind}({' ?// '.join(map(spell, node.value))} {inner})"
    if node.kind == "def":
        assert isinstance(node.value, tuple)
        name, parameters = node.value
        return f"def({' '.join((name, *parameters))}: {inner})"
    value = "" if node.value is None or node.value is False else f"{node.value} "
    return f"{node.kind}({value}{inner})".replace(" )", ")").replace("()", "")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (".", "identity"),
        ("..", "recurse"),
        (".a", "index(identity 'a')"),
        (".a?", "index(True identity 'a')"),
        (".a??", "try(index(True identity 'a') -)"),
        ('.a."b"?', "index(True index(identity 'a') 'b')"),
        ('."a"."b"', "index(index(identity 'a') 'b')"),
        (".a.[0][]?", "each(True index(index(identity 'a') 0))"),
        (".[1:]", "slice(identity 1 -)"),
        (".[:2]?", "slice(True identity - 2)"),
        (".[1:2]", "slice(identity 1 2)"),
        ("..[0]", "index(recurse 0)"),
        ('"a\\(1)"', "string(text 'a' 1 '')"),
        ('"\\("a")"', "string(text '' 'a' '')"),
        ('@json "x\\(.)y"', "string(json 'x' identity 'y')"),
        ('@json "x"', "'x'"),
        ("@json", "format(json)"),
        ('"\\u00e9\\n\\ud83d\\ude00\\udc00é"', "'é\\n😀\ufffdé'"),
        ("1e1000", "1e1000"),
        (".5", ".5"),
        ("null, true, false", "comma(comma(None True) False)"),
        ("true(1)", "call(true 1)"),
        ("a::b(1; .)", "call(a::b 1 identity)"),
        ("$a::b", "variable($a::b)"),
        ("$end", "variable($end)"),
        ("$__loc__", "location(1)"),
        ("1 |\n$__loc__", "pipe(1 location(2))"),
        ("- .a * 2", "binary(* negate(index(identity 'a')) 2)"),
        ("1 - -2", "binary(- 1 negate(2))"),
        ("1 + 2 * 3 - 4", "binary(- binary(+ 1 binary(* 2 3)) 4)"),
        ("1 // 2 // 3", "binary(// 1 binary(// 2 3))"),
        ("1 // 2 = 3", "binary(// 1 binary(= 2 3))"),
        ("1 or 2 and 3 == 4", "binary(or 1 binary(and 2 binary(== 3 4)))"),
        ("1, 2 | 3, 4", "pipe(comma(1 2) comma(3 4))"),
        ("1 | 2 | 3", "pipe(1 pipe(2 3))"),
        ("1 as $x | 2 as $y | 3", "bind($x 1 bind($y 2 3))"),
        ("1, 2 as $x | 3, 4", "comma(1 bind($x 2 comma(3 4)))"),
        ("1 + 2 as $x | 3", "bind($x binary(+ 1 2) 3)"),
        ("[1, 2]", "array(comma(1 2))"),
        ("[]", "array"),
        ("{}", "object"),
        ("{a: 1 | 2, b: 3,}", "object('a' pipe(1 2) 'b' 3)"),
        ('{a, "b", $c, if, $__loc__}', "object('a' index(identity 'a') 'b' index(identity 'b') 'c' variable($c)"
         " 'if' index(identity 'if') '__loc__' location(1))"),
        ('{"a\\(1)"}', "object(string(text 'a' 1 '') -)"),
        ('{(1, 2 | .): 3, @text "x": 4, $k: 5}', "object(pipe(comma(1 2) identity) 3 'x' 4 variable($k) 5)"),
        ("if 1 then 2 end", "if(1 2 -)"),
        ("if 1 then 2 elif 3 then 4 else 5 end", "if(1 2 if(3 4 5))"),
        ("if 1 then 2 elif 3 then 4 end.a", "index(if(1 2 if(3 4 -)) 'a')"),
        ("try 1 catch 2 // 3", "binary(// try(1 2) 3)"),
        ("try -1", "try(negate(1) -)"),
        ("try try 1 catch 2", "try(try(1 2) -)"),
        ("reduce 1 + 2 as $x (3; 4) | 5", "pipe(reduce($x binary(+ 1 2) 3 4) 5)"),
        ("foreach .[] as [$x] (1; 2)", "foreach([$x] each(identity) 1 2 -)"),
        ("foreach .[] as {a: $x} (1; 2; 3)", "foreach({'a'::$x} each(identity) 1 2 3)"),
        ("label $x | break $x, 1", "label($x comma(break($x) 1))"),
        ("def f: 1; def g($a; b): f; g(1; 2)", "def(f: 1 def(g $a b: call(f) call(g 1 2)))"),
        ("1 + (def f: 2; f)", "binary(+ 1 def(f: 2 call(f)))"),
        ('. as [$a, {$b, c: $d, "e": [$f], ($g): {if: $h}, $i: [$j]}] ?// $k | 1',
         "bind([$a {'b':$b:- 'c'::$d 'e'::[$f] variable($g)::{'if'::$h} 'i':$i:[$j]}] ?// $k identity 1)"),
        ("1 # 2\n# 3 \\\n4\n+ 5 # 6 \\\\\n+ 7", "binary(+ binary(+ 1 5) 7)"),
        ("\t1\r\n|\r\n2", "pipe(1 2)"),
    ],
)  # fmt: skip
def test_trees(text: str, tree: str) -> None:
    assert spell(parse(text)) == tree


def test_places() -> None:
    text = '"é" | foo(1; $x) | break $y'
    places = {node.kind: node.at for node in parse(text).walk() if node.at >= 0}
    assert places == {"call": 7, "variable": 14, "break": 20}


def test_nodes_in_patterns_are_walked() -> None:
    found = [node.value for node in parse(". as {(foo): [$x]} | bar").walk() if node.kind == "call"]
    assert sorted(map(str, found)) == ["bar", "foo"]


def test_imports() -> None:
    text = 'module {a: [1, "b"]}; import "m" as m {search: "./x"}; import "d" as $d; include "i"; 1'
    program = parse_program(text)
    assert program.meta == {"a": [1, "b"]}
    assert [(i.path, i.name, i.is_data, i.meta) for i in program.imports] == [
        ("m", "m", False, {"search": "./x"}),
        ("d", "d", True, {}),
        ("i", None, False, {}),
    ]
    assert spell(program.body) == "1"


def test_modules() -> None:
    module = parse_module("def f: 1; def g(a): 2;", "/m.jq")
    assert [spell(node) for node in module.definitions] == ["def(f: 1 -)", "def(g a: 2 -)"]
    assert (module.meta, module.imports, module.body) == (None, (), None)
    assert parse_module("", "/m.jq").definitions == ()


def test_mistakes_of_modules_name_the_file() -> None:
    with pytest.raises(Mistaken) as caught:
        parse_module("def f: 1;\n )", "/m.jq")
    assert caught.value.messages == [
        "jq: error: syntax error, unexpected INVALID_CHARACTER, expecting end of file at /m.jq, line 2, column 2:\n"
        "     )\n     ^"
    ]
    with pytest.raises(CompileError, match="library should only have function definitions, not a main expression"):
        parse_module("1", "/m.jq")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0", 1.0),
        ('"a" + "b"', "ab"),
        ("[1, [2], {a: 3}]", [1, [2], {"a": 3}]),
        ("[1, (2, 3)]", NOT_CONSTANT),
        ("1, 2", NOT_CONSTANT),
        (". | 1 | .", 1),
        ("1 | 2", NOT_CONSTANT),
        ("1 / 0", NOT_CONSTANT),
        ("-1", NOT_CONSTANT),
        (".", NOT_CONSTANT),
        ("$__loc__", {"file": "f", "line": 1}),
        ("def f: .; 2", 2),
        ("{a: .}", NOT_CONSTANT),
        ("{(1 | .): 2}", NOT_CONSTANT),
        ("[]", []),
        ("{}", {}),
        ("1 == 1.0", True),
        ("not", NOT_CONSTANT),
    ],
)
def test_constants(text: str, value: object) -> None:
    node = parse(text) if "{(" not in text else Node("object", (Node("literal", (), Number("1")), Node("identity")))
    assert constant(node, Builder(text, "f", None)) == value


def deeply(text: str, frames: int = FRAMES) -> Node:
    """Parse where the stack is deep already."""
    return parse(text) if frames == 0 else deeply(text, frames - 1)


@pytest.mark.parametrize(
    "text",
    [
        *(operator.join(["1"] * LONG) for operator in ("|", ",", "+", "//", " and ")),
        ".a" * LONG,
        "." + "[0]" * LONG,
        "." + "?" * LONG,
        "." + "[]" * LONG,
        "if 1 then 2 " + "elif 3 then 4 " * 1900 + "end",
        "1 as $x | " * 1900 + "1",
        "def f: 1; " * 4900 + "1",
        "label $x | " * 2400 + "1",
        "[" + "1," * LONG + "1]",
        "{" + "a:1," * 2400 + "}",
        "f(" + "1;" * LONG + "1)",
        '"' + "\\(1)" * LONG + '"',
        ". as [" + "$a," * LONG + "$b] | 1",
        "(" * LONG + "1" + ")" * LONG,
    ],
    ids=lambda text: text[:12],
)
def test_chains_have_no_end(text: str) -> None:
    assert deeply(text)


@pytest.mark.parametrize(
    ("opener", "inside", "closer"),
    [
        ("[", "1", "]"),
        ("{a:", "1", "}"),
        ("-", "1", ""),
        ("if 1 then ", "1", " end"),
        ("if ", "1", " then 1 end"),
        ('"\\(', "1", ')"'),
        ("def f: ", "1", "; 1"),
        ("f(", "1", ")"),
        (".[", "1", "]"),
        ("try (", "1", ") catch 1"),
        ("reduce ", "1", " as $x (1; 1)"),
        ("1 + (", "1", ")"),
    ],
)
def test_nesting_ends_where_the_compiler_ends(opener: str, inside: str, closer: str) -> None:
    """The parser has a stack of its own; the compiler takes some frames of Python's for each level."""
    text = opener * 1000 + inside + closer * 1000
    node = deeply(text)
    if opener == "def f: ":  # nobody calls it
        return
    with pytest.raises(Stop, match="nested too deeply"):
        compile_program(node, define(ROOT, "f", ("g",), parse("g")))
    assert compile_program(deeply(opener * 100 + inside + closer * 100), define(ROOT, "f", ("g",), parse("g")))


def test_patterns_nest_as_deep() -> None:
    assert compile_program(deeply(". as " + "[" * 110 + "$x" + "]" * 110 + "| 1"), ROOT)


def test_texts_have_an_end() -> None:
    with pytest.raises(Stop, match="longer than 524288 characters"):
        parse("1" + " " * (1 << 19))


def test_jq_has_a_bound_of_its_own() -> None:
    with pytest.raises(CompileError, match="memory exhausted"):
        parse("1 as $x | " * LONG + "1")


def test_mistakes_are_found_where_the_stack_is_deep() -> None:
    with pytest.raises(CompileError, match="unexpected end of file"):
        deeply("[" * 90 + "1")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"\udcff\udcc3"', "\ufffd\ufffd"),
        ('"\udced\udca0\udc80"', "\ufffd"),
        ('"a\ud800b"', "a\ufffdb"),
        ('"é\0"', "é\0"),
    ],
)
def test_texts_that_are_no_utf8(text: str, value: str) -> None:
    assert parse(text).value == value


def test_tokens_count_bytes() -> None:
    assert tokens(utf8_as_latin1('"é" .a')) == [
        ("QQSTRING_START", '"', 0),
        ("QQSTRING_TEXT", "é".encode().decode("latin-1"), 1),
        ("QQSTRING_END", '"', 3),
        ("FIELD", ".a", 5),
        ("EOF", "", 7),
    ]


def test_the_tables_are_made_of_the_grammar() -> None:
    assert jq_tables.TABLES.read_text(encoding="ascii") == jq_tables.spell(), "run python -m tests.generators.jq_tables"
