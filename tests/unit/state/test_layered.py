"""A layer over a table behaves as a copy of it would, and leaves the table alone."""

from __future__ import annotations

import random

from pyshellhooks.state.variables import LARGE, Layered, Table, Var, for_job, for_subshell

NAMES = [f"n{number}" for number in range(3 * LARGE)]


def act(chance: random.Random, table: Table, model: Table) -> None:
    """Do one thing to both, and compare what they say."""
    name = chance.choice(NAMES)
    what = chance.randrange(7)
    if what < 3:
        table[name] = model[name] = f"{chance.random()}"
    elif what == 3:
        assert table.pop(name, None) == model.pop(name, None)
    elif what == 4 and name in model:
        del table[name], model[name]
    elif what == 5:
        table.update({name: "u"})
        model.update({name: "u"})
    assert table.get(name) == model.get(name)
    assert table.get(name, 5) == model.get(name, 5)
    assert (name in table) is (name in model)
    assert len(table) == len(model)


def test_layers_upon_layers_are_as_copies() -> None:
    chance = random.Random(7)
    base = {name: "base" for name in NAMES[: 2 * LARGE]}
    untouched = base.copy()
    tables = [(for_subshell(base), base.copy())]
    assert isinstance(tables[0][0], Layered)
    for turn in range(12_000):
        table, model = tables[-1]
        act(chance, table, model)
        if turn % 400 == 399:
            assert dict(table) == model and sorted(table) == sorted(model)
            tables.append((for_subshell(table), model.copy()))
            if len(tables) > 4:  # the subshells end: what is below them is as it was
                while len(tables) > chance.randrange(1, 4):
                    table, model = tables.pop()
                    assert dict(table.items()) == model
    assert base == untouched


def test_a_small_table_is_copied() -> None:
    base: Table = {"a": "1"}
    made = for_subshell(base)
    made["a"] = "2"
    assert isinstance(made, dict) and base == {"a": "1"}


def test_a_job_shares_nothing_that_can_change() -> None:
    me, job = object(), object()
    mine, everybodys = Var({0: "x"}, "a", me), Var("1", "s", None)
    base: Table = {"mine": mine, "everybodys": everybodys, "text": "t"}
    for table in (base, Layered(dict(base))):
        made = for_job(table, job)
        got = made["mine"]
        assert isinstance(got, Var) and got is not mine and got.owner is job and got.value == {0: "x"}
        assert made["everybodys"] is everybodys and made["text"] == "t"
        made["text"] = "u"
        mine.indexed()[0] = "x"
        assert table["text"] == "t" and got.value is not mine.value
