"""Dates against the real jq: moments, formats and texts by chance, in several time zones."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from jq_beside import answers

from pyshellhooks.times.zones import zone
from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions.dates import function
from pyshellhooks.utilities.jq.json.reader import read_text
from pyshellhooks.utilities.jq.json.writer import compact

pytestmark = pytest.mark.oracle

ZONES = [
    "",
    "UTC",
    ":Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kolkata",
    "Africa/Casablanca",
    "Australia/Lord_Howe",
    "Europe/Dublin",
    "EST5EDT,M3.2.0,M11.1.0",
    "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "JST-9",
    "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
    "Nowhere/At_all",
    "XXX3YYY2,J1/0,J365/25",
    "A5",
]
# Around what clocks in some of them jump over, and show twice.
CHANGES = [1711846800, 1729990800, 1710054000, 1730613600, 1712415600, 1728144000]
CONVERSIONS = "aAbBcCdDeFgGhHIjklmMnprPRsSTtuUvVwWxXyYzZ%+qNfEOiJKLQo"
READ = "aAbBcCdDeFgGhHIjklmMnprRsSTtuUVwWxXyYzZ%"


class Run:
    """A run without end in a zone."""

    def __init__(self, name: str) -> None:
        self.call = self
        self.zone = name

    def check(self) -> None: ...
    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


class Maker:
    """Dates by chance."""

    def __init__(self, seed: int, name: str = "UTC") -> None:
        self.random = random.Random(seed)
        self.zone = zone(name)

    def moment(self) -> float:
        chance = self.random
        moment = (
            chance.randrange(2 * 10**9),
            chance.randrange(-5 * 10**9, 5 * 10**9),
            chance.randrange(-(10**12), 10**12),
            round(chance.uniform(-(10**9), 2 * 10**9), chance.randrange(1, 7)),
            chance.choice((0, -1, 1, -1.5, 0.5, 1425599621.678, 1e18, -1e300, 1e11)),
        )[chance.randrange(5)]
        # What the clocks show twice glibc reads by what it read before.
        around = {self.zone.at(int(max(-1e15, min(1e15, moment))) + shift) for shift in (-14400, 0, 14400)}
        return moment if len(around) == 1 else 1700000000

    def broken_down(self, odd: bool) -> list[Any]:
        chance = self.random
        fields: list[Any] = [
            *(chance.randrange(1900, 2100), 0, chance.randrange(1, 20), chance.randrange(6, 24), chance.randrange(60)),
            *(chance.choice((chance.randrange(60), 59.75)), 3, 200, "more"),
        ]
        if odd:
            fields[0] = chance.choice((-3000, 0, 2.9, 1e10, -1e10, 1969, 2**31 - 1))
            fields[1] = chance.choice((-5, 13, 25.7, -1, 1e10, -1e10))
            fields[2] = chance.choice((-40, 400, 0, 1e9))
            fields[3] = chance.choice((-30, 99))
            fields[4] = chance.choice((-1, 70, 70.9))
            fields[5] = chance.choice((-1, 60, 61, 70.5))
            fields[6] = chance.choice((0, 9, None, "a"))
        return fields[: chance.choice((9, 8, 8, 6, 3, 1, 0))]

    def format(self) -> str:
        chance = self.random
        form = ""
        for _ in range(chance.randint(1, 3)):
            form += chance.choice(("", "", "x", " ", "é")) + "%"
            form += "".join(chance.choices("_-0^#+", k=chance.choice((0, 0, 0, 1, 2))))
            form += chance.choice(("", "", "", "1", "5", "12", "02", "110", "99999999999"))
            form += chance.choice(("", "", "", "", "E", "O")) + chance.choice(CONVERSIONS)
        return form + chance.choice(("", "", "", "%", "%5", "\0%Y", "%é"))

    def changed(self, text: str) -> str:
        chance = self.random
        at = chance.randrange(len(text) + 1)
        return chance.choice(
            (
                *(text, text, text, text[:at] + text[at:].swapcase(), text + " tail", text + "x", "\t" + text),
                text[:at] + chance.choice(("0", "9", " ", "-", "", "Mon", "\0")) + text[at + 1 :],
            )
        )


def _answer(name: str, arguments: list[Any], run: Any) -> str:
    try:
        return compact(run, function.functions[name].run(run, *arguments))
    except JqError as error:
        return compact(run, error.value)


def _check(name: str, cases: list[list[Any]], where: str) -> None:
    run: Any = Run(where)
    call, arity = name.split("/")
    program = f". as [$v, $f] | $v | try {call}{'($f)' if arity == '1' else ''} catch ."
    inputs = [json.dumps(case).replace("NaN", "nan") for case in cases]
    wrong = []
    for text, line in zip(inputs, answers(program, inputs, where), strict=True):
        values: Any = read_text(run, text)
        ours = _answer(name, values[: 1 + int(arity)], run)
        if json.loads(ours) != json.loads(line):
            wrong.append(f"{text}: ours {ours}, jq {line}")
    assert not wrong, f"TZ={where!r} {name}: {len(wrong)} of {len(cases)} differ\n" + "\n".join(wrong[:20])


@pytest.mark.parametrize("where", ZONES)
def test_moments(where: str) -> None:
    maker = Maker(1, where)
    moments: list[list[Any]] = [[maker.moment(), ""] for _ in range(300)]
    moments += [[value, ""] for value in ("x", None, [], {}, True, float("nan"))]
    moments += [[change + shift, ""] for change in CHANGES for shift in (-3601, -1, 0, 1799, 3600, 7200)]
    _check("localtime/0", moments, where)
    if where in ZONES[:3]:
        for name in ("gmtime/0", "todate/0", "todateiso8601/0"):
            _check(name, moments, where)


def test_broken_down_times() -> None:
    maker = Maker(2)
    times: list[list[Any]] = [[maker.broken_down(odd), ""] for odd in (True, False) for _ in range(400)]
    times += [[value, ""] for value in (1, "x", None, {}, [1969, 11, 31, 23, 59, 59], [1969, 11, 31, 23, 59, 58])]
    _check("mktime/0", times, "UTC")


@pytest.mark.parametrize("where", ZONES)
def test_written_times(where: str) -> None:
    maker = Maker(3, where)
    moments = [maker.moment() if count % 2 else maker.broken_down(False) for count in range(400)]
    cases = [[moment, maker.format()] for moment in moments]
    cases += [["x", "%Y"], [None, "%Y"], [[], 1], [1, None], [[], ""], ["x", 1], [[1, None], "%Y"], [1e300, 1]]
    cases += [[0, form] for form in ("%Z" * 60, "x" * 200, "%c" * 30, "%100Y", "%103Y", "%_104Y", "%105n", "%-110d")]
    _check("strflocaltime/1", cases, where)
    # Times that C has no number for keep their fields; only %Z and %s then tell of the zone.
    cases += [[maker.broken_down(True), maker.format().replace("Z", "Y").replace("s", "S")] for _ in range(200)]
    _check("strftime/1", cases, where)


def test_times_that_clocks_show_twice_or_never() -> None:
    for where in ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "EST5EDT,M3.2.0,M11.1.0"):
        for change in CHANGES:
            for shift in (-1800, 0, 1800):
                wall = zone(where).at(change)[0] + change + shift
                run: Any = Run(where)
                time = function.functions["gmtime/0"].run(run, wall)
                _check("strflocaltime/1", [[time, "%c %Z %z %s"]], where)


def test_read_times() -> None:
    maker = Maker(4)
    run: Any = Run("UTC")
    cases: list[list[Any]] = []
    while len(cases) < 3000:
        chosen = maker.random.choices(READ, k=maker.random.randint(1, 5))
        between = maker.random.choice((" ", "-", ":", "", ", "))
        written = _answer(
            "strftime/1", [maker.random.randrange(-(10**10), 10**11), between.join(f"%{c}" for c in chosen)], run
        )
        form = between.join(f"%{maker.random.choice(('', '', '', '', '', 'E', 'O'))}{c}" for c in chosen)
        cases.append([maker.changed(json.loads(written)), form])
    cases += [["x", 1], [1, "x"], ["a\0b", "a"], ["a\0b", "a\0c"], ["é", "é"], ["x y", "x"], ["x\u00a0y", "x"]]
    for week in ("2023 0 1", "2023 53 6", "2024 0 3", "2024 53 6", "2024 0 0", "1999 52 6"):
        cases += [[week, "%Y %U %w"], [week, "%Y %W %w"], [week + " 5", "%Y %U %w %d"]]
    cases += [
        ["2023 366", "%Y %j"],
        ["2024 366", "%Y %j"],
        ["100 7", "%j %d"],
        ["FriSat", "%a"],
        ["2024 Fri", "%EY %a"],
    ]
    cases += [
        ["Fridayfri", "%a%a"],
        ["PM 12", "%p %I"],
        ["20 5", "%C %d"],
        ["+05:30x", "%z"],
        ["+0560", "%z"],
        ["Z", "%z"],
    ]
    _check("strptime/1", cases, "Europe/Berlin")


def test_dates_of_iso_8601() -> None:
    maker = Maker(5)
    texts = ["2015-03-05T23:51:47Z", "2015-3-5T1:1:1Z", " 2015-03-05T23:51:47Z", "2015-03-05T23:51:47.123Z"]
    texts += ["0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "2015-02-31T24:00:00Z", "1969-12-31T23:59:59Z"]
    cases: list[list[Any]] = [[maker.changed(maker.random.choice(texts)), ""] for _ in range(400)]
    cases += [[text, ""] for text in texts] + [[1, ""], [None, ""], [[], ""]]
    for name in ("fromdate/0", "fromdateiso8601/0"):
        _check(name, cases, "UTC")
