"""Builtins that are functions of values against the real jq: every value of a table with every other.

One process of jq goes through all combinations; the same functions are called here directly, without the evaluator.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from jq_beside import need_jq

from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions import (
    arrays,
    containment,
    conversion,
    indices,
    objects,
    paths,
    strings,
)
from pyshellhooks.utilities.jq.json.reader import read_text
from pyshellhooks.utilities.jq.json.writer import compact

FUNCTIONS = {
    name: declared.run
    for family in (arrays, containment, conversion, indices, objects, paths, strings)
    for name, declared in family.function.functions.items()
}


class QuietRun:
    """A run without end."""

    def check(self) -> None: ...
    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


RUN: Any = QuietRun()

# JSON texts of what is read; the order says nothing.
READ = r"""
null true false 0 -0 1 -1 2 -2 3 5 65 0.5 -0.5 1.5 -1.5 2.7 1e3 1.0 1.10 -1.10 100000000000000000001
9007199254740993 1e1000 -1e1000 4294967297 -4294967297 1e-400 0.1 0.10000000000000000001
"" "a" "b" "ab" "aba" "ababab" "aaaa" "aa" "A" "aBcÉé" "é" "日本語日本" "日本" "😀" "😀a😀" "\u0000" "a\u0000b"
"\u0000b" "\t\n a b\u000b" "\u00a0\u2003x\u3000\u0085" "\u200bx\u001c" "null" "1" "1.10" "-1" "+.5" "1e1000" "1 " "nan"
"true" "[1,[2]]" "{\"a\":1}" "a, b, a" ", " "key" "\"\\\u007f"
"a text that is longer than thirty bytes" "ab日本語日本語日本語日本語日本語"
[] [1] [2,1] [1,2,3,1,2] [1,2] [null] [[]] [[1,2],[3]] [[1],null,[2,3,[4]]] [1,[2,[3,[4]]]] ["a","b"] ["b","a"]
["a",null,1,true] ["ab","b",["ab"]] [{"a":1},{"a":2},{"b":[1]}] [{"a":1}] [97,233,128512,0] [55296,1114112,-1,97.5]
["a",1] [false,null,true] [1.0,1,1.00,true] [3,1.5,-1,1e1000] [[0],[1]] [["a"],["a","b"]] [[0,"a"],[1]]
[{"start":0,"end":1}] [[1,2],"ab"] [[1],{}] [0,[]] [{"key":"k","value":1},{"name":"n","value":null},{"Key":"K","Value":2}]
[{"Name":"N","value":false},{"key":false,"Name":"x","Value":4}] [{"key":null}] [{"key":1}] [{"value":1},1] [[["a"]]]
{} {"a":1} {"b":2,"a":1} {"a":{"b":[1,2]},"c":"x"} {"a":{"b":[1]}} {"a":"xy","b":null} {"a":"x"} {"a":null} {"b":[1,2],"a":[3]}
{"key":"k"} {"x":{"key":"k","value":1}} {"é":1,"日":2,"😀":3,"\uffff":4,"":5}
{"start":0,"end":2} {"start":-2,"end":null} {"start":null,"end":-1} {"start":0.5,"end":1.5} {"start":"a","end":1} {"start":1}
{"start":1,"end":-1e1000} {"start":5,"end":2} {"start":-1e10,"end":1e10}
"""
# What only a program makes.
MADE = {
    "nan": float("nan"),
    "infinite": float("inf"),
    "-infinite": float("-inf"),
    "(1 - 1 | -.)": -0.0,
    "(1 / 3)": 1 / 3,
    "(1 + 1)": 2.0,
    "([nan, 1])": [float("nan"), 1],
    '({start: nan, end: nan})': {"start": float("nan"), "end": float("nan")},
    "(9007199254740992 + 0)": 9007199254740992.0,
}  # fmt: skip
PATHS = r"""
[] ["a"] ["b"] ["c"] ["a","b"] ["a","b",0] [0] [1] [2] [-1] [-9] [1.7] [-0.5] [0,"a"] [1,1] [1,0,1] [null] [true] [[1]] [[1],0]
[{"start":0,"end":1}] [{"start":1,"end":null}] [{"start":-1,"end":null}] [{"start":1,"end":1}] [{"start":0,"end":2},0]
[{"start":1,"end":null},{"start":0,"end":1}] [{"start":0,"end":1},"a"] [{}] [{"start":"a","end":null}] null "a" 0 {"a":1}
[40] ["a",{"start":0,"end":1}]
"""
NEW = "null 1 [] [7,8,9]"


def _values(texts: str) -> list[Any]:
    decoder, found, at = json.JSONDecoder(), [], 0
    while (at := at + len(texts[at:]) - len(texts[at:].lstrip())) < len(texts):
        end = decoder.raw_decode(texts, at)[1]
        found.append(read_text(RUN, texts[at:end]))
        at = end
    return found


def _oracle(program: str, texts: str, extra: str = "") -> Iterator[str]:
    command = [need_jq(), "-c", "-s", f"(. + [{extra}]) as $t | {program}"]
    result = subprocess.run(command, input=texts.encode(), capture_output=True, check=True)
    assert not result.stderr
    return iter(result.stdout.decode().split("\n")[:-1])


def _answer(function: Callable[..., Any], *arguments: Any) -> str:
    try:
        return compact(RUN, [function(RUN, *arguments)])
    except JqError as error:
        return compact(RUN, ["error", error.value])


def _compare(name: str, ours: Iterator[tuple[str, str]], theirs: Iterator[str]) -> int:
    """Compare line by line; tell the first differences."""
    wrong, count = [], 0
    for line in theirs:
        count += 1
        what, answer = next(ours)
        if answer != line:
            wrong.append(f"{what}: ours {answer}, jq {line}")
    assert next(ours, None) is None
    assert not wrong, f"{name}: {len(wrong)} of {count} differ:\n" + "\n".join(wrong[:20])
    return count


UNARY = sorted(name[:-2] for name in FUNCTIONS if name.endswith("/0"))
BINARY = sorted(name[:-2] for name in FUNCTIONS if name.endswith("/1"))


@pytest.mark.oracle
def test_functions_of_the_input() -> None:
    values = _values(READ) + list(MADE.values())
    calls = ",".join(f'(try [$v | {name}] catch ["error", .])' for name in UNARY)
    theirs = _oracle(f"$t[] as $v | {calls}", READ, ",".join(MADE))
    ours = (
        (f"{compact(RUN, value)} | {name}", _answer(FUNCTIONS[name + "/0"], value))
        for value in values
        for name in UNARY
    )
    assert _compare("unary", ours, theirs) > 3000


@pytest.mark.oracle
@pytest.mark.parametrize("name", [*BINARY, "."])
def test_functions_of_two_values(name: str) -> None:
    values = others = _values(READ) + list(MADE.values())
    function = paths.index if name == "." else FUNCTIONS[name + "/1"]
    call = "$v[$w]" if name == "." else f"$v | {name}($w)"
    only = ""
    if name.endswith("by_impl"):  # which takes arrays only
        others = [value for value in values if type(value) is list]
        only = " | arrays"
    theirs = _oracle(f'$t[] as $v | $t[]{only} as $w | try [{call}] catch ["error", .]', READ, ",".join(MADE))
    ours = (
        (f"{compact(RUN, value)} | {name}({compact(RUN, other)})", _answer(function, value, other))
        for value, other in product(values, others)
    )
    assert _compare(name, ours, theirs) > 4_000


@pytest.mark.oracle
def test_setpath() -> None:
    values, keys, news = _values(READ), _values(PATHS), _values(NEW)
    keys.append([float("nan")])
    program = f"""([{",".join(PATHS.split())}] + [[nan]]) as $paths | [{",".join(NEW.split())}] as $news
      | $t[] as $v | $paths[] as $p | $news[] as $n | try [$v | setpath($p; $n)] catch ["error", .]"""
    ours = (
        (f"{compact(RUN, value)} | setpath({compact(RUN, path)}; {compact(RUN, new)})", _answer(paths.setpath, value, path, new))
        for value, path, new in product(values, keys, news)
    )  # fmt: skip
    assert _compare("setpath", ours, _oracle(program, READ)) > 10_000


@pytest.mark.one_in(3, slow=3)
@pytest.mark.oracle
def test_delpaths() -> None:
    values, keys = [value for value in _values(READ) if type(value) in (list, dict)], _values(PATHS)
    keys.append([float("nan")])
    program = f"""([{",".join(PATHS.split())}] + [[nan]]) as $paths
      | $t[] | iterables as $v | $paths[] as $p | $paths[] as $q | try [$v | delpaths([$p, $q])] catch ["error", .]"""
    ours = (
        (f"{compact(RUN, value)} | delpaths([{compact(RUN, p)},{compact(RUN, q)}])", _answer(paths.delpaths, value, [p, q]))
        for value, p, q in product(values, keys, keys)
    )  # fmt: skip
    assert _compare("delpaths", ours, _oracle(program, READ)) > 20_000


@pytest.mark.oracle
def test_tostream() -> None:
    values = _values(READ) + list(MADE.values())
    ours = ((compact(RUN, value), compact(RUN, list(paths.events(RUN, value)))) for value in values)
    assert _compare("tostream", ours, _oracle("$t[] | [tostream]", READ, ",".join(MADE))) > 100
