"""Which texts are dates: those that GNU date takes, and no other.

A guard may ask nothing but that (``date -d "$text" && exit 2``). The tables hold the answers of GNU coreutils 9.1 under UTC;
where that program is on this machine it is asked again.
"""

from __future__ import annotations

import re
import subprocess

import pytest

from conformance.oracles import find
from pyshellhooks.utilities.date.parse import parse_date

NOW = 1_795_815_392  # 2026-11-27 21:36:32 UTC, a Friday
DATES = [
    "-n", "-a", "-z", "+n", "n", "a", "z", "-", "--", "- n", "-- n", "-now", "- now", "1", "now -", "now - n",
    "n now", "-t", "t", "-e", "e", "--now", "now-", "(x)", "(x) now", "-(x)", "", " ", "12-", "est", "-est", "z dst",
    "@1", "-@1", "@-1", "-today", "- 1 day", "-- 1 day", "+-1 day", "0", "00", "12 next month", "monday", "-monday",
    "1 monday", "monday,", "5 jan +1 day", "jan 5, 2020", "jan 5 ,2020", "T +5 day", "1 day hence", "1 -1 day",
    "sep. 5", "sept 5", "wednes", "e.s.t", "12 p.m.", "2020-01-02T10+05", "2020-01-02 10:00 pm", "10:00 +5",
    "10:00 +5 day", "10 +5", "utc+5", "utc+24:00", "@1.5", "1.5 sec", "1,5 sec", "2020-1-2 3", "(a (b) c", "x",
    "jan-5-20", "5-jan-20", "17-jun--92", "today monday tomorrow", "days", "secs ago", "fortnights", 'TZ="UTC" now',
    'TZ="a\\"b" now',
]  # fmt: skip
NO_DATES = [
    "-1", "+1", "-5", "-j", "j", ",", "-,", "-12:00", "n-n", "dst", "-0", "next", "last", "third", "1e1", "0x1",
    "1 monday,", "5 jan 12:00", "jan 5,2020", "jan 5, monday", "T +5", "hence", "now ago", "1 day ago ago",
    "tomorrow ago", "1 -1 day ago", "sept.", "sept. 5", "d.s.t", "p.m.", "12 p.m", "12 am.", "13 pm", "0 am",
    "2020+1+1", "2020-01-02T", "2020-01-02T10", "2020-01-02T10 pm", "2020-01-02T10:00 pm", "10:00 pm +5",
    "10:00 +5 +5", "10 +25", "+5", "+5:30", "utc+24:01", "edt+5", "@1 now", "now @1", "@", "@x", "1.5 hours",
    "99999999999 days", "9223372036854775807 sec", "9223372036854775808 sec", "2020-02-30", "24:00", "23:60",
    "23:59:60", "2020010112020-1-2", "a)", "_", "now/", "10:", "1/2/", "1/2/3/4", "jan", "jan-5", "z z", "est gmt",
    "est est dst", "monday tuesday", "10:00 11:00", "2020 2021", "dayss", "decade", 'TZ="UTC now', "TZ=UTC now",
]  # fmt: skip
# GNU coreutils 9.1 at that time: a weekday counts from today, and the rest is added to it.
VALUES = [
    ("UTC0", "week monday day", 1_796_688_000),
    ("UTC0", "month thurs", 1_798_934_400),
    ("UTC0", "gmt weeks Fri. years", 1_827_878_400),
    ("UTC0", "sunday mins day", 1_795_996_860),
    ("UTC0", "24 tues month", 1_812_672_000),
    ("UTC0", "5 jan +1 day", -62_135_164_800),
    ("UTC0", "17-jun-92", 708_739_200),
    ("UTC0", "2020-01-01 z dst", 1_577_833_200),
    # A text without a date and a time stays in the winter time of now.
    ("America/New_York", "-05week", NOW - 5 * 7 * 86400),
    ("America/New_York", "t -05 weeks", NOW - 5 * 7 * 86400 + 3 * 3600),
    ("America/New_York", "2020-07-01 10:00 EST", None),
    ("America/New_York", "2020-07-01 10:00 EDT", 1_593_612_000),
    ("America/New_York", "2020-01-01 10:00 EST", 1_577_890_800),
]


@pytest.mark.parametrize("text", DATES)
def test_it_is_a_date(text: str) -> None:
    assert parse_date(text, NOW * 10**9, "UTC0") is not None


@pytest.mark.parametrize("text", NO_DATES)
def test_it_is_no_date(text: str) -> None:
    assert parse_date(text, NOW * 10**9, "UTC0") is None


@pytest.mark.parametrize(("zone", "text", "seconds"), VALUES)
def test_it_means(zone: str, text: str, seconds: int | None) -> None:
    expected = None if seconds is None else seconds * 10**9
    assert parse_date(text, NOW * 10**9, zone) == expected


@pytest.mark.slow
def test_the_tables_are_the_programs_own_answers() -> None:
    date = find("date")
    if date is None or not re.search(
        rb"coreutils\) 9\.", subprocess.run([date, "--version"], capture_output=True).stdout
    ):
        pytest.skip("no GNU date 9 here")
    taken = [subprocess.run([date, "-u", "-d", text], capture_output=True).returncode == 0 for text in DATES + NO_DATES]
    assert taken == [True] * len(DATES) + [False] * len(NO_DATES)
