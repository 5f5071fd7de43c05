"""Dates: answers of jq 1.8.2 on Linux, where the zones are written in POSIX's notation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions.dates import function
from pyshellhooks.utilities.jq.json.reader import read_text
from pyshellhooks.utilities.jq.json.writer import compact

BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"
NEW_YORK = "EST5EDT,M3.2.0,M11.1.0"


class Run:
    """A run without end in a zone."""

    def __init__(self, zone: str | None) -> None:
        self.call = self
        self.zone = zone

    def check(self) -> None: ...
    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


# Zone, builtin, input, argument, what jq answers.
ANSWERS: list[tuple[str, str, str, Any, str]] = [
    ("UTC", "gmtime", "1425599621", None, "[2015,2,5,23,53,41,4,63]"),
    ("UTC", "gmtime", "1425599621.678", None, "[2015,2,5,23,53,41.67799997329712,4,63]"),
    ("UTC", "gmtime", "-1.5", None, "[1969,11,31,23,59,59.5,3,364]"),
    ("UTC", "gmtime", "1e300", None, '{"error":"error converting number of seconds since epoch to datetime"}'),
    ("UTC", "gmtime", '"x"', None, '{"error":"gmtime() requires numeric inputs"}'),
    (BERLIN, "localtime", "1425599621", None, "[2015,2,6,0,53,41,5,64]"),
    (NEW_YORK, "localtime", "1425599621.25", None, "[2015,2,5,18,53,41.25,4,63]"),
    ("JST-9", "localtime", "0", None, "[1970,0,1,9,0,0,4,0]"),
    ("<-03>3", "localtime", "0", None, "[1969,11,31,21,0,0,3,364]"),
    (BERLIN, "localtime", "null", None, '{"error":"localtime() requires numeric inputs"}'),
    ("UTC", "mktime", "[2015,2,5,23,51,47,4,63]", None, "1425599507"),
    ("UTC", "mktime", "[2024,13,-5,30,70,61.9]", None, "1737961861"),
    ("UTC", "mktime", "[2024]", None, "1703980800"),
    ("UTC", "mktime", "[]", None, "-2209075200"),
    ("UTC", "mktime", "[1969,11,31,23,59,59]", None, '{"error":"invalid gmtime representation"}'),
    ("UTC", "mktime", '["a"]', None, '{"error":"mktime requires parsed datetime inputs"}'),
    ("UTC", "mktime", "1", None, '{"error":"mktime requires array inputs"}'),
    ("UTC", "mktime", '[2015,2,5,23,51,47,4,63,"rest"]', None, "1425599507"),
    ("UTC", "mktime", "[1e10,1e10]", None, '{"error":"invalid gmtime representation"}'),
    ("UTC", "strftime", "1425599621", "%A, %B %d, %Y", '"Thursday, March 05, 2015"'),
    (
        "UTC",
        "strftime",
        "1425599621",
        "%c|%D|%F|%T|%r|%R|%x|%X",
        '"Thu Mar  5 23:53:41 2015|03/05/15|2015-03-05|23:53:41|11:53:41 PM|23:53|03/05/15|23:53:41"',
    ),
    (
        "UTC",
        "strftime",
        "1425599621",
        "%a%b%h%e%k%l%I%p%P%j%U%V%W%G%g%u%w%y%C%n%t%%",
        '"ThuMarMar 5231111PMpm064091009201515441520\\n\\t%"',
    ),
    ("UTC", "strftime", "[2024,1,29,12,0,0]", "%s %Z %z", '"1709208000 GMT +0000"'),
    (
        "UTC",
        "strftime",
        "1425599621",
        "%-d %_m %05H %^a %#Z %10Y %-3j %E% %q %",
        '"5  3 00023 THU gmt 0000002015  64 % %q %"',
    ),
    ("UTC", "strftime", "1", "%p%%", '"AM%"'),
    ("UTC", "strftime", "1", "", '""'),
    ("UTC", "strftime", "0", "%200Y", '{"error":"strftime/1: unknown system failure"}'),
    ("UTC", "strftime", '"x"', "%Y", '{"error":"strftime/1 requires parsed datetime inputs"}'),
    ("UTC", "strftime", "0", 1, '{"error":"strftime/1 requires a string format"}'),
    ("UTC", "strftime", "[null]", "%Y", '{"error":"strftime/1 requires parsed datetime inputs"}'),
    ("UTC", "strftime", "-62198755200.5", "%Y %G %C %y", '"-1 -2 -1 99"'),
    (BERLIN, "strflocaltime", "1720000000", "%c %Z %z %s", '"Wed Jul  3 11:46:40 2024 CEST +0200 1720000000"'),
    (NEW_YORK, "strflocaltime", "1720000000", "%H:%M %Z", '"05:46 EDT"'),
    (BERLIN, "strflocaltime", "[2024,2,31,2,30]", "%c %Z", '"Sun Mar 31 03:30:00 2024 CEST"'),
    (BERLIN, "strflocaltime", "[2024,9,27,2,30]", "%c %Z", '"Sun Oct 27 02:30:00 2024 CET"'),
    (BERLIN, "strflocaltime", "{}", "%c", '{"error":"strflocaltime/1 requires parsed datetime inputs"}'),
    (BERLIN, "strftime", "1720000000", "%H:%M %Z %s", '"09:46 GMT 1719996400"'),
    ("UTC", "strptime", '"2015-03-05T23:51:47Z"', "%Y-%m-%dT%H:%M:%SZ", "[2015,2,5,23,51,47,4,63]"),
    ("UTC", "strptime", '"Thu, 05 Mar 2015 23:51:47 +0100"', "%a, %d %b %Y %H:%M:%S %z", "[2015,2,5,23,51,47,4,63]"),
    ("UTC", "strptime", '"10:20 PM rest of it"', "%I:%M %p", '[1900,0,0,22,20,0,8,367," rest of it"]'),
    ("UTC", "strptime", '"2015 064"', "%Y %j", "[2015,2,5,0,0,0,4,63]"),
    ("UTC", "strptime", '"2015 W 9 4"', "%Y W %W %u", "[2015,2,5,0,0,0,4,63]"),
    ("UTC", "strptime", '"15-3-5"', "%y-%m-%d", "[2015,2,5,0,0,0,4,63]"),
    ("UTC", "strptime", '"20 15"', "%C %y", "[2015,0,0,0,0,0,3,-1]"),
    ("UTC", "strptime", '"2015-03-05x"', "%F", '{"error":"date \\"2015-03-05x\\" does not match format \\"%F\\""}'),
    ("UTC", "strptime", '"nope"', "%Y", '{"error":"date \\"nope\\" does not match format \\"%Y\\""}'),
    ("UTC", "strptime", "1", "%Y", '{"error":"strptime/1 requires string inputs and arguments"}'),
    (BERLIN, "strptime", '"1720000000"', "%s", "[2024,6,3,11,46,40,3,184]"),
    ("UTC", "strptime", '"2015-02-31"', "%F", "[2015,1,31,0,0,0,2,61]"),
    ("UTC", "strptime", '"12 05"', "%Om %Od", '{"error":"date \\"12 05\\" does not match format \\"%Om %Od\\""}'),
    ("UTC", "strptime", '"12:30 CET"', "%R %Z", "[1900,0,0,12,30,0,8,367]"),
    ("UTC", "fromdate", '"2015-03-05T23:51:47Z"', None, "1425599507"),
    ("UTC", "fromdateiso8601", '"1969-12-31T23:59:59Z"', None, '{"error":"invalid gmtime representation"}'),
    (
        "UTC",
        "fromdate",
        '"2015-03-05"',
        None,
        '{"error":"date \\"2015-03-05\\" does not match format \\"%Y-%m-%dT%H:%M:%SZ\\""}',
    ),
    ("UTC", "fromdate", "1", None, '{"error":"strptime/1 requires string inputs and arguments"}'),
    ("UTC", "todate", "1425599621", None, '"2015-03-05T23:53:41Z"'),
    ("UTC", "todateiso8601", "1425599621.678", None, '"2015-03-05T23:53:41Z"'),
    ("UTC", "todate", '"x"', None, '{"error":"strftime/1 requires parsed datetime inputs"}'),
    ("UTC", "todate", "-1", None, '"1969-12-31T23:59:59Z"'),
    ("UTC", "todate", "1e12", None, '"33658-09-27T01:46:40Z"'),
]


@pytest.mark.parametrize(("zone", "name", "value", "argument", "answer"), ANSWERS)
def test_answers(zone: str, name: str, value: str, argument: Any, answer: str) -> None:
    run: Any = Run(zone)
    arguments = [] if argument is None else [argument]
    try:
        ours = function.functions[f"{name}/{len(arguments)}"].run(run, read_text(run, value), *arguments)
    except JqError as error:
        ours = {"error": error.value}
    assert json.loads(compact(run, ours)) == json.loads(answer)


def test_now_is_the_clock_in_microseconds() -> None:
    from time import time

    run: Any = Run("UTC")
    before = time()
    now = function.functions["now/0"].run(run, None)
    assert before - 0.001 <= now <= time() + 0.001
    assert abs(now * 1e6 - round(now * 1e6)) < 0.5


def test_the_zone_is_that_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "JST-9")
    run: Any = Run("")
    assert function.functions["localtime/0"].run(run, 0)[:4] == [1970, 0, 1, 0]


def test_without_a_zone_it_is_the_machine_s() -> None:
    from time import localtime

    run: Any = Run(None)
    assert function.functions["localtime/0"].run(run, 1425599621)[3] == localtime(1425599621).tm_hour
