"""Where trust is kept: what is written, what is not believed, and who may have written it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from trusting import SCRIPT, SETTINGS, House

from pyshellhooks import host
from pyshellhooks.engine.checks.trust_review import Survey
from pyshellhooks.engine.trust.store import (
    CONFIG,
    Record,
    Store,
    TrustedFile,
    UnreadableRecord,
    directory_of,
    hash_of,
)
from pyshellhooks.engine.trust.store import (
    SCRIPT as A_SCRIPT,
)
from pyshellhooks.host.mount_points import kind_at

posix = pytest.mark.not_on_windows("needs-mode")


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path).guarded()


@posix
@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"HOME": "/h"}, "/h/.local/share/pyshellhooks/trust"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/x/"}, "/x/pyshellhooks/trust"),
        ({"HOME": "/h", "XDG_DATA_HOME": "x"}, "/h/.local/share/pyshellhooks/trust"),
        ({}, "/.local/share/pyshellhooks/trust"),
    ],
)
def test_the_directory(env: dict[str, str], expected: str) -> None:
    assert directory_of(env) == expected


@pytest.mark.parametrize("env", [{"LOCALAPPDATA": "C:\\Users\\u\\AppData\\Local"}, {"USERPROFILE": "C:\\Users\\u"}])
def test_the_directory_on_windows(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host.current(), "windows", True, raising=False)
    assert directory_of(env) == "C:/Users/u/AppData/Local/pyshellhooks/trust"


@posix
def test_other_users_may_not_look_or_write(house: House) -> None:
    house.trust()
    directory = Path(house.store.directory)
    assert directory.stat().st_mode & 0o777 == 0o700
    for path in directory.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0
    assert not [path for path in directory.rglob("*") if path.suffix not in ("", ".json")]  # nothing half written


def test_a_record_lists_the_trusted_files(house: House) -> None:
    house.trust()
    payload = json.loads(house.record.read_text())
    assert (payload["version"], payload["revoked"]) == (1, False)
    config, script = payload["files"][SETTINGS], payload["files"][SCRIPT]
    assert (config["kind"], script["kind"]) == (CONFIG, A_SCRIPT)
    assert "PreToolUse" in config["events"]["claude_code"] and "Stop" in script["events"]["claude_code"]
    data = (house.project / SCRIPT).read_bytes()
    assert script["hashes"] == [hash_of(data)] and house.store.content(hash_of(data)) == data


def test_events_and_contents_of_before_stay() -> None:
    file = TrustedFile(CONFIG, ["a"], {"crush": ["PreToolUse"]}, present=False)
    file.now("b", {"gemini": ["BeforeTool"], "crush": ["Stop"]})
    file.now("a", {})
    assert file.hashes == ["b", "a"] and file.present
    assert file.events == {"crush": ["PreToolUse", "Stop"], "gemini": ["BeforeTool"]}
    record = Record("/p\udcff", {"x\n": file})
    again = Record.read(record.text())
    assert again.project == record.project and again.files["x\n"].as_json() == file.as_json()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"version": 2}',
        '{"version": 1, "project": 5, "revoked": false, "directories": [], "files": {}}',
        '{"version": 1, "project": "/p", "revoked": 0, "directories": [], "files": {}}',
        '{"version": 1, "project": "/p", "revoked": false, "directories": [], "files": []}',
        '{"version": 1, "project": "/p", "revoked": false, "directories": [], "files": {"a": {}}}',
        '{"version": 1, "project": "/p", "revoked": false, "directories": [], "files": {"a": {"kind": "x", "hashes": [], "events": {}, "present": true}}}',
        '{"version": 1, "project": "/p", "revoked": false, "directories": [], "files": {"a": {"kind": "config", "hashes": [1], "events": {}, "present": true}}}',
        '{"version": 1, "project": "/p", "revoked": false, "directories": [], "files": {"a": {"kind": "config", "hashes": [], "events": {"crush": [1]}, "present": true}}}',
        '{"version": 1, "project": "/p", "revoked": false, "directories": [5], "files": {}}',
        '{"version": 1, "project": "/p", "revoked": false, "files": {}}',
        '{"version": 1, "project": "/other", "revoked": false, "directories": [], "files": {}}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_an_unreadable_record_does_not_count_as_none(tmp_path: Path, text: str) -> None:
    store = Store(str(tmp_path))
    path = Path(store.file_of("/p"))
    assert store.record("/p") is None
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(UnreadableRecord) as raised:
        store.record("/p")
    assert Path(raised.value.file) == path and raised.value.file in str(raised.value)
    assert list(store.records()) == []


def test_a_directory_in_the_place_of_a_record(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    Path(store.file_of("/p")).mkdir(parents=True)
    with pytest.raises(UnreadableRecord):
        store.record("/p")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_record_of_another_user_is_not_believed(house: House) -> None:
    house.trust()
    os.chown(house.record, 12345, 12345)
    assert house.fire().blocked
    with pytest.raises(UnreadableRecord, match="belongs to another user"):
        house.store.record(os.path.realpath(house.project))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are none")
@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_a_path_in_the_store_that_is_no_file_blocks_nothing(house: House, kind: str) -> None:
    house.trust()

    def put(path: Path) -> None:
        path.unlink()
        if kind == "fifo":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero")

    for path in (Path(house.store.directory) / "contents").iterdir():
        put(path)
    house.write(SCRIPT, "exit 0\n")
    assert house.survey().items[SCRIPT].before is None
    put(house.record)
    assert "it is not a regular file" in house.fire().reason


def test_a_content_that_was_changed_is_not_shown(house: House) -> None:
    house.trust()
    hash = hash_of((house.project / SCRIPT).read_bytes())
    path = Path(house.store.directory) / "contents" / hash
    path.write_text("something else")
    assert house.store.content(hash) is None
    house.write(SCRIPT, "exit 3\n")
    survey = house.survey()
    assert survey.items[SCRIPT].state == "changed" and survey.items[SCRIPT].before is None


def test_a_record_that_cannot_be_written_changes_nothing(house: House) -> None:
    (house.home / ".local").write_text("no directory")
    survey = Survey(str(house.project), {**house.env, "XDG_DATA_HOME": str(house.home / ".local")}, "", {})
    if os.name != "nt":
        with pytest.raises(OSError):
            survey.keep()
        assert house.fire().hooks == ()


MOUNTS = b"""\
1 0 0:1 / / rw - ext4 /dev/a rw
2 1 0:2 / /mnt/c rw - 9p drvfs rw
3 1 0:3 / /media/my\\040stick rw shared:7 master:1 - vfat /dev/b rw
4 1 0:4 / /home/u rw - fuse.sshfs u@h rw
5 2 0:5 / /mnt/c/real rw - ext4 /dev/d rw
6 1 0:6 / /srv rw - ext4 /dev/e rw
7 1 0:7 / /srv rw - exfat /dev/f rw
broken line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (b"/etc/x", "ext4"),
        (b"/mnt/c/x", "9p"),
        (b"/mnt/c", "9p"),
        (b"/mnt/cd", "ext4"),
        (b"/media/my stick/x", "vfat"),
        (b"/home/u/w/x", "fuse.sshfs"),
        (b"/mnt/c/real/x", "ext4"),
        (b"/srv/x", "exfat"),
    ],
)
def test_the_kind_of_file_system_at_a_path(path: bytes, kind: str) -> None:
    assert kind_at(path, MOUNTS) == kind
    assert kind_at(path, b"") == ""


