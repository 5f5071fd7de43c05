"""mkfifo where no FIFO can be (conformance/cases/utilities/mkfifo.toml has the mistakes)."""

from __future__ import annotations

from utility_runs import run


def test_a_file_system_without_fifos_is_an_error() -> None:
    status, out, err = run(["mkfifo", "p"])
    assert (status, out, err) == (1, b"", b"mkfifo: cannot create fifo 'p': Operation not supported\n")


def test_an_existing_file_is_reported_first() -> None:
    assert run(["mkfifo", "f", "d/p"], files={"f": b""})[2] == (
        b"mkfifo: cannot create fifo 'f': File exists\nmkfifo: cannot create fifo 'd/p': No such file or directory\n"
    )
