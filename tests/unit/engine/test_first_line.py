"""First lines of scripts that start nothing, by execve(2) of Linux 6.1 and env of GNU coreutils 9.1; sound ones beside them."""

from __future__ import annotations

import pytest

from pyshellhooks.engine.scripts.first_line import fault

THERE = frozenset({"/bin/sh", "/bin/bash", "/usr/bin/env", "/usr/bin/python3", "/usr/bin/bash", "/w/tools/run"})
PATH = ["/usr/local/bin", "/usr/bin"]


def _fault(line: str) -> tuple[str, bool] | None:
    found = fault(line, "/w", PATH, THERE.__contains__)
    return None if found is None else (found.code, found.severity == "warning")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#!/bin/bash\r", ("crlf", False)),
        ("#!/usr/bin/env bash\r", ("crlf", False)),
        ("#!/usr/bin/env python3\r", ("crlf", False)),
        ("#! /bin/bash\r", ("crlf", False)),
        ("#!/usr/bin/env bash -e", ("interpreter", False)),
        ("#!/usr/bin/env bash -e\r", ("interpreter", False)),
        ("#!/usr/bin/env\tbash -e", ("interpreter", False)),
        ("#!bash", ("interpreter", False)),
        ("#!bin/bash", ("interpreter", False)),
        ("#!/opt/no-such/bash", ("interpreter", True)),
        ("#!/opt/no-such/env bash", ("interpreter", True)),
        ("#!/usr/bin/env zsh", ("interpreter", True)),
    ],
)
def test_a_line_that_starts_nothing(line: str, expected: tuple[str, bool]) -> None:
    assert _fault(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "#!/bin/bash",
        "#! /bin/bash",
        "#!\t/bin/bash",
        "#!/bin/bash -e",
        "#!/bin/bash -e -u",
        "#!/bin/bash -e\r",  # the interpreter starts, and refuses its option: status 2
        "#!/usr/bin/env bash",
        "#!/usr/bin/env  bash ",
        "#!/usr/bin/env -S bash -e",
        "#!/usr/bin/env -S bash -e\r",
        "#!/usr/bin/env",  # a mistake that has a name of its own
        "#!",
        "#!\r",
        "#!tools/run",
    ],
)
def test_a_line_that_starts_something(line: str) -> None:
    assert _fault(line) is None


def test_the_place_of_crlf_is_the_end_of_the_line() -> None:
    found = fault("#!/bin/sh\r", "/w", PATH, THERE.__contains__)
    assert found is not None and found.column - 1 == len("#!/bin/sh")
