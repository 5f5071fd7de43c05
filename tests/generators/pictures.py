"""Make the pictures in docs/images: ``python -m tests.generators.pictures``.

``fire.svg`` is what ``pyshellhooks fire`` really prints, drawn by rich. The others are drawings of boxes and arrows. None of them
fetches anything, and each has a background of its own, so that it can be seen on a light page and on a dark one.
"""

from __future__ import annotations

import contextlib
import html
import io
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pyshellhooks import cli

from . import ROOT

IMAGES = ROOT / "docs" / "images"

_GUARD = """\
if jq -r .tool_input.command | grep -qE 'rm +-(rf|fr)'; then
  echo 'no recursive delete' >&2
  exit 2
fi
"""
_FILES = {
    "crush.json": '{"hooks": {"PreToolUse": [\n  {"matcher": "^bash$", "command": "sh guard.sh"}\n]}}\n',
    "guard.sh": _GUARD,
    "call.json": '{"tool_name": "bash", "tool_input": {"command": "rm -rf build"}}',
}
_FIRE = "fire before_tool --config crush.json --input call.json"
_COLUMNS = 84
_TIME = "41.5 ms"  # as measured once: the picture must not change with every run
_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def _fired() -> tuple[str, int]:
    """Return what ``fire`` prints on a terminal, with colours, and its status."""
    before, out = dict(os.environ), io.StringIO()
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory), contextlib.redirect_stdout(out):
        for name, text in _FILES.items():
            Path(name).write_text(text, encoding="utf-8", newline="\n")
        os.environ.pop("NO_COLOR", None)
        os.environ.update(
            FORCE_COLOR="1", TERM="xterm-256color", COLUMNS=str(_COLUMNS), HOME=directory, XDG_DATA_HOME=directory
        )
        try:
            status = cli.main(_FIRE.split())
        finally:
            os.environ.clear()
            os.environ.update(before)
    text = re.sub(r"[\d.]+ m?s +", f"{_TIME}  ", out.getvalue())
    return re.sub(r"time +", f"{'time':{len(_TIME) + 2}}", text), status


