"""The reasons why a hook does not work in its agent, although it may here, found in its command and scripts.

``fire``, ``explain``, ``check`` and ``doctor`` all use this module, so they agree on whether a hook is off. Nothing is run.
A reason never changes a verdict: if the embedded shell runs a script that the agent can't run, its deny counts.

``_Reading`` finds the texts and the scripts; the rules of ``off_rules`` check each of them.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, TypeGuard

from ...analysis.bash_only import text_for_sh
from ...analysis.named_commands import SHELLS, NamedCommand, named_by, named_commands, parse_script
from ...hooks.dialect import Dialect
from ...hooks.model import HookEvent, HookJob, HookRun
from ...interp.probe import BadShebang, probe
from ...interp.resolve import undotted
from ...notice import Notice
from ...syntax.nodes.commands import List
from ...syntax.nodes.simple import Simple
from .agent_hook import UNREADABLE, AgentHook, Files, NamedScript, ParsedText, ShText, signature
from .off_reason import FIRST_LINE, OffReason, Text
from .off_rules import HOOK_RULES, NAMED_SCRIPT_RULES, TEXT_RULES
from .referenced_scripts import Candidate, candidates, runs_file

if TYPE_CHECKING:
    from ...fs.base import FileSystem

_DEPTH = 8  # nested scripts
_REMEMBERED = 256
_SOURCING = frozenset({".", "source"})
_VARIABLES = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)")
_NOT_THERE = frozenset({"command-not-found", "file-not-found", "file-not-runnable"})


def reasons(job: HookJob, event: HookEvent | None, dialect: Dialect, fs: FileSystem) -> tuple[list[OffReason], Files]:
    """Return the reasons why a hook is off in its agent, if it ran now, and the files that were read.

    ``event``: an example of an event that runs it; None if it is not known.
    """
    reading = _Reading(AgentHook(job, event, dialect, fs))
    if not dialect.session_files:  # only the embedded shell reads the files of a session
        reading.read_job()
    return reading.found, reading.hook.files


def _has_changed(files: Files, fs: FileSystem) -> bool:
    """Return whether one of the files has changed."""
    return any(signature(fs, path) != known for path, known in files.items())


class _Reading:
    """The check of one hook's command and the scripts that it runs. ``found``: the reasons, in the order of reading."""

    __slots__ = ("_seen", "found", "hook")

    def __init__(self, hook: AgentHook) -> None:
        self.hook = hook
        self.found: list[OffReason] = []
        self._seen: set[str] = set()

    def read_job(self) -> None:
        """Read the command of the job."""
        hook, job = self.hook, self.hook.job
        for rule in HOOK_RULES:
            self.found += rule(hook)
        if job.argv is not None:
            no_text = Text("")
            for_sh = list(ShText.parsed(text_for_sh(job.argv), (0, 0)))
            self._check_text(ParsedText(no_text, List((), 0, 0), {}, for_sh))
            self._check_files(named_by(job.argv), no_text)
            return
        # A hook may name its shell; "bash" still means the usual sh (claude_code 4).
        names_other_shell = (job.spec.extra.get("shell") or "bash") != "bash"
        shell = "" if names_other_shell or hook.is_moved else hook.dialect.shell
        # On Windows it is Git's bash. The reason counts there too: a guard's config is for the whole team.
        self._read(
            Text(job.command, shell=shell, because=f"outside Windows, {hook.dialect.title} runs it with {shell}")
        )

    def _read(self, text: Text) -> None:
        """Read a text of a shell, then the scripts that it names."""
        values = {**self.hook.values, "PWD": self.hook.job.cwd}
        if text.file:
            values |= {"BASH_SOURCE": text.file, "0": text.file}
        try:
            tree = parse_script(text.text)
            commands = named_commands(text.text, values)
        except UNREADABLE:
            return  # ``check`` and the run itself report the error
        self._check_text(ParsedText(text, tree, values))
        alone = len(tree.items) == 1 and isinstance(tree.items[0][0], Simple)
        text.whole &= alone and not text.file
        self._check_files(commands, text)

    def _check_text(self, parsed: ParsedText) -> None:
        for rule in TEXT_RULES:
            self.found += rule(self.hook, parsed)

    def _check_files(self, commands: Iterable[NamedCommand], text: Text) -> None:
        """Check the files that the commands of a text name, and read those that a shell reads."""
        hook = self.hook
        for command, one in candidates(commands, hook.job.cwd):
            if one.word is None or one.searched:
                continue
            paths = [hook.fs.absolute(directory, undotted(one.word)) for directory in one.directories]
            path = next((path for path in paths if hook.is_there(path)), None)
            is_new = path is not None and path not in self._seen
            is_read = is_new and runs_file(command, one)
            self._check_script(command, one, path, text, is_read=is_read)
            if path is not None and is_read:
                self._seen.add(path)
                self._read_script(command, path, text)

    def _check_script(
        self, command: NamedCommand, one: Candidate, path: str | None, text: Text, *, is_read: bool
    ) -> None:
        is_run = path is not None and is_read and not command.script
        is_started = path is not None and is_run and self.hook.starts_script(path)
        is_one_path = len(one.directories) == 1 and not one.adrift
        is_certain = is_one_path and one.sure and not text.file
        script = NamedScript(command, one.word or "", path, text, is_started=is_started, is_certain=is_certain)
        for rule in NAMED_SCRIPT_RULES:
            self.found += rule(self.hook, script)

    def _read_script(self, command: NamedCommand, path: str, text: Text) -> None:
        """Read a script that is run by its path or as the operand of a shell."""
        by, shell, because = command.by.rpartition("/")[2], text.shell, text.because
        if not command.script:
            own, because = self._shell_of(path, text)
            if own is None:
                return
            shell = own
        elif by not in _SOURCING:
            shell, because = "sh" if by == "dash" else by, f"{by} runs it"
        if text.depth < _DEPTH:
            self._read(Text.of_script(self.hook.content(path), path, shell, because, text))

    def _shell_of(self, path: str, starter: Text) -> tuple[str | None, str]:
        """Return the shell that runs a script by its path, and why; None if another program runs it."""
        try:
            probed = probe(self.hook.fs, path)
        except (BadShebang, OSError):
            return None, ""
        if probed.shebang is None:
            return (starter.shell, "its first line names no shell") if probed.kind == "source" else (None, "")
        base = probed.shebang.base
        if base in ("sh", "dash"):
            return "sh", f"{FIRST_LINE} {base}"
        return (base, "") if base in SHELLS else (None, "")


