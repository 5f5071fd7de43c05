"""A path below the working directory is shown relative to it."""

from __future__ import annotations

import pytest

from pyshellhooks import host

# The working directory, a path, and how it is shown.
PATHS = [
    ("/w/app", "/w/app/x.json", "x.json"),
    ("/w/app", "/w/app/.crush/x.json:3:1", ".crush/x.json:3:1"),
    ("/w/app", "/w/app-old/x.json", "/w/app-old/x.json"),
    ("/w/app", "/w/app.json", "/w/app.json"),
    ("/w/app", "/w/app2/app/x.json", "/w/app2/app/x.json"),
    ("/w/app", "/w/app", "/w/app"),
    ("/w/app", "/w/x.json", "/w/x.json"),
    ("/w/app", "/v/w/app/x.json", "/v/w/app/x.json"),
    ("/w/app", "x.json", "x.json"),
    ("/w/app/", "/w/app/x.json", "x.json"),
    ("/w/app/", "/w/app-old/x.json", "/w/app-old/x.json"),
    ("/", "/x.json", "x.json"),
    ("/", "/w/x.json", "w/x.json"),
]


@pytest.mark.parametrize(("directory", "path", "shown"), PATHS)
def test_only_paths_in_the_working_directory_are_shown_relative(
    directory: str, path: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = host.current()
    monkeypatch.setattr(type(here), "getcwd", lambda self: directory)
    assert here.relative(path) == shown


def test_without_a_working_directory_the_whole_path_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(self: object) -> str:
        raise FileNotFoundError

    here = host.current()
    monkeypatch.setattr(type(here), "getcwd", gone)
    assert here.relative("/w/app/x.json") == "/w/app/x.json"
