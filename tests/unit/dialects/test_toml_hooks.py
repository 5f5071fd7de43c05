"""The reader of TOML files whose hooks are flat entries, by a system that only this test has."""

from __future__ import annotations

from typing import ClassVar

import pytest

from pyshellhooks.dialects.grouped_events.matcher import ToolWords
from pyshellhooks.dialects.grouped_events.relative import HandlerForm
from pyshellhooks.dialects.grouped_events.rows import GroupedEvent, needed
from pyshellhooks.dialects.matchers import compile_js
from pyshellhooks.dialects.toml_hooks import TomlHooksLoader
from pyshellhooks.hooks.dialect import Field, Loaded
from pyshellhooks.hooks.model import Origin, Pattern
from pyshellhooks.jsontext.document import Member

_ROWS = (GroupedEvent("before", fields=(needed("tool_name"),), subject="tool_name"), GroupedEvent("after"))


class _Loader(TomlHooksLoader):
    title = "Sample"
    rows: ClassVar = {row.native: row for row in _ROWS}
    handlers: ClassVar = HandlerForm(
        {"command": ("command",)},
        (Field("timeout", kind="integer", default=30),),
        skipped={},
        ignored={},
        timeout=30.0,
        flat=("type", "match"),
    )
    tool_words: ClassVar = ToolWords("Sample", {"shell": ("sh",)}, ())

    def compile_matcher(self, text: str, event: str) -> Pattern:
        return compile_js(text)

    def setting(self, member: Member) -> None:
        self.loaded.settings[member.key] = member.offset


def _load(text: str) -> Loaded:
    return _Loader(text, Origin("hooks.toml"), frozenset(), _Loader.rows).load()


def test_an_entry_becomes_a_hook_with_its_place() -> None:
    loaded = _load('x = 1\n[[hooks]]\ntype = "before"\nmatch = "^sh$"\ncommand = "exit 2"\ntimeout = 5\n')
    assert loaded.diagnostics == []
    [spec] = loaded.specs
    assert (spec.event, spec.matcher, spec.command, spec.timeout) == ("before", "^sh$", "exit 2", 5.0)
    assert spec.pattern is not None and spec.pattern.search("sh") and not spec.pattern.search("shell")
    assert repr(spec.origin) == "hooks.toml:2:1"
    assert loaded.settings == {"x": 0}


def test_entries_keep_their_order_and_their_defaults() -> None:
    loaded = _load('hooks = [{type = "after", command = "a"}, {type = "before", command = "b"}]')
    assert [(spec.event, spec.command, spec.pattern, spec.timeout) for spec in loaded.specs] == [
        ("after", "a", None, 30.0),
        ("before", "b", None, 30.0),
    ]


_GOOD = '[[hooks]]\ntype = "before"\ncommand = "good"\n'


@pytest.mark.parametrize(
    ("entry", "code", "lost"),
    [
        ('type = "befor"\ncommand = "c"', "unknown-event", [("before", "c")]),
        ('type = "nothing like it"\ncommand = "c"', "unknown-event", []),
        ('command = "c"', "missing-key", []),
        ('type = 1\ncommand = "c"', "wrong-type", []),
        ('type = "before"', "missing-key", [("before", "")]),
        ('type = "before"\ncommand = " "', "missing-key", [("before", " ")]),
        ('type = "before"\ncommand = ["c"]', "wrong-type", [("before", "")]),
        ('type = "before"\ncommand = "c"\nmatch = "a["', "matcher-invalid", [("before", "c")]),
        ('type = "before"\ncommand = "c"\nmatch = 1', "wrong-type", [("before", "c")]),
    ],
)
def test_a_mistake_turns_off_its_own_hook(entry: str, code: str, lost: list[tuple[str, str]]) -> None:
    loaded = _load(f"[[hooks]]\n{entry}\n{_GOOD}")
    assert [spec.command for spec in loaded.specs] == ["good"]
    assert [diagnostic.code for diagnostic in loaded.refused] == [code]
    assert not loaded.errors
    assert [(spec.event, spec.command) for spec, _, _ in loaded.lost] == lost


def test_an_unknown_key_is_a_warning() -> None:
    loaded = _load(_GOOD + "timout = 1\n")
    assert [(one.code, one.line, one.hint) for one in loaded.diagnostics] == [
        ("unknown-key", 4, 'did you mean "timeout"?')
    ]
    assert len(loaded.specs) == 1


def test_a_matcher_on_an_event_without_a_subject_is_ignored() -> None:
    loaded = _load('[[hooks]]\ntype = "after"\nmatch = "sh"\ncommand = "c"\n')
    assert [one.code for one in loaded.diagnostics] == ["no-effect"]
    assert loaded.specs[0].pattern is None


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("[hooks]\n", "wrong-type", (1, 2)),
        ('hooks = "x"\n', "wrong-type", (1, 9)),
        ("x = \n", "config-syntax", (1, 5)),
    ],
)
def test_a_file_without_entries_does_not_load(text: str, code: str, place: tuple[int, int]) -> None:
    loaded = _load(text)
    assert [(one.code, (one.line, one.column)) for one in loaded.errors] == [(code, place)]
    assert not loaded.specs
