"""The one rule for what JSON can't say (the table in ``jsontext.from_python``)."""

from __future__ import annotations

import json
from array import array
from collections import OrderedDict, UserDict, deque, namedtuple
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Annotated, Any
from uuid import UUID

import pytest
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    RootModel,
    Secret,
    SecretBytes,
    SecretStr,
    computed_field,
    field_serializer,
    model_serializer,
)

from pyshellhooks.jsontext.compact import is_json, validate
from pyshellhooks.jsontext.from_python import to_json


class Colour(Enum):
    RED = "red"
    PATH = PurePosixPath("/a")


class Number(IntEnum):
    ONE = 1


class Word(StrEnum):
    RED = "red"


class OldWord(str, Enum):  # noqa: UP042
    RED = "red"


Pair = namedtuple("Pair", "left right")


@dataclass
class Data:
    name: str = "n"
    more: Any = None
    items: list[Any] = field(default_factory=list)


class Base(BaseModel):
    text: str = "t"


class Derived(Base):
    calls: list[int] = [1]


class Holder(BaseModel):
    messages: list[Base]
    when: datetime = datetime(2026, 1, 2, tzinfo=UTC)


class Plain:
    def __init__(self, **held: Any) -> None:
        self.__dict__.update(held)


class TextObject:
    __slots__ = ()

    def __str__(self) -> str:
        return "said"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Colour.RED, "red"),
        (Colour.PATH, "/a"),
        (Number.ONE, 1),
        (Word.RED, "red"),
        (OldWord.RED, "red"),
        (Base(), {"text": "t"}),
        (Holder(messages=[Derived()]), {"messages": [{"text": "t", "calls": [1]}], "when": "2026-01-02T00:00:00Z"}),
        (Data("x", Data()), {"name": "x", "more": {"name": "n", "more": None, "items": []}, "items": []}),
        (Pair(1, {2}), {"left": 1, "right": [2]}),
        ((1, "a", None), [1, "a", None]),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset(["b", "a"]), ["a", "b"]),
        (deque([1]), [1]),
        (range(2), [0, 1]),
        ({"a": 1}.values(), [1]),
        ({"a": 1}.keys(), ["a"]),
        (array("i", [1, 2]), [1, 2]),
        (UserDict(a=1), {"a": 1}),
        (OrderedDict(a=Colour.RED), {"a": "red"}),
        (MappingProxyType({"a": (1,)}), {"a": [1]}),
        ({1: "a", None: 2, False: 3}, {"1": "a", "null": 2, "false": 3}),
        ({Colour.RED: 1, (1, 2): 2, b"k": 3, 1.5: 4}, {"red": 1, "(1, 2)": 2, "k": 3, "1.5": 4}),
        (PurePosixPath("/a/b"), "/a/b"),
        (datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2026-01-02T03:04:00+00:00"),
        (date(2026, 1, 2), "2026-01-02"),
        (time(3, 4), "03:04:00"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Decimal("1.50"), "1.50"),
        (Fraction(1, 3), "1/3"),
        (b"abc", "abc"),
        (bytearray("é".encode()), "é"),
        (memoryview(b"x"), "x"),
        (ValueError("no"), "ValueError: no"),
        (Plain(role="user", _hidden=1, content=[Plain(text="x")]), {"role": "user", "content": [{"text": "x"}]}),
        (TextObject(), "said"),
        (Base, f"<class '{__name__}.Base'>"),
        ("a\ud800", "a\ud800"),
        ({"n": 10**400}, {"n": 10**400}),
        (1e308, 1e308),
        ([[[()]]], [[[[]]]]),
        ("�".encode(), "�"),
    ],
)
def test_nothing_is_lost(value: Any, expected: Any) -> None:
    found, losses, faults = to_json(value, "f")
    assert (json.loads(found) if isinstance(value, dict) or found != expected else found) == expected
    assert (losses, faults) == ([], [])


def test_values_that_json_can_express_are_unchanged() -> None:
    for value in (None, True, 1, 1.5, "x", {"a": [1, {"b": None}]}, [], {}, -(10**300)):
        assert is_json(value)
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    for value in (float("nan"), (1,), {1: 2}, {"a": {1}}, 10**400, Word.RED, {"a": Number.ONE}, deep):
        assert not is_json(value)


