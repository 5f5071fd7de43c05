"""Where crush.json is looked for, and in which order files merge (crush 1.1)."""

from __future__ import annotations

import pytest

from pyshellhooks.dialects.crush import Crush
from pyshellhooks.hooks.dialect import HostContext


def paths(place: HostContext, *, scope: str = "", supported: bool = True) -> list[str]:
    return [
        file.path
        for file in Crush().places(place)
        if file.supported is supported and (not scope or file.scope == scope)
    ]


def test_the_order_from_system_to_workspace() -> None:
    place = HostContext("/w/p/sub", env={}, home="/home/u", worktree="/w/p")
    assert paths(place) == [
        "/etc/crush/crush.json",
        "/home/u/.config/crush/crush.json",
        "/home/u/.local/share/crush/crush.json",
        "/w/p/crush.json",
        "/w/p/.crush.json",
        "/w/p/sub/crush.json",
        "/w/p/sub/.crush.json",
        "/w/p/sub/.crush/crush.json",
    ]
    assert paths(place, supported=False) == [
        "/home/u/.config/crush/crushrc",
        "/w/p/crushrc",
        "/w/p/.crushrc",
        "/w/p/sub/crushrc",
        "/w/p/sub/.crushrc",
    ]


@pytest.mark.parametrize(
    ("env", "user"),
    [
        ({"CRUSH_GLOBAL_CONFIG": "/g"}, ["/g/crush.json", "/h/.local/share/crush/crush.json"]),
        ({"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"}, ["/c/crush/crush.json", "/d/crush/crush.json"]),
        (
            {"CRUSH_GLOBAL_CONFIG": "/g", "XDG_CONFIG_HOME": "/c", "CRUSH_GLOBAL_DATA": "/x"},
            ["/g/crush.json", "/x/crush.json"],
        ),
    ],
)
def test_variables_move_the_users_files(env: dict[str, str], user: list[str]) -> None:
    assert paths(HostContext("/w", env=env, home="/h"), scope="user") == user


def test_outside_a_worktree_only_the_working_directory_counts() -> None:
    assert paths(HostContext("/a/b", env={}, home="/h"), scope="project") == [
        "/a/b/crush.json",
        "/a/b/.crush.json",
        "/a/b/.crush/crush.json",
    ]


def test_the_workspace_is_the_nearest_that_exists() -> None:
    place = HostContext("/w/a/b", env={}, home="/h", worktree="/w", exists={"/w/.crush", "/w/a/.crush"}.__contains__)
    assert paths(place)[-1] == "/w/a/.crush/crush.json"


def test_windows() -> None:
    place = HostContext("C:\\w\\p", env={"LOCALAPPDATA": "C:\\L"}, home="C:/Users/u", worktree="C:\\w", windows=True)
    assert paths(place) == [
        "C:/Users/u/.config/crush/crush.json",
        "C:\\L/crush/crush.json",
        "C:/w/crush.json",
        "C:/w/.crush.json",
        "C:/w/p/crush.json",
        "C:/w/p/.crush.json",
        "C:/w/p/.crush/crush.json",
    ]


def test_a_worktree_at_the_root_of_the_disk() -> None:
    assert HostContext("/a", env={}, home="/h", worktree="/").directories() == ["/", "/a"]
    assert HostContext("/", env={}, home="/h", worktree="/").directories() == ["/"]
    assert HostContext("/ab", env={}, home="/h", worktree="/a").directories() == ["/ab"]