def fire() -> str:
    """Draw a terminal in which someone fires an event."""
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console
    from rich.text import Text

    printed, status = _fired()
    console = Console(
        record=True,
        width=_COLUMNS,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    for command, output in (
        ("cat crush.json", _FILES["crush.json"]),
        ("cat guard.sh", _GUARD),
        ("cat call.json", _FILES["call.json"]),
    ):
        console.print(Text.assemble(("$ ", "green"), (command, "bold")))
        console.print(Text(output.rstrip("\n"), style="dim"))
    console.print(Text.assemble(("$ ", "green"), (f"pyshellhooks {_FIRE}", "bold")))
    console.print(Text.from_ansi(printed.rstrip("\n")))
    console.print(Text.assemble(("$ ", "green"), ("echo $?", "bold"), f"\n{status}"))
    form = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = form.replace("font-family: Fira Code, monospace", f"font-family: {_FONT}")
    drawn = console.export_svg(title="pyshellhooks fire", code_format=form, unique_id="fire")
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


class Box(NamedTuple):
    """A box of a drawing: its place and size, its title, and the lines below it."""

    x: int
    y: int
    width: int
    height: int
    title: str
    lines: Sequence[str] = ()
    colour: str = "#3949ab"


class Arrow(NamedTuple):
    """An arrow between two points, and what goes along it."""

    x1: int
    y1: int
    x2: int
    y2: int
    label: str = ""


def drawing(width: int, height: int, about: str, boxes: Sequence[Box], arrows: Sequence[Arrow]) -> str:
    """Draw boxes and arrows as SVG; ``about`` is read out to who can't see it."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(about)}">'
    ]
    out.append(
        "<style>text{font:14px system-ui,sans-serif;fill:#1a1a2e}.t{font-weight:600;fill:#fff}.l{font-size:12.5px;fill:#444}</style>"
    )
    out.append(
        '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">'
    )
    out.append('<path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>')
    out.append(f'<rect width="{width}" height="{height}" rx="10" fill="#f7f8fc"/>')
    for box in boxes:
        x, y, w, h = box.x, box.y, box.width, box.height
        out.append(
            f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="6" fill="#fff" stroke="{box.colour}" stroke-width="1.5"/>'
        )
        out.append(
            f'<path d="M{x},{y + 28} V{y + 6} a6,6 0 0 1 6,-6 H{x + w - 6} a6,6 0 0 1 6,6 V{y + 28} z" fill="{box.colour}"/>'
        )
        out.append(
            f'<text class="t" x="{x + w // 2}" y="{y + 19}" text-anchor="middle">{html.escape(box.title)}</text>'
        )
        for number, line in enumerate(box.lines):
            out.append(f'<text x="{x + 12}" y="{y + 50 + 20 * number}">{html.escape(line)}</text>')
    for arrow in arrows:
        out.append(
            f'<path d="M{arrow.x1},{arrow.y1} L{arrow.x2},{arrow.y2}" stroke="#555" stroke-width="1.5" fill="none" marker-end="url(#a)"/>'
        )
        if arrow.label:
            middle, side = (arrow.x1 + arrow.x2) // 2, arrow.x1 == arrow.x2
            x, y = (middle + 8, (arrow.y1 + arrow.y2) // 2 + 5) if side else (middle, min(arrow.y1, arrow.y2) - 7)
            out.append(
                f'<text class="l" x="{x}" y="{y}" text-anchor="{"start" if side else "middle"}">{html.escape(arrow.label)}</text>'
            )
    return "\n".join([*out, "</svg>", ""])


_ENGINE, _SHELL, _AGENT = "#3949ab", "#00796b", "#6d4c41"


def call() -> str:
    """Draw the way of one tool call."""
    boxes = [
        Box(20, 20, 200, 110, "your agent", ["calls a tool:", "bash {command: …}", "waits for the verdict"], _AGENT),
        Box(
            300,
            20,
            240,
            110,
            "engine",
            ["configs → hooks of the event", "matchers choose the hooks", "payload for each hook"],
            _ENGINE,
        ),
        Box(
            620,
            20,
            256,
            110,
            "dialect",
            ["tables of one hook system:", "writes payloads, reads answers,", "merges them into a verdict"],
            _ENGINE,
        ),
        Box(
            300,
            210,
            240,
            110,
            "embedded shell",
            ["jq, grep, sed, awk, …", "a deadline for each hook", "files: disk, overlay, memory"],
            _SHELL,
        ),
        Box(
            620,
            210,
            256,
            110,
            "a hook's answer",
            ["exit status, stdout, stderr", "how it ended: ok, timed out,", "stopped, not started, …"],
            _SHELL,
        ),
    ]
    arrows = [
        Arrow(220, 60, 298, 60, "fire"), Arrow(540, 60, 618, 60), Arrow(618, 100, 542, 100),
        Arrow(420, 130, 420, 208, "job: stdin, environment, time"), Arrow(540, 265, 618, 265),
        Arrow(740, 208, 740, 132, "read"), Arrow(298, 110, 222, 110, "verdict"),
    ]  # fmt: skip
    return drawing(
        896,
        340,
        "A tool call goes from the agent to the engine, as jobs to the shell, and back as a verdict",
        boxes,
        arrows,
    )


def ends() -> str:
    """Draw how a run ends."""
    boxes = [
        Box(20, 20, 180, 90, "a hook runs", ["its time: from its", "config or its system"], _SHELL),
        Box(270, 20, 170, 90, "deadline", ["TERM to it and", "to its children"], "#ad6800"),
        Box(510, 20, 170, 90, "1 s later", ["KILL to the", "whole tree"], "#b71c1c"),
        Box(750, 20, 190, 90, "0.5 s later", ["abandoned: its gate is", "closed, it has no effect"], "#555555"),
        Box(20, 170, 180, 90, "Exited", ["its status is", "its answer"], _ENGINE),
        Box(
            270,
            170,
            410,
            90,
            "Stopped",
            [
                "deadline, cancel: the system's rule for failures decides",
                "a limit, a lost process: what the event guards is denied",
            ],
            _ENGINE,
        ),
        Box(750, 170, 190, 90, "Abandoned", ["a failure;", "the call returns"], _ENGINE),
    ]
    arrows = [
        Arrow(200, 60, 268, 60), Arrow(440, 60, 508, 60), Arrow(680, 60, 748, 60),
        Arrow(110, 110, 110, 168, "ends by itself"), Arrow(355, 110, 355, 168), Arrow(595, 110, 595, 168), Arrow(845, 110, 845, 168),
    ]  # fmt: skip
    return drawing(
        960,
        280,
        "How a run ends: by itself, stopped at its deadline, killed a second later, or abandoned",
        boxes,
        arrows,
    )


def favicon() -> str:
    """Draw a shield with a prompt."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#3949ab" d="M12 1 3 5v6c0 5.5 3.8 10.7 9 12 5.2-1.3 9-6.5 9-12V5z"/>'
        '<path fill="none" stroke="#fff" stroke-width="2" d="m8 9 3 3-3 3m5 1h4"/></svg>\n'
    )


PICTURES = {"fire.svg": fire, "call.svg": call, "ends.svg": ends, "favicon.svg": favicon}


def words(svg: str) -> list[str]:
    """Return the texts of a picture, in order: what a drift is judged by, as rich may draw differently one day."""
    return [
        html.unescape(text).replace("\xa0", " ").rstrip()
        for text in re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)
    ]


def main() -> None:
    """Write all pictures."""
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