@pytest.mark.parametrize(
    ("value", "expected", "said"),
    [
        ({"x": [1, float("nan")]}, {"x": [1, None]}, "f.x[1] is nan: hooks see null"),
        (float("-inf"), None, "f is -inf: hooks see null"),
        ({"b": b"\xff\xfe"}, {"b": "��"}, "f.b is not UTF-8: hooks see U+FFFD"),
        ({1: "a", "1": "b"}, {"1": "b"}, "f.1 occurs twice: the keys are equal in JSON"),
    ],
)
def test_losses_are_reported(value: Any, expected: Any, said: str) -> None:
    found, losses, faults = to_json(value, "f")
    assert (json.loads(found) if isinstance(found, str) else found) == expected
    assert losses == [f'field "f" holds values that JSON can\'t express: {said}; use values that JSON has']
    assert not faults


@pytest.mark.parametrize(
    ("number", "more"), [(1, ""), (2, ""), (3, ""), (4, "; and 1 more"), (5, "; and 2 more"), (100, "; and 97 more")]
)
@pytest.mark.parametrize("fault", [False, True])
def test_many_losses_are_one_notice_that_names_three(number: int, more: str, fault: bool) -> None:
    value: Any = Raises() if fault else float("nan")
    _, losses, faults = to_json([value] * number, "f")
    (notice,) = faults if fault else losses
    shown = [f"f[{place}] " in notice for place in range(number)]
    assert shown == [place < 3 for place in range(number)]
    assert notice.endswith(f"{more}; use values that JSON has") and ("more;" in notice) is bool(more)


def test_an_iterator_is_left_to_its_owner() -> None:
    iterator = iter([1, 2])
    found, losses, faults = to_json({"x": iterator}, "f")
    assert "list_iterator" in found and "f.x can be read only once" in faults[0] and not losses
    assert list(iterator) == [1, 2]


async def later() -> None: ...


async def several() -> Any:
    yield 1


class Waits:
    def __await__(self) -> Any:
        return iter(())


@pytest.mark.parametrize("make", [lambda: (x for x in "ab"), lambda: map(str, "ab"), several, later, Waits])
def test_values_that_can_be_read_only_once_are_a_fault(make: Any) -> None:
    value = make()
    _, _, faults = to_json([value], "f")
    assert "f[0] can be read only once" in faults[0]
    if hasattr(value, "close"):
        value.close()


# -- values that a class hides or rewrites reach hooks as the object holds them (docs/threat-model.md)


class Excluded(BaseModel):
    command: str = Field(exclude=True)


class OneIsExcluded(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str = "n"
    command: str = Field(default="rm", exclude=True)


class Serialized(BaseModel):
    command: str

    @field_serializer("command")
    def cut(self, value: str) -> str:
        return value[:1]


class WhenSerialized(BaseModel):
    when: datetime

    @field_serializer("when")
    def hide(self, value: datetime) -> str:
        return "never"


class SerializedWhole(BaseModel):
    command: str

    @model_serializer
    def cut(self) -> dict[str, str]:
        return {}


class ShortenedByType(BaseModel):
    command: Annotated[str, PlainSerializer(lambda value: "")]


class WithSecrets(BaseModel):
    command: SecretStr
    more: list[SecretBytes] = []
    other: Secret[int] = Secret(1)


class Computed(BaseModel):
    program: str

    @computed_field  # type: ignore[prop-decorator]
    @property
    def command(self) -> str:
        return f"{self.program} x"


class Root(RootModel[list[SecretStr]]):
    pass


class Dumps:
    """A class of no framework that hides a field of itself."""

    def __init__(self) -> None:
        self.command = "rm"

    def model_dump(self, **options: Any) -> dict[str, str]:
        return {}


class Slots:
    __slots__ = ("_more", "command")

    def __init__(self) -> None:
        self.command, self._more = "rm", 1


class OfSlots(Slots):
    def __init__(self) -> None:
        super().__init__()
        self.name = "n"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (SecretStr("rm"), "rm"),
        (SecretBytes(b"rm"), "rm"),
        (WithSecrets(command=SecretStr("rm"), more=[SecretBytes(b"x")]), {"command": "rm", "more": ["x"], "other": 1}),
        (Excluded(command="rm"), {"command": "rm"}),
        (OneIsExcluded(also="x"), {"name": "n", "command": "rm", "also": "x"}),
        (Serialized(command="rm"), {"command": "rm"}),
        (WhenSerialized(when=datetime(2026, 1, 2, tzinfo=UTC)), {"when": "2026-01-02T00:00:00Z"}),
        (SerializedWhole(command="rm"), {"command": "rm"}),
        (ShortenedByType(command="rm"), {"command": "rm"}),
        (Computed(program="rm"), {"program": "rm", "command": "rm x"}),
        (Root([SecretStr("rm")]), ["rm"]),
        ({"steps": [Excluded(command="rm")]}, {"steps": [{"command": "rm"}]}),
        (Data("x", Excluded(command="rm")), {"name": "x", "more": {"command": "rm"}, "items": []}),
        (Dumps(), {"command": "rm"}),
        (Slots(), {"command": "rm"}),
        (OfSlots(), {"command": "rm", "name": "n"}),
    ],
)
def test_fields_that_a_class_hides_are_reported(value: Any, expected: Any) -> None:
    found, losses, faults = to_json(value, "f")
    assert (json.loads(found) if isinstance(found, str) and found[0] in "{[" else found) == expected
    assert (losses, faults) == ([], [])


