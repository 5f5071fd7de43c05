"""Output of verdicts, plans and diagnostics for people. The first table imports ``rich``."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..hooks.transcript import hook_lines
from ..host import current
from ..jsontext.compact import dumps
from ..notice import Notice
from ..text import visible
from . import terminal

if TYPE_CHECKING:
    from ..engine import HookEngine, Why
    from ..engine.config.excluded import ExcludedHook
    from ..errors import Diagnostic
    from ..hooks.model import HookSpec
    from ..hooks.verdict import HookResult, Verdict
    from .tables import Rows, Screen

COLOURS = {"deny": "bold red", "ask": "bold yellow", "allow": "bold green", "none": "dim", "halt": "bold red"}
ENDED = {"ok": "", "nonzero": ""}  # all others are coloured


def console() -> Screen:
    """Return a console for stdout, as wide as the terminal; in a pipe, lines are not broken."""
    from .tables import Screen

    return Screen()


def table(*columns: str) -> Rows:
    """Return an empty table."""
    from .tables import Rows

    return Rows(*columns)


def plain(text: object) -> str:
    """Escape rich's markup, because commands contain brackets, and control characters."""
    from rich.markup import escape

    return escape(visible(str(text), "\t\n"))


def coloured(word: str, colour: str) -> str:
    """Return the markup of a word in a colour; without a colour, only escape it."""
    return f"[{colour}]{plain(word)}[/]" if word and colour else plain(word)


def duration(seconds: float) -> str:
    """Render a time in ms, or in s from one second on."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    digits = 1 if seconds < 0.1 else 0
    return f"{seconds * 1000:.{digits}f} ms"


def _row(result: HookResult) -> tuple[str, ...]:
    return (
        plain(shortened(result.name)),
        plain(terminal.relative_paths(str(result.spec.origin)) or result.id),
        coloured(result.ended, ENDED.get(result.ended, "yellow")),
        "" if result.exit_code is None else str(result.exit_code),
        duration(result.seconds),
        coloured(result.decision.value, COLOURS[result.decision.value]),
    )


def visible_lines(data: bytes) -> list[str]:
    """Return the lines of a file with control characters made visible; a missing last newline is reported."""
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    last = lines.pop()
    shown = [visible(line) for line in lines]
    if last:
        shown += [visible(last), "\\ no newline at the end"]
    return shown


def difference(name: str, before: bytes | None, after: bytes, was: str = "") -> Iterator[str]:
    """Yield a unified diff of a file; ``was`` is its name before, if that differs. ``before`` None: a new file."""
    from difflib import unified_diff

    old = visible_lines(before) if before else []
    old_name = was or name
    if not old:
        old_name = "nothing"
    return unified_diff(old, visible_lines(after), old_name, name, lineterm="")


def counted(number: int, noun: str) -> str:
    """Return a number and a noun, with a plural s if needed."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def shortened(text: str, width: int = 60) -> str:
    """Return the first line of a command, cut to a width."""
    first, _, rest = text.strip().partition("\n")
    if rest or len(first) > width:
        return first[: width - 1] + "…"
    return first


def verdict(joined: Verdict, notices: Iterable[str], untrusted: Collection[str] = ()) -> None:
    """Print a verdict: the hooks that ran, the joined verdict, and the given notices.

    ``untrusted``: the files whose hooks were left out as untrusted. A notice equal to the reason is not repeated.
    """
    out = console()
    if joined.hooks:
        rows = table("hook", "where", "ended", "exit", "time", "decision")
        for result in joined.hooks:
            rows.add_row(*_row(result))
        out.print(rows)
    elif joined.decision.value == "none":
        kind = "trusted hook" if untrusted else "hook"
        out.print(f"no {kind} for this event; `pyshellhooks explain` shows why")
    for name, text in facts(joined):
        out.print(f"[bold]{name}[/]: {_indented(text)}")
    for notice in notices:
        if notice != joined.reason:  # printed above
            out.print(f"[yellow]notice[/]: {_indented(plain(terminal.relative_paths(notice)))}")


def _indented(text: str) -> str:
    """Indent the lines of a text after the first."""
    return text.replace("\n", "\n    ")


