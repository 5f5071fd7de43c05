"""``pyshellhooks serve --install SYSTEM`` and ``--uninstall SYSTEM``: show the diff, ask, write the files."""

from __future__ import annotations

import os
import re
import sys
from abc import ABC, abstractmethod
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..text import visible
from . import USAGE_ERROR, arguments, show, terminal
from .parsers import OK

if TYPE_CHECKING:
    from ..resident.install.apply import UninstallPlan
    from ..resident.install.plan import Entry, Plan
    from ..resident.install.targets import Refused, Target

HTTP_SINCE = (2, 1, 295)  # of Claude Code: the first version with onFailure (claude_code 2)


def add_options(parser: arguments.Parser) -> None:
    """Add the options of ``--install`` and ``--uninstall``."""
    group = parser.add_argument_group("in an agent's settings (docs/serve-install.md)")
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--install",
        metavar="SYSTEM",
        help="move command hooks out of the system's settings into a file beside them, and run them with pyshellhooks-hook",
    )
    which.add_argument("--uninstall", metavar="SYSTEM", help="restore the hooks in the settings, byte for byte")
    group.add_argument(
        "--user", action="store_true", help="change your own settings, not the project's; --config names a file"
    )
    group.add_argument("--dry-run", "--show", action="store_true", help="show the changes without making them")
    group.add_argument("--yes", action="store_true", help="make the changes without asking")
    group.add_argument("--absolute", action="store_true", help="write absolute paths, which work on this machine only")
    group.add_argument(
        "--http", metavar="URL", help="write an http hook for an engine at this address (Claude Code only)"
    )
    group.add_argument("--force", action="store_true", help="uninstall even if later edits are lost")


def run(options: Namespace) -> int:
    """Run ``--install`` or ``--uninstall`` and return the exit status."""
    from ..resident.install import targets
    from ..resident.install.targets import Refused

    dialect = targets.dialect_of(options.install or options.uninstall)
    if options.config and options.user:
        raise UsageError(
            "--config and --user exclude each other: --config names a file, --user selects your own settings"
        )
    env = dict(os.environ)
    work = _Install(options, env) if options.install else _Uninstall(options, env)
    files = targets.targets(dialect, options.config, os.getcwd(), env, user=options.user)
    refused = []
    # All files are planned before one is changed, so that a refusal leaves none half done.
    for target in files:
        try:
            work.plan(target)
        except Refused as error:
            refused.append((target, error))
    return work.run(refused)


class _Operation(ABC):
    """Base of install and uninstall: show all changes, ask once, make them."""

    verb = ""

    def __init__(self, options: Namespace, env: dict[str, str]) -> None:
        self.options = options
        self.env = env
        self.plans: list[Any] = []
        self.idle: list[tuple[Target, str]] = []  # files that need no change, and why
        self.notices: list[str] = []
        self.rows: list[dict[str, Any]] = []

    @abstractmethod
    def plan(self, target: Target) -> None:
        """Plan one file. Raises ``Refused``."""

    @abstractmethod
    def changes(self, plan: Any) -> Iterator[str]:
        """Show a plan as a unified diff."""

    @abstractmethod
    def do(self, plan: Any) -> str:
        """Carry out a plan and return a message about it."""

    def run(self, refused: Sequence[tuple[Target, Refused]]) -> int:
        """Show all changes, ask, make them; return the exit status. If one file is refused, no file is changed."""
        self._show(refused)
        done = not refused and self._is_agreed()
        if done:
            for plan in self.plans:
                report = self.do(plan)
                if not self.options.json:
                    arguments.write(report + "\n")
        if self.options.json:
            problems = [str(error) for _, error in refused]
            same = [{"file": target.path, "why": why} for target, why in self.idle]
            arguments.write(
                arguments.to_json({"done": done, "files": self.rows, "unchanged": same, "problems": problems})
            )
        if refused:
            return USAGE_ERROR
        nothing_to_do = not self.plans and self._all_done()
        return OK if done or self.options.dry_run or nothing_to_do else USAGE_ERROR

    def _is_agreed(self) -> bool:
        """Return whether there are changes, and the person wants them."""
        if self.options.dry_run or not self.plans:
            return False
        return arguments.confirmed(self.options, f"serve --{self.verb}", "Change these?")

    def _show(self, refused: Sequence[tuple[Target, Refused]]) -> None:
        lines: list[str] = []
        for plan in self.plans:
            lines += self.changes(plan)
        lines += self.notices
        lines += [f"{visible(target.path)}: {why}" for target, why in self.idle]
        if not self.options.json:
            arguments.write("".join(f"{terminal.wrapped(line, sys.stdout)}\n" for line in lines))
        for _, error in refused:
            terminal.print_error(f"pyshellhooks serve --{self.verb}: {error}")
            if error.now is not None:
                terminal.print_error("\n".join(_diff(error.path, error.before.encode(), error.now.encode())))

    def _all_done(self) -> bool:
        """Return whether it is a success that no file needed a change."""
        return True


