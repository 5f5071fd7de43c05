"""What a run came to, in words: ``ok``, ``text``, and the report for a model, cut on request."""

from __future__ import annotations

import pytest

from pyshellhooks import Limits, Shell
from pyshellhooks.shell.result import cut

SHELL = Shell.sandbox(limits=Limits(output=5000))

# A script, and its report.
REPORTS = [
    ("echo hi", True, "hi\n"),
    (":", True, "[no output]\n"),
    ("printf hi", True, "hi"),
    ("exit 3", False, "[exit status 3]\n"),
    ("printf hi; exit 3", False, "hi\n[exit status 3]\n"),
    ("echo out; echo err >&2", True, "out\n[stderr]\nerr\n"),
    ("printf out; printf err >&2; false", False, "out\n[stderr]\nerr\n[exit status 1]\n"),
    ("kill -9 $$", False, "[ended by signal 9]\n"),
    ("kill -9 $$ || :; echo $?", False, "[ended by signal 9]\n"),
    ("sleep 100", False, "[stopped by the timeout]\n"),
    # The reason ``refused`` is a word of this library; the detail alone is the message.
    (
        "jq -n '\"a\"|test(\"'$(printf '(%.0s' {1..3000})x$(printf ')%.0s' {1..3000})'\")'",
        False,
        "[stopped: a regular expression nests too deeply]\n",
    ),
    ("printf '\\377a'", True, "\ufffda"),
    ("while :; do echo y; done", False, None),
]


@pytest.mark.parametrize(("script", "ok", "report"), REPORTS, ids=[row[0] for row in REPORTS])
def test_reports(script: str, ok: bool, report: str | None) -> None:
    result = SHELL.run(script, timeout=0.5 if "sleep" in script else 30)
    assert result.ok is ok and result.text == result.stdout.decode("utf-8", "replace")
    if report is None:
        assert result.report().endswith("y\n[stopped by a limit: stdout is larger than 5000 bytes]\n")
    else:
        assert result.report() == report


def test_cut_reports_how_much_is_left_out_and_cuts_at_lines() -> None:
    text = "".join(f"{number}\n" for number in range(1, 1000))
    shown = cut(text, 300)
    head, marker, tail = (
        shown.partition("[... ")[0],
        shown.partition("[... ")[2].partition(" ")[0],
        shown.partition("...]\n")[2],
    )
    assert len(shown) <= 300 and text.startswith(head) and text.endswith(tail)
    assert len(head) > 75 and len(tail) > 75 and head.endswith("\n")
    assert text[len(text) - len(tail) - 1] == "\n"
    assert int(marker) == len(text) - len(head) - len(tail)


@pytest.mark.parametrize(
    "text", ["x" * 1000, "ü€😀" * 400, "\n" * 1000, "a\n" + "x" * 5000 + "\nb", "x" * 150 + "\n" + "y" * 900]
)
@pytest.mark.parametrize("most", [200, 201, 333, 999])
def test_cut_is_never_longer_and_loses_nothing_else(text: str, most: int) -> None:
    shown = cut(text, most)
    assert len(shown) <= most
    head, found, rest = shown.partition("[... ")
    assert found
    number, _, tail = rest.partition(" characters left out ...]\n")
    head = head if text.startswith(head) else head.removesuffix("\n")
    assert text.startswith(head) and text.endswith(tail) and len(head) + int(number) + len(tail) == len(text)


def test_outputs_that_fit_are_whole() -> None:
    assert cut("x" * 200, 200) == "x" * 200
    assert cut("x" * 10**6, None) == "x" * 10**6


@pytest.mark.parametrize("most", [199, 0, -1])
def test_too_little_is_an_error(most: int) -> None:
    with pytest.raises(ValueError, match="at least 200 characters"):
        SHELL.run("echo hi").report(most)


def test_only_the_report_is_cut() -> None:
    result = SHELL.run('x=$(seq 500); echo ${#x}; echo "$x" | wc -l; echo "$x"; echo e >&2; exit 4')
    report = result.report(200)
    assert report.startswith("1891\n500\n1\n") and report.endswith("[stderr]\ne\n[exit status 4]\n")
    assert len(result.stdout) > 1891