def facts(joined: Verdict) -> list[tuple[str, str]]:
    """Return the non-empty fields of a verdict as (name, markup)."""
    word = joined.decision.value
    halt = ", [bold red]and the turn ends[/]" if joined.halt else ""
    fields = [("decision", coloured(word, COLOURS[word]) + halt)]
    for name in ("reason", "user_message", "context", "followup"):
        text = getattr(joined, name)
        is_repeated = name == "user_message" and text == joined.reason
        if text and not is_repeated:
            fields.append((name, plain(text)))
    if joined.updated_input_text is not None:
        fields.append(("updated_input", plain(joined.updated_input_text)))
    if joined.updated_output_text is not None:
        fields.append(("updated_output", plain(joined.updated_output_text)))
    if joined.withholds:
        fields.append(("withholds", "the result must not reach the model"))
    fields += [(f"effects.{name}", plain(value)) for name, value in joined.effects.items()]
    return fields


def warnings(engine: HookEngine, hooks: Collection[str] = (), dialect: str | None = None) -> None:
    """Print the diagnostics of the configs and the untrusted files on stderr, each once and on one line.

    Diagnostics of ``hooks``, by their ids, are left out: the verdict or the plan reports them.
    """
    lines(list(_warnings(engine, hooks)), dialect)
    # Each of these was reported above, with its own reason.
    locked = {diagnostic.file for diagnostic in engine.diagnostics if diagnostic.code == "not-trusted"}
    untrusted(file for file in engine.untrusted if file not in locked)


def _left_out(engine: HookEngine) -> list[tuple[ExcludedHook, HookSpec]]:
    return [pair for system in engine.systems if system.left_out for pair in system.left_out.explained]


def _warnings(engine: HookEngine, hooks: Collection[str]) -> Iterator[Diagnostic]:
    """Yield the diagnostics that neither a verdict nor the list of untrusted files reports."""
    from ..engine.checks.codes import OF_ENGINES
    from ..engine.trust.trust import NEVER, left_out_diagnostic

    known = [row.diagnostic for row, spec in _left_out(engine) if spec.id in hooks]
    places = {str(spec.origin) for spec in engine.specs if spec.id in hooks}
    for diagnostic in engine.diagnostics:
        if diagnostic in known or diagnostic == left_out_diagnostic(diagnostic.file, NEVER):
            continue
        if diagnostic.code in OF_ENGINES and diagnostic.place in places:
            continue
        yield diagnostic


def lines(diagnostics: Iterable[Diagnostic], dialect: str | None = None) -> None:
    """Print each diagnostic on a line of stderr, then the command that shows more."""
    from ..engine.checks.codes import OF_ENGINES, brief

    # Sorted by place, but the files stay in the order in which they are loaded.
    known = dict.fromkeys(diagnostics)
    ranks = {file: rank for rank, file in enumerate(dict.fromkeys(diagnostic.file for diagnostic in known))}

    def place(diagnostic: Diagnostic) -> tuple[int, int, int]:
        return ranks[diagnostic.file], diagnostic.line, diagnostic.column

    files: dict[str, None] = {}
    for diagnostic in sorted(known, key=place):
        line = brief(diagnostic)
        if diagnostic.code not in OF_ENGINES:
            files[diagnostic.file] = None
        elif diagnostic.hint:
            line += f"; {diagnostic.hint}"  # `check` does not show these, so the hint is needed here
        terminal.print_error(line)
    if files:
        terminal.print_error(f"  details: {check_of(files, dialect)}")


def check_of(files: Iterable[str], dialect: str | None = None) -> str:
    """Return the ``check`` command that reports everything about some files."""
    named = [f"--dialect={dialect}"] if dialect else []
    return shlex.join(["pyshellhooks", "check", *named, *(current().relative(file) for file in files)])


def without_untrusted(engine: HookEngine, notices: Iterable[str]) -> list[str]:
    """Return the notices without those of untrusted hooks, which ``untrusted`` reports once for each file."""
    from ..engine.trust.trust import NEVER

    ids = {spec.id for row, spec in _left_out(engine) if row.notice.message == NEVER.message}
    others = []
    for notice in notices:
        is_left_out = isinstance(notice, Notice) and notice.kind == "hook-left-out" and notice.hook in ids
        if not is_left_out:
            others.append(notice)
    return others