class _Install(_Operation):
    verb = "install"

    def __init__(self, options: Namespace, env: dict[str, str]) -> None:
        super().__init__(options, env)
        self.entry = _entry(options)
        self.installed = False

    def plan(self, target: Target) -> None:
        from ..resident.install import apply

        plan = apply.plan_install(target, self.entry)
        stays = [f"{visible(target.path)}: {visible(str(hook))}" for hook in plan.stays]
        if plan.installed:
            self.installed = True
            self.idle.append((target, f"already installed, with the hooks in {visible(target.ours)}"))
            return
        self.notices += stays
        if not plan.moved:
            self.idle.append((target, "nothing to change: none of its hooks can be moved"))
            return
        self.plans.append(plan)
        if self.entry.http:
            which = f"--project {target.root}" if target.root else f"--config {target.ours}"
            self.notices.append(
                f"start the engine with: pyshellhooks serve --port {self.options.http.rpartition(':')[2]} --token-file FILE "
                f"{visible(which)}; Claude Code needs the token in the variable PYSHELLHOOKS_TOKEN"
            )
        elsewhere = "" if self.entry.absolute else apply.elsewhere(target, os.getcwd())
        if elsewhere:
            self.notices.append(f"careful: {visible(elsewhere)}")
        row = {"file": target.path, "ours": target.ours, "moved": plan.moved, "events": list(plan.events)}
        self.rows.append({**row, "stays": [hook._asdict() for hook in plan.stays]})

    def changes(self, plan: Plan) -> Iterator[str]:
        yield from _diff(plan.target.path, plan.settings.data, plan.after)
        yield from _diff(plan.target.ours, b"", plan.ours)
        yield f"{visible(plan.target.undo)} keeps the original hooks"

    def do(self, plan: Plan) -> str:
        from ..resident.install import apply

        trusted = apply.install(plan, self.env)
        more = "; still trusted" if trusted else ""
        return f"{show.counted(plan.moved, 'hook')} moved to {visible(plan.target.ours)}{more}{_review(plan.target)}"

    def _all_done(self) -> bool:
        return self.installed


class _Uninstall(_Operation):
    verb = "uninstall"

    def plan(self, target: Target) -> None:
        from ..resident.install import apply

        back = apply.plan_uninstall(target, force=self.options.force)
        if back is None:
            self.idle.append((target, "nothing to change: not installed"))
            return
        self.plans.append(back)
        self.rows.append({"file": target.path, "ours": target.ours, "changed": back.after is not None})

    def changes(self, plan: UninstallPlan) -> Iterator[str]:
        if plan.after is not None:
            yield from _diff(plan.target.path, plan.settings.data, plan.after)
        yield f"removes {visible(plan.target.ours)} and {visible(plan.target.undo)}"

    def do(self, plan: UninstallPlan) -> str:
        from ..resident.install import apply

        trusted = apply.uninstall(plan, self.env)
        more = "; still trusted" if trusted else ""
        return f"{visible(plan.target.path)}: hooks restored{more}{_review(plan.target)}"


def _review(target: Target) -> str:
    """Return a further line for an agent that runs a changed hook only after a person has reviewed it."""
    from ..resident.install.targets import REVIEWED

    needed = REVIEWED.get(target.dialect.name, "")
    return f"\n{needed}" if needed else ""


def _diff(path: str, before: bytes, after: bytes) -> Iterator[str]:
    return show.difference(visible(path), before, after)


def _entry(options: Namespace) -> Entry:
    """Return the entry that the options describe. Raises ``Refused``, ``UsageError``."""
    from ..resident.install import targets
    from ..resident.install.plan import Entry, program

    if not options.http:
        return Entry(program(options.absolute), absolute=options.absolute)
    if targets.dialect_of(options.install).name != "claude_code":
        raise UsageError("--http: only Claude Code supports http hooks")
    if not re.fullmatch(r"http://(127\.0\.0\.1|localhost):[0-9]+", options.http):
        raise UsageError(
            f"--http {options.http}: expected http://127.0.0.1:PORT, the only address that the engine listens on"
        )
    # An older version would ignore onFailure, and a guard without an engine would be off without a sign.
    version = _claude_version()
    if version < HTTP_SINCE:
        printed = ".".join(map(str, version)) or "no version"
        needed = ".".join(map(str, HTTP_SINCE))
        raise targets.Refused(
            f"--http: `claude --version` prints {printed}, but a failed http hook blocks a call only since {needed} "
            "(onFailure); before, every call would pass without the engine. Update Claude Code, or install without --http"
        )
    return Entry("", http=f"{options.http}/claude_code", absolute=options.absolute)


def _claude_version() -> tuple[int, ...]:
    """Return the version that ``claude --version`` prints; () if it prints none."""
    from ..host.resident import stdout_of

    match = re.search(rb"\b(\d+)\.(\d+)\.(\d+)\b", stdout_of(["claude", "--version"], 10.0))
    if match is None:
        return ()
    return tuple(map(int, match.groups()))
