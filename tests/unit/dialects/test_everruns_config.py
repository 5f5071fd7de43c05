"""Everruns' configurations: shapes, detection, limits, layers, bundles, lists from Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shapes_of_all import SHAPES

from pyshellhooks import dialects
from pyshellhooks.dialects.everruns import config, layers, matching
from pyshellhooks.engine import HookEngine, RecordedExecutor, check
from pyshellhooks.errors import ConfigError
from pyshellhooks.hooks.dialect import HostContext, Loaded
from pyshellhooks.hooks.model import Origin


def hook(**fields: Any) -> dict[str, Any]:
    return {"event": "pre_tool_use", "executor": {"type": "bash", "command": "x"}, **fields}


def engine(source: Any, **options: Any) -> HookEngine:
    return HookEngine.load(source, "everruns", executor=RecordedExecutor(), **options)


def ids(source: Any, **options: Any) -> list[str]:
    return [spec.id for spec in engine(source, **options).specs]


def messages(source: Any, **options: Any) -> str:
    return "\n".join(map(str, engine(source, **options).diagnostics))


@pytest.mark.parametrize(("system", "root"), SHAPES)
def test_no_other_system_is_taken_for_it_nor_it_for_another(system: str, root: dict[str, Any]) -> None:
    assert config.recognises(root) is (system == "everruns")
    if system == "everruns":
        found = dialects.detect("x.json", root)
        assert found is not None and found.name == "everruns"


@pytest.mark.parametrize("root", [{}, {"capabilities": []}, {"capabilities": ["x"]}, {"hooks": None}, {"hooks": [5]}])
def test_texts_of_no_known_shape_are_not_taken(root: dict[str, Any]) -> None:
    assert not config.recognises(root)


@pytest.mark.parametrize("file", ["/w/.agents/hooks.json", "C:\\u\\yolop\\hooks.json"])
def test_the_pair_is_known_by_its_names(file: str) -> None:
    found = dialects.detect(file, {})
    assert found is not None and found.name == "everruns"


def test_places() -> None:
    place = HostContext("/w/a", env={}, home="/home/u", worktree="/w")
    found = [(file.path, file.scope) for file in dialects.get("everruns").places(place)]
    assert found == [
        ("/home/u/.config/yolop/hooks.json", "user"),
        ("/w/.agents/hooks.json", "project"),
        ("/w/a/.agents/hooks.json", "project"),
    ]
    place = HostContext("C:/w", env={"APPDATA": "C:\\u\\R"}, home="C:/u", windows=True)
    assert dialects.get("everruns").places(place)[0].path == "C:/u/R/yolop/hooks.json"


def test_lists_and_mappings_from_python() -> None:
    assert ids([hook(id="a"), hook()]) == ["user:a", "user:pre_tool_use_1"]
    assert ids({"hooks": [hook(id="a")]}) == ["user:a"]
    assert ids([{"hooks": [hook(id="a")]}, {"hooks": [hook(id="b")], "disabled": ["a"]}]) == ["user:b"]
    engine = HookEngine.load([hook()], executor=RecordedExecutor())
    assert engine.dialect.name == "everruns"


def test_a_path_beside_a_mapping(tmp_path: Path) -> None:
    file = tmp_path / "hooks.json"
    file.write_text(json.dumps({"hooks": [hook(id="file")]}))
    assert ids([str(file), {"hooks": [hook(id="given")]}]) == ["user:file", "user:given"]


def test_sixty_four_hooks_and_no_more() -> None:
    assert len(ids({"hooks": [hook()] * 64})) == 64
    with pytest.raises(ConfigError, match="65 hooks; at most 64"):
        engine({"hooks": [hook()] * 64 + [5]})  # the count is checked before the hooks


def test_the_size_of_a_configuration() -> None:
    def sized(size: int) -> dict[str, Any]:
        whole = {"hooks": [], "x": ""}
        return {**whole, "x": "é" * ((size - len(json.dumps(whole, separators=(",", ":")))) // 2)}

    assert "unknown field" in messages(sized(262_144))
    with pytest.raises(ConfigError, match="at most 262144 are accepted"):
        engine(sized(262_146))


def test_sizes_of_commands_and_matchers() -> None:
    fits = hook(executor={"type": "bash", "command": "x" * 16_384}, matcher={"tool_name": "y" * 2048})
    assert messages([fits]) == ""
    assert "at most 16384" in messages([hook(executor={"type": "bash", "command": "x" * 16_385})])
    for key in ("tool_name", "tool_name_glob", "args_jsonpath", "match_regex", "deny_regex"):
        assert f"matcher.{key} has more than 2048 bytes" in messages([hook(matcher={key: "y" * 2047 + "é"})])


def test_variables_that_cannot_be() -> None:
    executor = {"type": "bash", "command": "x", "env": {"": "1", "A=B": "1", "N": "a\0b", "OK": "1"}}
    made = engine([hook(executor=executor)])
    assert made.specs[0].env == {"OK": "1"} and len(made.diagnostics) == 3


def test_a_repeated_capability() -> None:
    one = {"ref": "user_hooks", "config": {"hooks": [hook(id="a")], "disabled_contributions": ["user:b"]}}
    two = {"ref": "user_hooks", "config": {"hooks": [hook(id="b")]}}
    made = engine({"capabilities": [one, two]})
    assert [spec.id for spec in made.specs] == ["user:b"] and "duplicate user_hooks" in str(made.diagnostics[0])
    assert len(made.fire("pre_tool_use").hooks) == 1


def test_mistakes_in_an_agent_document() -> None:
    said = messages(
        {
            "hooks": [],
            "capabilities": [5, {"ref": "pack", "user_hooks": []}, {"ref": "user_hooks", "confg": {}}],
        }
    )
    for part in (
        '"hooks" beside capabilities is ignored',
        "capabilities[0]: ref must be a string",
        '"user_hooks" of a capability is ignored',
        'unknown field "confg"',
    ):
        assert part in said
    texts = ('{"capabilities": {}}', '{"capabilities": [{"ref": "user_hooks", "config": []}]}')
    for text in texts:
        with pytest.raises(ConfigError, match=r"must be an (array|object), not"):
            engine(text)


def test_bundles_of_wrong_kinds() -> None:
    wrong: tuple[tuple[Any, str], ...]
    wrong = ((["x"], "must be a mapping"), ({"p": "x"}, "must be an array"), ({"p": {1, 2}}, "not a JSON value"))
    for bundles, message in wrong:
        with pytest.raises(ConfigError, match=message):
            engine({"hooks": []}, settings={"bundles": bundles})
    texts = messages({"hooks": []}, settings={"bundles": {"p": [hook(event="nope")]}})
    assert 'bundle p:1:20: warning: user_hooks.hooks[0]: unknown event "nope"' in texts


def test_strict_turns_doubts_into_errors_but_not_oddities() -> None:
    muted = {"disabled_contributions": ["pack:x"]}
    assert "no hook has the id" in messages(muted, strict=True)
    with pytest.raises(ConfigError, match="never fires"):
        engine([hook(matcher={"deny_regex": "x"})], strict=True)
    with pytest.raises(ConfigError, match="declarative form"):
        engine({"definition": {}}, strict=True)
    assert check([hook(matcher={"deny_regex": "x"})], "everruns").errors == []


def test_a_missing_file_is_no_malformed_one(tmp_path: Path) -> None:
    file = tmp_path / "hooks.json"
    file.write_text(json.dumps({"hooks": [hook()]}))
    with pytest.raises(ConfigError, match="No such file"):
        engine([str(file), str(tmp_path / "none.json")])


def test_both_files_of_the_pair_malformed_is_an_error() -> None:
    parts = []
    for scope in ("user", "project"):
        parts.append(dialects.get("everruns").load("{", Origin(f"{scope}.json", scope)))
    whole = layers.combine(parts)
    assert len(whole.errors) == 2 and isinstance(whole, Loaded)


@pytest.mark.parametrize(
    ("text", "path"),
    [("$.a.b", ("a", "b")), ("a", ("a",)), ("$.", ()), ("$", ("$",)), ("$.$.a", ("$", "a")), ("", ())],
)
def test_paths(text: str, path: tuple[str, ...]) -> None:
    assert matching.path_of(text) == path


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("*", ("*",)),
        (" bash* | edit_file ", ("bash*", "edit_file")),
        ("a||b", ("a", "b")),
        ("", ()),
        ("bash**", None),
        ("a*b", None),
        ("[ab]*", None),
        ("a?", None),
        ("{a}", None),
    ],
)
def test_globs(text: str, found: tuple[str, ...] | None) -> None:
    assert matching.alternatives(text) == found