def untrusted(files: Iterable[str]) -> None:
    """Print on stderr the files whose hooks are left out, and the command that trusts them."""
    names = [visible(current().relative(file)) for file in files]
    if names:
        terminal.print_error(f"untrusted hooks are skipped: {', '.join(names)}")
        terminal.print_error("  review them, then run: pyshellhooks trust (in CI or a container: PYSHELLHOOKS_TRUST=1)")


def print_notices(notices: Sequence[str]) -> None:
    """Print notices on stderr."""
    for notice in notices:
        terminal.print_error(terminal.relative_paths(notice))


def plan(rows: Sequence[Why]) -> None:
    """Print which hooks would run, which not, and why."""
    out = console()
    if not rows:
        out.print("no hooks")
        return
    from ..engine.trust.trust import HINT

    made = table("hook", "where", "runs", "why")
    for why in rows:
        runs = "[bold green]yes[/]" if why.matches else "[dim]no[/]"
        reason = why.message if why.hint == HINT else why.reason  # ``untrusted`` prints the hint once for all
        name, where = shortened(why.name or why.command), terminal.relative_paths(why.origin) or why.id
        made.add_row(plain(name), plain(where), runs, plain(terminal.relative_paths(reason)))
    out.print(made)


def hooks_in_full(joined: Verdict, deliveries: Sequence[Mapping[str, Any] | None]) -> None:
    """Print the input and output of each hook; nothing if ``deliveries`` is empty."""
    out = console()
    # ``deliveries`` is empty without --verbose.
    for result, delivered in zip(joined.hooks, deliveries, strict=False):
        out.print(f"[bold]hook[/]: {plain(shortened(result.name))}")
        if delivered is not None:
            delivery(delivered)
        for line in hook_lines(result):
            out.print(plain(line), whole=True)
        out.print()


def delivery(job_input: Mapping[str, Any]) -> None:
    """Print a hook's input: stdin, directory, environment and files."""
    out = console()
    out.print("[bold]stdin[/]:", plain(job_input["stdin"].rstrip()) or "[dim]nothing[/]", whole=True)
    out.print("[bold]directory[/]:", plain(job_input["cwd"]))
    for name, value in job_input["environment"].items():
        out.print(f"[bold]{plain(name)}[/]={plain(shortened(value, 200))}")
    for path in job_input["files"]:
        out.print("[bold]file[/]:", plain(path))


def demo_begins(directory: str | None) -> None:
    """Print the contents of the demo, and its directory or the option that keeps it."""
    where = f"in {directory}" if directory else "in a temporary directory (--keep DIR keeps it)"
    console().print(f"crush.json and its scripts, and guards of seven systems, {plain(where)}\n")


def demo_ends(log: str) -> None:
    """Print the length and the last line of the log that the demo's hooks wrote."""
    console().print(f"calls.log now has {log.count(chr(10))} lines; the last: {plain(log.splitlines()[-1])}")


def demo_call(call: Mapping[str, object], joined: Verdict) -> None:
    """Print one call of the demo and its hooks' outcomes."""
    out = console()
    out.print(f"[bold]{plain(call['tool_name'])}[/] {plain(call['tool_input'])}")
    rows = table("hook", "ended", "exit", "time", "decision", "text")
    for result in joined.hooks:
        says = result.outcome.reason or result.outcome.context or "; ".join(result.notices)
        name, _, *facts_of_it = _row(result)
        rows.add_row(name, *facts_of_it, plain(says))
    out.print(rows)
    out.print("; ".join(f"{name}: {text}" for name, text in facts(joined)).replace("\n", " / "))
    out.print()


def demo_systems(call: Mapping[str, object], verdicts: Sequence[tuple[str, str, Verdict]]) -> None:
    """Print the verdicts of several systems' guards on one call."""
    out = console()
    out.print(f"[bold]before_tool[/] {plain(call['tool_name'])} {plain(dumps(call['tool_input']))}")
    rows = table("system", "config", "event", "time", "decision", "reason")
    for file, title, joined in verdicts:
        ran = ", ".join(result.spec.event for result in joined.hooks)
        took = duration(sum(result.seconds for result in joined.hooks))
        word = coloured(joined.decision.value, COLOURS[joined.decision.value])
        rows.add_row(plain(title), plain(file), plain(ran), took, word, plain(joined.reason))
    out.print(rows)
