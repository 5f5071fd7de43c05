"""The pages of the API: mkdocstrings fills in the objects when the site is built; the bounds come from their table."""

from __future__ import annotations

import inspect
import re

from pyshellhooks import limits

from .utility_pages import cell

#: Page -> title, what stands first, and the objects.
_PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "engine": (
        "Engine and verdicts",
        "`HookEngine` loads configs and fires events; a `Verdict` is what its hooks said. [Hooks in an agent's loop](../agent-loop.md) "
        "explains them in order.",
        (
            "engine.engine.HookEngine", "hooks.verdict.Verdict", "hooks.verdict.HookResult", "hooks.model.Decision",
            "hooks.session.HookSession", "hooks.model.HookRun", "engine.executor.RecordedExecutor", "engine.explain.Why",
            "engine.config.loading.Configuration",
        ),
    ),
    "agents": (
        "Agents",
        "`AgentHooks` is the engine in the terms of an agent's loop. [The tutorial](../tutorials/agent.md) builds one. `handlers=` of the "
        "engine names functions for hooks that are not commands; each gets a mapping and gives an answer.",
        ("agent.AgentHooks", "agent.Gate", "engine.handlers.Handler", "engine.handlers.InvalidHandlerOutput"),
    ),
    "shell": (
        "Shell",
        "`Shell` runs scripts. [The shell](../shell.md) says what it supports, and how it differs from bash.",
        ("shell.Shell", "shell.Result", "shell.Session", "shell.Script", "cancel.CancelScope"),
    ),
    "file-systems": (
        "File systems",
        "What a script sees as files. All are a `FileSystem`, and can be put together: `OverlayFS(Rooted(HostFS(), \"project\"))`.",
        (
            "fs.base.FileSystem", "fs.host.HostFS", "fs.memory.MemoryFS", "fs.overlay.OverlayFS", "fs.readonly.ReadOnly",
            "fs.rooted.Rooted", "fs.mount.MountFS", "fs.base.Entry",
        ),
    ),
    "own-utilities": (
        "Utilities of your own",
        "A utility is a function from a `Call` to a status. Give it to `Shell(utilities=[…])`. [The tutorial](../tutorials/sandbox.md) has an example.",
        ("command.utility.utility", "command.flags.Flag", "command.flags.Flags", "command.call.Call", "command.utility.Utility"),
    ),
    "errors": (
        "Errors and diagnostics",
        "[Diagnostics](../diagnostics.md) lists the codes, and [notices](../notices.md) the kinds of notices.",
        (
            "errors.PyShellHooksError", "errors.ShellSyntaxError", "errors.ConfigError", "errors.UnknownEventError",
            "errors.UnknownDialectError", "errors.MisspeltFieldError", "errors.UsageError", "errors.WorkingDirectoryError",
            "jsontext.compact.WireError", "errors.Diagnostic", "notice.Notice",
        ),
    ),
}  # fmt: skip


#: Objects whose members count without docstrings, too: their names say all.
_ALL = frozenset(["hooks.verdict.Verdict", "hooks.verdict.HookResult", "fs.base.FileSystem"])


def bounds() -> list[tuple[str, float, str]]:
    """Return the name, the default and the meaning of each bound, as its table in ``limits`` says."""
    table = inspect.getsource(limits).partition("_DEFAULTS: dict[str, float] = {")[2].partition("\n}")[0]
    found = [
        (name, limits._DEFAULTS[name], " ".join(comment.split()))
        for name, comment in re.findall(r'"(\w+)": [^#]*?# ([^\n]*)', table)
    ]
    assert len(found) == len(limits._DEFAULTS), "a bound has no comment"
    return found


def _number(value: float) -> str:
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value >= size and value % size == 0:
            return f"{value // size} {unit}" if value // size > 1 or unit != "KiB" else f"{value:,}"
    return f"{value:,}"


def _objects(names: tuple[str, ...]) -> str:
    shown = "    options:\n      show_if_no_docstring: true\n"
    return "".join(f"::: pyshellhooks.{name}\n{shown if name in _ALL else ''}\n" for name in names)


def _limits() -> str:
    rows = [f"| `{name}` | {_number(default)} | {cell(meaning)} |\n" for name, default, meaning in bounds()]
    text = "# Limits, streams and ends\n\n"
    text += "`Limits(output=1024)` changes a bound of a run; `Shell` and `HookEngine` take `limits=`. A breach ends the run.\n\n"
    text += f"| bound | default | meaning |\n|---|---|---|\n{''.join(rows)}\n"
    return text + _objects(
        ("limits.Limits", "ended.Exited", "ended.Signaled", "ended.Stopped", "ended.Abandoned", "streams.base.Stream")
    )


def pages() -> dict[str, str]:
    """Return the texts of all pages, by their paths below docs/."""
    made = {
        f"reference/{name}.md": f"# {title}\n\n{first}\n\n{_objects(objects)}".rstrip("\n") + "\n"
        for name, (title, first, objects) in _PAGES.items()
    }
    return {**made, "reference/limits.md": _limits().rstrip("\n") + "\n"}
