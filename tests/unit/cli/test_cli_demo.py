"""The demo decides what its scripts say, on any system."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshellhooks import HookEngine, cli
from pyshellhooks.cli.demo import DATA, calls, unpack


@pytest.mark.parametrize("spawn", [True, False])
def test_verdicts(tmp_path: Path, spawn: bool) -> None:
    unpack(tmp_path)
    with HookEngine.load(str(tmp_path / "crush.json"), spawn=spawn) as engine:
        verdicts = [engine.fire("PreToolUse", cwd=str(tmp_path), **call) for call in calls(DATA / "calls.json")]
    assert [verdict.decision.value for verdict in verdicts] == ["deny", "allow", "none", "none", "none", "deny", "none"]
    assert "no recursive delete" in verdicts[0].reason and "would empty the disk" in verdicts[0].reason
    assert verdicts[2].updated_input == {"command": "bun test", "timeout": 60000}
    assert "gofumpt" in verdicts[3].context and not verdicts[4].context
    assert [row.ended for verdict in verdicts for row in verdict.hooks if row.ended not in ("ok", "nonzero")] == []


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--keep", str(tmp_path / "kept")]) == 0
    shown = capsys.readouterr().out
    assert "no-rm-rf (with shebang)" in shown and "bun test" in shown and "calls.log now has 7 lines" in shown
    assert (tmp_path / "kept" / "hooks" / "safe-bash.sh").is_file()