def test_an_object_that_shows_nothing_is_a_fault() -> None:
    _, _, faults = to_json({"x": Plain(_command="rm")}, "f")
    assert "f.x has no readable content" in faults[0]
    assert to_json({"x": object()}, "f")[2] == []


def test_cycles_are_cut_and_repeated_values_are_not() -> None:
    shared = [1]
    value: dict[str, Any] = {"a": shared, "b": shared}
    value["me"] = {"again": value}
    found, (notice,), _ = to_json(value, "f")
    assert json.loads(found) == {"a": [1], "b": [1], "me": {"again": "(itself)"}}
    assert "f.me.again contains itself" in notice
    node = Plain(name="n")
    node.parent = node  # type: ignore[attr-defined]
    assert json.loads(to_json(node, "f")[0]) == {"name": "n", "parent": "(itself)"}


@pytest.mark.slow
@pytest.mark.parametrize("make", [lambda inner: [inner], lambda inner: {"a": inner}, lambda inner: Plain(x=inner)])
def test_no_depth_is_too_deep(make: Any) -> None:
    value: Any = "end"
    for _ in range(20_000):
        value = make(value)
    found, losses, faults = to_json(value, "f")
    validate(found)
    assert '"end"' in found and (losses, faults) == ([], [])


def test_a_huge_int_takes_no_time() -> None:
    assert to_json(10**100_000, "f")[0] == hex(10**100_000)
    assert to_json({"n": 10**4000}, "f")[0] == f'{{"n":1{"0" * 4000}}}'


def test_half_a_program_is_cut_off_with_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyshellhooks.jsontext.from_python._MOST", 3)
    found, _, (fault,) = to_json([[1, 2], [3, 4]], "f")
    validate(found)
    assert "comes after 3 values; hooks see null from here on" in fault


class Raises:
    """Everything that a value can be asked raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError("str")

    __repr__ = __str__


class RaisingModel:
    def model_dump(self, **options: Any) -> Any:
        raise ValueError("no")


class RaisingMapping(UserDict[str, Any]):
    def __iter__(self) -> Any:
        raise KeyError("no")


class RaisingKey:
    def __str__(self) -> str:
        raise ValueError("no")


def test_a_value_that_raises_is_a_fault_and_does_not_raise() -> None:
    for value in (Raises(), RaisingMapping(a=1), {"x": Raises()}, {RaisingKey(): 1}, {"y": RaisingMapping()}):
        found, _, faults = to_json(value, "f")
        assert len(faults) == 1 and "can't be read" in faults[0] and "Rais" in str(found)


def test_a_model_that_can_not_dump_itself_has_attributes() -> None:
    class Model(RaisingModel):
        def __init__(self) -> None:
            self.command = "x"

    assert to_json(Model(), "f")[0] == '{"command":"x"}'
