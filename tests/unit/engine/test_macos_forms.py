"""The hints on forms of macOS: ``bsd-form`` and ``macos-path``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshellhooks.engine.checks.checker import check_file


def codes(tmp_path: Path, script: str) -> list[str]:
    (tmp_path / ".claude").mkdir()
    (tmp_path / "h.sh").write_text(f"#!/bin/bash\n{script}\nexit 0\n")
    (tmp_path / "h.sh").chmod(0o755)
    hook = {"type": "command", "command": '"$CLAUDE_PROJECT_DIR"/h.sh'}
    config = tmp_path / ".claude" / "settings.json"
    config.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    found = check_file(str(config), "claude_code")
    return [one.code for one in found.diagnostics if one.code in ("bsd-form", "macos-path")]


@pytest.mark.parametrize(
    "script",
    [
        "sed -i '' s/a/b/ f", "sed -E -i .bak s/a/b/ f", "stat -f %m f", "stat -f '%Sm' f", "date -v-1d", "date -v +1m +%F",
        "date -j -f %s 5 +%F", "base64 -D <f", "tail -r f", "md5 -q f", "find -E . -regex x",
    ],
)  # fmt: skip
def test_a_form_of_bsd_is_named(script: str, tmp_path: Path) -> None:
    assert codes(tmp_path, script) == ["bsd-form"]


@pytest.mark.parametrize(
    "script",
    [
        "sed -i s/a/b/ f", "sed -i.bak s/a/b/ f", "sed -n p f", "sed -i -e s/a/b/ f", "stat -f /", "stat -c %Y f", "date +%F",
        "date -d @5 +%F", "date -u +%H-v1", "base64 -d <f", "tail -n 3 f", "find . -name E",
        "stat -c %Y f 2>/dev/null || stat -f %m f",
        "date -d yesterday +%F 2>/dev/null || date -v-1d +%F",
        "if [[ $(uname) == Darwin ]]; then sed -i '' s/a/b/ f; else sed -i s/a/b/ f; fi",
        'case "$OSTYPE" in darwin*) date -v-1d ;; esac',
        "if sed --version >/dev/null 2>&1; then sed -i s/a/b/ f; else sed -i '' s/a/b/ f; fi",
    ],
)  # fmt: skip
def test_other_calls_are_not(script: str, tmp_path: Path) -> None:
    assert codes(tmp_path, script) == []


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('p=$(realpath "$1"); case $p in /etc/*) ;; esac', ["macos-path"]),
        ('p=$(realpath "$1"); case "$p" in /etc/*|"/var"/*) ;; esac', ["macos-path", "macos-path"]),
        ('p=$(cd "$1" && pwd -P); [[ $p == /tmp/* ]] && exit 2', ["macos-path"]),
        ('p=$(readlink -f "$1"); [ "$p" = /etc ] && exit 2', []),
        ('p=$(realpath "$1"); case $p in /etc/*|/private/etc/*) ;; esac', []),
        ('p=$(realpath "$1"); case $p in /usr/*|/etcetera/*) ;; esac', []),
        ("p=$1; case $p in /etc/*) ;; esac", []),
    ],
)
def test_a_resolved_path_begins_with_private(script: str, expected: list[str], tmp_path: Path) -> None:
    assert codes(tmp_path, script) == expected
