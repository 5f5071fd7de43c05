"""TOML documents: the values are those of ``tomllib``, and each has its place."""

from __future__ import annotations

import tomllib

import pytest

from pyshellhooks.jsontext.document import JsonError
from pyshellhooks.jsontext.toml_document import read_toml

TEXTS = [
    "",
    "# a comment\n",
    'a = "x" # c\nb = 1\nc = 1.5\nd = true\ne = [1, [2, "x"], {f = "]"}]\n',
    "a.b.c = 1\na.b.d = 2\n",
    '"a b"."c.d" = 1\n\'x\' = 2\n',
    '[t]\na = 1\n[t.u]\nb = 2\n[v . "w x"]\nc = 3\n',
    "[[a]]\nx = 1\n[[a]]\nx = 2\n[[a.b]]\ny = 3\n[a.c]\nz = 4\n",
    'a = """\nx "y" \\\n   z"""\nb = \'\'\'\n it\'s \'\'\'\nc = """q""""\n',
    "a = [ # one\n  1, # two\n  2,\n]\nb = {c = 1, d = {e = 'x'}}\n",
    "a = [\r\n1\r\n]\r\n[b]\r\nc = 'x'\r\n",
    '[[hooks.PreToolUse]]\nmatcher = "Bash"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "true"\ntimeout = 5\n',
    '[hooks.state."/h/.codex/hooks.json:0"]\nenabled = false\n',
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_values_are_those_of_tomllib(text: str) -> None:
    assert read_toml(text, "f").root.plain() == tomllib.loads(text)


def test_a_date_is_a_string() -> None:
    assert read_toml("a = 1979-05-27 07:32:00\nb = 1979-05-27\n", "f").root.plain() == {
        "a": "1979-05-27 07:32:00",
        "b": "1979-05-27",
    }


def test_keys_and_values_have_their_places() -> None:
    document = read_toml('[[hooks.Stop]]\nmatcher = "x"\n[[hooks.Stop.hooks]]\n  command = "true"\n', "f")
    hooks = document.root.get("hooks")
    assert hooks is not None
    (group,) = hooks.value[0].node.value
    assert document.place(group.value[0].offset) == (2, 1)
    (handler,) = group.get("hooks").value
    assert document.place(handler.offset) == (3, 1)
    command = handler.get("command")
    assert document.place(command.offset) == (4, 13)
    assert document.text[command.offset : command.end] == '"true"'


@pytest.mark.parametrize(
    ("text", "place"),
    [("a = ", (1, 5)), ("a = 1\nb = x y\n", (2, 5)), ("a = 1\na = 2", (2, 6)), ("= 1", (1, 1)), ('a = "', (1, 6))],
)
def test_an_error_has_its_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(JsonError) as caught:
        read_toml(text, "f")
    assert caught.value.message.startswith("not TOML: ")
    lines = text[: caught.value.offset].split("\n")
    assert (len(lines), len(lines[-1]) + 1) == place


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000 + "]" * 5000, ".".join(["a"] * 5000) + " = 1", f"[{'.'.join(['a'] * 5000)}]"]
)
def test_deep_nesting_is_an_error(text: str) -> None:
    with pytest.raises(JsonError, match="nest more than 100 deep"):
        read_toml(text, "f")
