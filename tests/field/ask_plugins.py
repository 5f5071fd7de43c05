"""Ask the real Claude Code about every row of the tables of plugins, in one run, and print where it differs.

    npm pack @anthropic-ai/claude-code-linux-x64@2.1.332 && tar xzf anthropic-ai-*.tgz
    python -m tests.field.ask_plugins package/claude

Each row is a plugin of one marketplace; its hooks leave marks. The rows are those of
``tests/unit/dialects/test_claude_code_manifest.py`` and ``tests/unit/engine/test_setups_entries.py``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests import messages_api

TESTS = Path(__file__).parents[1]
LIMIT = 300  # seconds of the run


class Row:
    """One plugin: its files below the marketplace's directory, its entry, and the hooks that run by our table."""

    def __init__(self, name: str, label: str, files: dict[str, str], entry: dict[str, Any], runs: set[str]) -> None:
        self.name = name
        self.label = label
        self.files = files
        self.entry = entry
        self.runs = runs


def rows() -> list[Row]:
    """Read both tables."""
    for folder in ("unit/dialects", "unit/engine"):
        sys.path.insert(0, str(TESTS / folder))
    from test_claude_code_manifest import MANIFESTS  # type: ignore[import-not-found]
    from test_setups_entries import ENTRIES, STANDARD  # type: ignore[import-not-found]

    found = []
    for number, (more, refused) in enumerate(MANIFESTS):
        manifest = json.dumps({"name": f"manifest{number}", **more})
        files = {".claude-plugin/plugin.json": manifest, "hooks/hooks.json": STANDARD}
        found.append(Row(f"manifest{number}", json.dumps(more), files, {}, set() if refused else {"standard"}))
    for number, (label, (entry, files, runs, _)) in enumerate(ENTRIES.items()):
        below = {name.removeprefix("market/p/"): text for name, text in files.items()}
        name = f"entry{number}"
        entry = {key: value.replace("./p", f"./{name}") if key == "source" else value for key, value in entry.items()}
        found.append(Row(name, label, below, entry, set(runs)))
    return found


def run_plugins(binary: str, root: Path, asked: list[Row]) -> dict[str, set[str]]:
    """Return the marks that the hooks of each plugin left."""
    marks, market, home = root / "marks", root / "market", root / "home/.claude"
    for directory in (marks, market / ".claude-plugin", home / "plugins", root / "project/.git"):
        directory.mkdir(parents=True)

    def marking(value: Any, name: str) -> Any:
        """Let every handler leave a mark, and block nothing: the others are to run, too."""
        if isinstance(value, list):
            return [marking(item, name) for item in value]
        if not isinstance(value, dict):
            return value
        made = {key: marking(item, name) for key, item in value.items()}
        if isinstance(value.get("command"), str) and value["command"].startswith('echo "'):
            word = value["command"].split()[1].lstrip('"')
            made["command"] = f"grep -q '\"PreToolUse\"' && touch {marks}/{name}-{word}; true"
        if value.get("name") == "p":  # of two plugins of one name Claude Code loads one
            made["name"] = name
        return made

    entries = []
    for row in asked:
        (market / row.name).mkdir()
        for name, text in row.files.items():
            path = market / row.name / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(marking(json.loads(text), row.name)))
        entries.append({"name": row.name, "source": f"./{row.name}", **marking(row.entry, row.name)})
    table = {"name": "m", "owner": {"name": "o"}, "plugins": entries}
    (market / ".claude-plugin/marketplace.json").write_text(json.dumps(table))
    source = {"source": {"source": "directory", "path": str(market)}}
    record = {"m": {**source, "installLocation": str(market), "lastUpdated": "2026-11-27T00:00:00.000Z"}}
    (home / "plugins/known_marketplaces.json").write_text(json.dumps(record))
    enabled = {f"{row.name}@m": True for row in asked}
    settings = {"extraKnownMarketplaces": {"m": source}, "enabledPlugins": enabled}
    (home / "settings.json").write_text(json.dumps(settings))
    left = [[messages_api.call("toolu_1", "Bash", {"command": "true", "description": "work"})]]
    with messages_api.serving(lambda body: left.pop(0) if left else [messages_api.text("done")]) as server:
        subprocess.run(
            [binary, "-p", "go", "--model", "claude-sonnet-4-5", "--dangerously-skip-permissions"],
            cwd=root / "project",
            env=messages_api.environment(f"{root}/home", server.server_port),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT,
            check=True,
        )
    names = [name.rpartition("-") for name in os.listdir(marks)]
    return {row.name: {word for owner, _, word in names if owner == row.name} for row in asked}


def main(binary: str) -> int:
    """Print each row whose hooks the program does not run as our table has it; 1 if there is one."""
    asked = rows()
    with tempfile.TemporaryDirectory(prefix="plugins-") as folder:
        ran = run_plugins(binary, Path(folder), asked)
    different = [row for row in asked if ran[row.name] != row.runs]
    for row in different:
        print(f"{row.label}: it runs {sorted(ran[row.name])}, our table has {sorted(row.runs)}")
    print(f"{len(asked)} rows, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
