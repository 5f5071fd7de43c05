"""``pyshellhooks demo``: run real configs and scripts on real payloads and print each hook's decision."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..jsontext.compact import JsonText, loads, members
from . import arguments, show

if TYPE_CHECKING:
    from ..hooks.verdict import Verdict

DATA = Path(__file__).with_name("demo_data")


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "demo",
        "Run real hooks on real tool calls and show what each decided.",
        examples=("demo", "demo --keep playground"),
    )
    command_parser.add_argument(
        "--no-spawn", action="store_true", help="start no process, not even for scripts with a shebang"
    )
    command_parser.add_argument(
        "--keep", metavar="DIR", help="copy the config, the scripts and the payloads to this directory"
    )
    return command_parser


def unpack(home: Path) -> None:
    """Copy the config, its scripts and the payloads, without permission bits: scripts need none (crush 3.5)."""
    for source in DATA.rglob("*"):
        if source.is_file():
            target = home / source.relative_to(DATA)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())


def calls(path: Path) -> list[dict[str, Any]]:
    """Read the payloads; each tool input stays JSON text, as a model would have sent it."""
    rows = loads(path.read_text(encoding="utf-8"))
    texts = [JsonText(line.strip().rstrip(",")) for line in path.read_text(encoding="utf-8").splitlines()[1:-1]]
    assert len(texts) == len(rows), "calls.json holds one call a line"
    return [{key: JsonText(raw) if raw[0] == "{" else loads(raw) for key, raw in members(text)} for text in texts]


def fire_all_systems(home: Path, no_spawn: bool) -> tuple[dict[str, Any], list[tuple[str, str, Verdict]]]:
    """Fire one event for one guard of each system, in that system's names; return the call and the verdicts."""
    from ..engine import HookEngine

    call: dict[str, Any] = {"tool_name": "shell", "tool_input": {"command": "git push --force origin main"}}
    rows = []
    for config in sorted((home / "seven").iterdir()):
        with HookEngine.load(str(config), config.stem, cwd=str(home), spawn=not no_spawn) as engine:
            rows.append((config.name, engine.dialect.title, engine.fire("before_tool", **call)))
    return call, rows


def main(argv: Sequence[str]) -> int:
    """Run the command and return 0, whatever the hooks decide; raise an error if something cannot run at all."""
    from ..engine import HookEngine

    options = parser().parse_args(argv)
    home = Path(options.keep) if options.keep else Path(tempfile.mkdtemp(prefix="pyshellhooks-demo-"))
    try:
        unpack(home)
        if not options.json:
            show.demo_begins(options.keep)
        verdicts = []
        with HookEngine.load(str(home / "crush.json"), spawn=not options.no_spawn) as engine:
            for call in calls(home / "calls.json"):
                verdict = engine.fire("PreToolUse", cwd=str(home), **call)
                fields = {key: loads(value) if isinstance(value, JsonText) else value for key, value in call.items()}
                verdicts.append({"fields": fields, "verdict": verdict.as_json()})
                if not options.json:
                    show.demo_call(call, verdict)
        call, rows = fire_all_systems(home, options.no_spawn)
        log = (home / "calls.log").read_text(encoding="utf-8")
        if options.json:
            systems = {title: verdict.as_json() for _, title, verdict in rows}
            arguments.write(arguments.to_json({"calls": verdicts, "systems": {"fields": call, "verdicts": systems}}))
        else:
            show.demo_systems(call, rows)
            show.demo_ends(log)
    finally:
        if not options.keep:  # a directory that the person named stays, also after an error
            shutil.rmtree(home, ignore_errors=True)
    return 0
