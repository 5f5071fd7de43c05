"""``HOST:PATH``: a directory of the host, and where scripts see it."""

from __future__ import annotations

import os

import pytest

from pyshellhooks.cli.arguments import host_and_path


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (".:/work", (".", "/work")),
        ("a:b:/work", ("a:b", "/work")),
        ("docs", ("docs", "")),
        ("docs:work", ("docs:work", "")),
        (":/work", ("", "/work")),
    ],
)
def test_a_directory_and_its_place(text: str, read: tuple[str, str]) -> None:
    assert host_and_path(text) == read


@pytest.mark.skipif(os.name != "nt", reason="drives of Windows")
@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r"C:\work:/x", ("C:\\work", "/x")),
        ("C:/work:/x", ("C:/work", "/x")),
        ("C:/work", ("C:/work", "")),
        (r"C:\work", ("C:\\work", "")),
    ],
)
def test_a_drive_is_no_directory(text: str, read: tuple[str, str]) -> None:
    assert host_and_path(text) == read