def test_owners_are_checked_where_they_are_real(monkeypatch: pytest.MonkeyPatch) -> None:
    here = host.current()
    assert here.is_own(here.euid(), "/") and here.is_own(0, "/")
    monkeypatch.setattr(type(here), "owners_count", lambda self, path: False)
    assert here.is_own(99999, "/")
    monkeypatch.setattr(type(here), "owners_count", lambda self, path: True)
    assert not here.is_own(99999, "/")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize(("file", "directory", "counts"), [(0, 0, True), (12345, 0, False), (12345, 12345, True)])
def test_files_that_no_hash_covers(house: House, file: int, directory: int, counts: bool) -> None:
    """Those of the project, where all of it is trusted, and the user's own: of this user, root or the directory's owner."""
    os.chown(house.project / SETTINGS, file, file)
    os.chown(house.project, directory, directory)
    assert house.fire(trust_project=True).blocked is counts
    own = house.home / ".claude"
    own.mkdir()
    (own / "settings.json").write_text((house.project / SETTINGS).read_text())
    os.chown(own / "settings.json", file, file)
    os.chown(house.home, directory, directory)
    (house.project / SETTINGS).unlink()
    with house.engine(trust_project=True, dialect="claude_code") as engine:
        assert not engine.specs
    from pyshellhooks import HookEngine

    with HookEngine.discover(str(house.project), "claude_code", env=house.env) as engine:
        assert bool(engine.specs) is counts
