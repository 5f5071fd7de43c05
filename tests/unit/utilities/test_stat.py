"""stat on file systems that are no disk (conformance/cases/utilities/stat.toml has the rest)."""

from __future__ import annotations

from utility_runs import run

from pyshellhooks.fs.memory import MemoryFS


def test_files_in_memory_have_blocks_and_one_owner() -> None:
    status, out, err = run(["stat", "-c", "%s %b %B %o %a %F %h %U %r %t", "f"], files={"f": b"x" * 1500})
    assert (status, out, err) == (0, b"1500 4 512 4096 666 regular file 1 user 0 0\n", b"")


def test_the_default_format_is_whole() -> None:
    status, out, _ = run(["stat", "f"], files={"f": b"abc"})
    assert status == 0
    lines = out.decode().split("\n")
    assert lines[:2] == ["  File: f", "  Size: 3         \tBlocks: 2          IO Block: 4096   regular file"]
    assert [line.partition(":")[0].strip() for line in lines] == [
        *("File", "Size", "Device", "Access", "Access", "Modify", "Change", "Birth", ""),
    ]


def test_a_file_system_in_memory_has_no_information() -> None:
    status, out, err = run(["stat", "-f", "f"], files={"f": b""})
    assert (status, out) == (1, b"")
    assert err == b"stat: cannot read file system information for 'f': Operation not supported\n"


def test_links_are_shown_and_followed() -> None:
    fs = MemoryFS({"/w/f": b"abc"})
    fs.symlink("f", "/w/l")
    assert run(["stat", "-c", "%N %s %F", "l"], fs=fs)[1] == b"'l' -> 'f' 1 symbolic link\n"
    assert run(["stat", "-L", "-c", "%N %s %F", "l"], fs=fs)[1] == b"'l' 3 regular file\n"


def test_names_that_are_not_utf8() -> None:
    name = b"\xff".decode("utf-8", "surrogateescape")
    assert run(["stat", "-c", "%n", name], files={name: b""})[1] == b"\xff\n"


def test_the_birth_of_a_file_is_unknown_in_memory() -> None:
    assert run(["stat", "-c", "%w %W", "f"], files={"f": b""})[1] == b"- 0\n"


def test_standard_input_may_be_a_pipe() -> None:
    assert run(["stat", "-c", "%F %n", "-"], stdin=b"x")[1] == b"fifo -\n"


def test_widths_are_bounded() -> None:
    status, out, _ = run(["stat", "-c", "%99999999999n|%.99999999999Y", "f"], files={"f": b""})
    assert status == 0
    assert len(out) < 200_000