class Known:
    """A cache of the reasons of a system's hooks, each valid until a file that it depends on changes."""

    __slots__ = ("_dialect", "_names", "_reasons")

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._names: dict[str, tuple[str, ...]] = {}
        self._reasons: dict[Hashable, tuple[Files, list[OffReason]]] = {}

    def of(self, job: HookJob, event: HookEvent, fs: FileSystem) -> list[OffReason]:
        """Return the reasons why a hook is off in its agent now."""
        key = job.spec.id, job.command, job.argv, job.cwd, event.project_dir, event.row.native, self._values(job)
        remembered = self._reasons.get(key)
        if remembered is not None and not _has_changed(remembered[0], fs):
            return remembered[1]
        every, files = reasons(job, event, self._dialect, fs)
        now = [one for one in every if one.is_off]
        if len(self._reasons) >= _REMEMBERED:
            self._reasons.clear()
        self._reasons[key] = files, now
        return now

    def _values(self, job: HookJob) -> tuple[str | None, ...]:
        """Return the values of the variables that the command names."""
        names = self._names.get(job.command)
        if names is None:
            names = self._names[job.command] = tuple(dict.fromkeys(_VARIABLES.findall(job.command)))
        return tuple([job.env.get(name) for name in ("PATH", *names)])


def add_reasons(run: HookRun, found: Iterable[OffReason], *, is_run_by_program: bool) -> None:
    """Add the reasons why a hook is off in the agent to its run. If the run already has a notice of one, extend that.

    ``is_run_by_program``: the shells of this machine run scripts.
    """
    is_run_by_program &= not any(isinstance(one, Notice) and one.kind == "stand-in" for one in run.notices)
    for reason in found:
        known = [one for one in run.notices if reason.sought and _is_about(one, reason.sought)]
        notice = reason.notice(is_run_by_program)
        if not known:
            run.notices += (notice,)
            run.faults += (notice,) if notice.fault else ()
        for one in known:
            better = one.changed(kind="off-in-agent", message=f"{one.message}: {reason.message}", hint=reason.hint)
            run.notices = tuple([better if other is one else other for other in run.notices])
            run.faults = tuple([better if other == one else other for other in run.faults])


def _is_about(one: str, sought: str) -> TypeGuard[Notice]:
    """Return whether a notice reports this word as not found: as a command, or as the operand of a shell."""
    if not isinstance(one, Notice) or one.kind not in _NOT_THERE:
        return False
    return f" {one.command}".endswith(f" {sought}")


__all__ = ["Known", "OffReason", "add_reasons", "reasons"]
