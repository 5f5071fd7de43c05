"""Look-up of every command that the hooks of an engine name, as their runs will find it on this machine."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from ...analysis.named_commands import NamedCommand, named_by, named_commands, nodes, parse_script
from ...builtins._index import INDEX as BUILTINS
from ...command.usual_places import SHELL_NAMES, program_meant
from ...errors import Diagnostic, ShellSyntaxError, Stop, message_of
from ...hooks.fields import sample
from ...hooks.model import HookJob, HookSession, HookSpec
from ...interp.builtin import ABSENT_BUILTINS
from ...interp.probe import SHELLS, BadShebang, foreign_script, probe
from ...interp.resolve import PYTHONS, undotted
from ...interp.script_files import EMBEDDED, Choice, choose, python_for
from ...jsontext.compact import JSON
from ...shell import Shell
from ...syntax import check_text
from ...syntax.nodes.commands import Function, List
from ...syntax.nodes.simple import Simple
from ...syntax.source import Source
from ...text import decode
from ...utilities._index import INDEX as UTILITIES
from ..engine import HookEngine
from ..scripts import off_in_agent
from ..scripts.excused import Excused, excused
from ..scripts.referenced_scripts import Candidate, candidates, is_directory, is_file, path_values, runs_file
from ..system import System

LARGEST = 1 << 20  # bytes of a script that are read
FINE = frozenset({"builtin", "utility", "script", "program"})
OURS = frozenset(UTILITIES) | SHELL_NAMES
_SOURCING = frozenset({".", "source"})


class CommandLookup:
    """The look-up of one command that a hook names, a row of ``doctor``.

    ``kind``: ``builtin utility script program missing unreadable unsupported off-in-agent``.

    ``code`` is the code of ``codes`` if it will not run. ``line`` and ``column`` are those of the hook's command,
    or of the script ``file``. ``excused``: the text tests for it, or continues without it. ``hint``: a hint that is
    more specific than the default one of the code.
    """

    __slots__ = (
        "code",
        "column",
        "end_column",
        "excused",
        "file",
        "id",
        "kind",
        "hint",
        "line",
        "message",
        "name",
        "origin",
        "path",
        "spec",
    )

    def __init__(
        self,
        spec: HookSpec,
        name: str,
        line: int,
        kind: str,
        message: str = "",
        file: str = "",
        *,
        code: str = "",
        path: str = "",
    ) -> None:
        self.spec = spec
        self.id = spec.id
        self.origin = str(spec.origin)
        self.name = name
        self.line = line
        self.kind = kind
        self.message = message
        self.file = file
        self.code = code
        self.path = path  # of a file, also if it is missing
        self.column = self.end_column = 0
        self.excused = False
        self.hint = ""

    @property
    def fine(self) -> bool:
        """Whether it will run."""
        return self.kind in FINE

    def as_json(self) -> dict[str, JSON]:
        """Return it as a JSON object."""
        names = ("file", "id", "kind", "line", "column", "name", "origin", "code")
        return {"detail": self.message, **{name: getattr(self, name) for name in names}}

    def __repr__(self) -> str:
        return f"CommandLookup({self.id}: {self.name} is {self.kind})"


def examine(engine: HookEngine, *, spawn: bool = True) -> list[CommandLookup]:
    """Look up every command that the hooks name, as their runs would. Runs no hook."""
    found: list[CommandLookup] = []
    for system in engine.systems:
        for spec in system.specs:
            found += _hook(engine, system, spec, spawn)
    return found


def refusals(engine: HookEngine) -> list[Diagnostic]:
    """Return warnings on programs that hooks name, for an engine without processes: a guard that needs one denies."""
    if engine.runner.shells is None:
        return []
    found: list[Diagnostic] = []
    for system in engine.systems:
        for spec in system.specs:
            if spec.kind != "command":
                continue
            for finding in _hook(engine, system, spec, False):
                if finding.kind == "unsupported":
                    hint = "allow processes (spawn=True), or use built-in commands"
                    message = f"{finding.name}: {finding.message}"
                    found.append(spec.origin.diagnostic(message, hint, "warning", code="needs-process"))
    return found


def _hook(engine: HookEngine, system: System, spec: HookSpec, spawn: bool) -> Iterator[CommandLookup]:
    if spec.kind != "command":
        yield CommandLookup(
            spec, spec.kind, 1, "unsupported", f'the host must provide a handler for hooks of type "{spec.kind}"'
        )
        return
    row = system.dialect.events.get(spec.event)
    if row is None:
        return  # never fired; the loader has reported it
    session = engine.temporary_session()
    event = system.make_views(row, False, sample(row, False), session).event
    # The directory of the sample event need not exist on this machine.
    event.cwd = system.host_context.cwd
    job = system.dialect.job(event, spec, system.host_context)
    shell = _shell(engine, session if system.dialect.session_files else None)
    found, _ = off_in_agent.reasons(job, event, system.dialect, shell.fs)
    sought: set[str] = set()
    off: list[off_in_agent.OffReason] = []
    for one in found:
        is_certain = one.severity == "error" or one.only_with is None
        if one.is_off and is_certain:
            off.append(one)
            sought.add(one.sought)
    for finding in Look(spec, job, shell, spawn).job():
        # The reason why the hook is off names the same script already.
        if finding.code != "script-missing" or finding.name not in sought:
            yield finding
    for one in off:
        yield _off(spec, one)


def _off(spec: HookSpec, reason: off_in_agent.OffReason) -> CommandLookup:
    """Return why a hook is off in its agent, as a finding."""
    name, line, file = reason.name, reason.line, reason.file
    found = CommandLookup(spec, name, line, "off-in-agent", reason.message, file, code=reason.code, path=reason.no_bit)
    found.column, found.end_column = reason.column, reason.end_column
    found.hint = reason.hint
    return found


def _shell(engine: HookEngine, session: HookSession | None) -> Shell:
    """Return the shell that runs the engine's commands; a new one for a host's own executor, which is not called."""
    shells = engine.runner.shells
    return shells.shell_for(session) if shells is not None else Shell()


def _separators(word: str, written: str) -> str:
    r"""Return a hint for a Windows path that lost its separators: for a shell ``.\hooks\x.sh`` is ``.hooksx.sh``."""
    # An unquoted backslash quotes the next character and is removed (POSIX XCU 2.2.1).
    lost = "\\" in written and written.replace("\\", "") == word
    return f"a shell removes each \\: write {written.replace(chr(92), '/')}" if lost else ""


class Text:
    """A text that a shell runs: the hook's command (``file`` is ""), or a script that it names.

    ``whole``: its status and its output are the hook's output.
    """

    __slots__ = ("file", "text", "whole")

    def __init__(self, file: str, text: str, whole: bool) -> None:
        self.file = file
        self.text = text
        self.whole = whole


class _Process:
    """One shell process: a script and the files that it sources share their functions.

    ``unread``: it sources, or evaluates, a text that can't be read here. ``missing``: its commands that were not found,
    and whether each may be a function of that text.
    """

    __slots__ = ("functions", "missing", "script", "unread")

    def __init__(self, script: str) -> None:
        self.script = script
        self.functions: set[str] = set()
        self.missing: dict[CommandLookup, bool] = {}
        self.unread = False

    def values(self, file: str) -> dict[str, str]:
        """Return the variables from which a file that it reads can compute its path: ``$0`` and ``BASH_SOURCE``."""
        found = {"BASH_SOURCE": file} if file else {}
        return {**found, "0": self.script} if self.script else found

    def reads(self, one: Candidate) -> None:
        """Set ``unread`` if a text is sourced or evaluated whose content is not known."""
        if one.word is None and (one.by in _SOURCING or one.by == "eval"):
            self.unread = True

    def source(self, other: _Process) -> None:
        """Add the functions of a sourced file."""
        self.functions |= other.functions
        self.unread |= other.unread

    def may_define(self, finding: CommandLookup) -> bool:
        """Return whether a missing command is, or may be, one of its functions."""
        if finding not in self.missing:
            return False
        if finding.name in self.functions:
            return True
        # A text that was not read may define any function.
        if not self.unread or finding.name in UTILITIES:
            return False
        return self.missing[finding]


class _Written:
    """A text with the values that are known when it starts. It is parsed only if a command is missing."""

    __slots__ = ("_excused", "_source", "_text", "_tree", "_values")

    def __init__(self, text: str, values: Mapping[str, str]) -> None:
        self._text = text
        self._values = values
        self._source = Source(text)
        self._tree: List | None = None
        self._excused = Excused()

    def place(self, found: CommandLookup, command: NamedCommand, word: str, process: _Process) -> None:
        """Set a finding's columns to its word; if it will not run, also set ``excused`` and ``hint``."""
        begin, end = command.span(word)
        if not found.fine:
            tree = self._parse()
            words = (word, command.name)
            found.excused = any(self._excused.covers(one, is_utility=found.name in UTILITIES) for one in words)
            found.hint = _separators(word, self._source.text[slice(begin, end)]) or found.hint
            is_command = word == command.name and not command.by
            if is_command and found.code == "program-missing":
                # A command in a function runs later, maybe after a file is sourced that defines it.
                process.missing[found] = process.unread or _in_function(tree, begin)
        if self._source.line(begin) == found.line:
            found.column, found.end_column = self._source.columns(begin, end)

    def _parse(self) -> List:
        if self._tree is None:
            self._tree = parse_script(self._text)
            self._excused = excused(self._tree, self._values)
        return self._tree


class Look:
    """The look-up of the commands and files that one hook names.

    ``texts``: the texts that it has read, in order.
    """

    __slots__ = ("_job", "_seen", "_shell", "_sourced", "_spawn", "_spec", "_values", "_where", "texts")

    def __init__(self, spec: HookSpec, job: HookJob, shell: Shell, spawn: bool = True) -> None:
        self._spec = spec
        self._job = job
        self._shell = shell
        self._spawn = spawn
        self._where = shell.where(job.env, job.cwd)
        self._where.spawn &= spawn
        self._seen: set[str] = set()
        self._sourced: dict[str, _Process] = {}  # by path: functions and missing commands of each sourced file
        self._values = path_values(job.env)
        self.texts: list[Text] = []

    @property
    def spec(self) -> HookSpec:
        """The hook."""
        return self._spec

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of its environment."""
        return self._job.env

    def job(self) -> Iterator[CommandLookup]:
        """Yield the commands and files that the hook names."""
        if self._job.argv is None:
            yield from self.text(self._job.command, cwd=self._job.cwd)
            return
        # Only the agent knows the user's settings of a plugin (claude_code 2).
        words = [None if "${user_config." in word else word for word in self._job.argv]
        for command, one in candidates(named_by(words), self._job.cwd):
            if one.word is not None:
                yield from self._candidate(command, one, _Process(""))

    def text(self, text: str, file: str = "", real: str = "", *, cwd: str) -> Iterator[CommandLookup]:
        """Yield the commands and files of a script's text, each once.

        ``real``: the shell program that runs it, if not the embedded shell.
        """
        process = _Process(file)
        for finding in list(self._text(text, process, file, real, cwd)):
            if not process.may_define(finding):
                yield finding

    def _text(self, text: str, process: _Process, file: str, real: str, cwd: str) -> Iterator[CommandLookup]:
        """Yield the commands and files of a text that a shell runs or sources."""
        self.texts.append(Text(file, text, self._is_whole()))
        values = {**self._values, "PWD": cwd} | process.values(file)
        try:
            commands = named_commands(text, values, functions=process.functions)
        except (ShellSyntaxError, Stop, RecursionError):
            process.unread = True
            problem = next((one for one in check_text(text) if one.severity == "error"), None)
            if problem is None:  # it sets an option that changes parsing: shopt -s extglob
                return
            found = CommandLookup(self._spec, file or "its command", problem.line, "unreadable", problem.message, file)
            found.code, found.column, found.hint = problem.code, problem.column, problem.hint
            yield found
            return
        written, told = _Written(text, values), set[str]()
        for command, one in candidates(commands, cwd):
            process.reads(one)
            if one.word is None or one.word in told:
                continue
            told.add(one.word)
            for found in self._candidate(command, one, process, file, real):
                if found.file == file:
                    written.place(found, command, one.word, process)
                yield found

    def _is_whole(self) -> bool:
        """Return whether the status and the output of the next text are the hook's output."""
        if not self.texts:
            return True
        if len(self.texts) > 1 or self.texts[0].file:
            return False
        return self._is_one_command()

    def _is_one_command(self) -> bool:
        """Return whether the hook's command is one simple command, so that its script's output is the hook's."""
        if self._job.argv is not None:
            return True
        tree = parse_script(self._job.command)
        return len(tree.items) == 1 and isinstance(tree.items[0][0], Simple)

    def _candidate(
        self, command: NamedCommand, one: Candidate, process: _Process, file: str = "", real: str = ""
    ) -> Iterator[CommandLookup]:
        assert one.word is not None
        if one.searched:
            yield self.command(one.word, command.line, file, real)
        elif not real and program_meant(self._shell.fs, one.word) in OURS:
            yield CommandLookup(self._spec, one.word, command.line, "utility", file=file)
        elif runs_file(command, one):
            yield from self._file(command, one, process, file, real)
        else:
            yield from self._operand(command, one, file)

    def _operand(self, command: NamedCommand, one: Candidate, file: str) -> Iterator[CommandLookup]:
        """Look up the file that is an operand of another program, such as an interpreter of another language."""
        assert one.word is not None
        paths = self._paths(one)
        path = next((path for path in paths if is_file(self._shell.fs, path)), None)
        if path is not None:
            yield CommandLookup(self._spec, one.word, command.line, "script", path, file, path=path)
        elif one.sure and not one.adrift:
            detail = f"{paths[0]}: No such file or directory"
            yield CommandLookup(
                self._spec, one.word, command.line, "missing", detail, file, code="script-missing", path=paths[0]
            )

    def _paths(self, one: Candidate) -> list[str]:
        assert one.word is not None
        return [self._shell.fs.absolute(directory, undotted(one.word)) for directory in one.directories]

    def command(self, name: str, line: int, file: str = "", real: str = "") -> CommandLookup:
        """Look up a name without a slash."""
        # A real shell does not have the builtin ``sh`` of this library, but a program of that name.
        if name in BUILTINS and not (real and name in SHELLS):
            return CommandLookup(self._spec, name, line, "builtin", file=file)
        if real:
            return self._real(name, line, file, real)
        if name in UTILITIES or name in SHELLS:
            return CommandLookup(self._spec, name, line, "utility", file=file)
        is_python = self._spawn and name in PYTHONS
        if is_python and self._where.program(name) is None:
            stand_in = python_for(self._where, name)
            if stand_in is not None:
                return CommandLookup(self._spec, name, line, "program", stand_in.notice, file)
        # The directory of a session's own files is not on this disk.
        cwd = self._job.cwd if is_directory(self._shell.fs, self._job.cwd) else "/"
        done = self._shell.run('type -P -- "$1"', name, env=self._job.env, cwd=cwd)
        where = decode(done.stdout).strip()
        if not where:
            return self._missing(name, line, file)
        if not self._spawn:
            detail = f"{where} is a program, but no process may start"
            return CommandLookup(self._spec, name, line, "unsupported", detail, file, code="needs-process")
        return CommandLookup(self._spec, name, line, "program", where, file)

    def _missing(self, name: str, line: int, file: str) -> CommandLookup:
        """Return the finding for a name that was not found."""
        is_of_bash = name in ABSENT_BUILTINS
        where = "a builtin of bash only" if is_of_bash else "neither a builtin nor on PATH"
        finding = CommandLookup(
            self._spec, name, line, "missing", f"it is {where}: status 127", file, code="program-missing"
        )
        finding.hint = "do not use it in the hook" if is_of_bash else ""
        return finding

    def _real(self, name: str, line: int, file: str, real: str) -> CommandLookup:
        """Look up a name for a real shell, which does not have the utilities of this library."""
        found = self._where.program(name)
        if found is not None:
            return CommandLookup(self._spec, name, line, "program", found, file)
        hint = f"install it, or {EMBEDDED}" if name in UTILITIES else "install it"
        detail = f"it is not on PATH, where {real} looks for it; {hint}"
        return CommandLookup(self._spec, name, line, "missing", detail, file, code="program-missing")

    def _file(
        self, command: NamedCommand, one: Candidate, process: _Process, file: str, real: str
    ) -> Iterator[CommandLookup]:
        """Look up a path: the file, its interpreter, and the commands that it names if it is a shell script."""
        spec, name, line = self._spec, one.word or "", command.line
        paths = self._paths(one)
        path = next((path for path in paths if is_file(self._shell.fs, path)), paths[0])
        try:
            probed = probe(self._shell.fs, path)
        except BadShebang as error:
            yield CommandLookup(spec, name, line, "unsupported", str(error), file, code="interpreter", path=path)
            return
        except OSError as error:
            process.unread |= command.by in _SOURCING
            if not one.adrift or posixpath.isabs(name):
                detail = f"{path}: {message_of(error)}"
                yield CommandLookup(spec, name, line, "missing", detail, file, code="script-missing", path=path)
            return
        if probed.kind == "binary":
            if self._spawn:
                yield CommandLookup(spec, name, line, "program", path, file)
            else:
                yield CommandLookup(spec, name, line, "unsupported", "no process may start", file, code="needs-process")
            return
        detail = path
        decides_itself = not command.script  # the first line of ``sh file`` is a comment
        if decides_itself and probed.shebang is None:
            foreign = foreign_script(self._shell.fs, path, name)
            if foreign:
                reason = "; ".join(foreign)
                yield CommandLookup(spec, name, line, "unsupported", reason, file, code="interpreter", path=path)
                return
        if decides_itself and probed.shebang is not None:
            choice = choose(self._where, path, probed.shebang)
            is_shell = choice.embedded or probed.shebang.base in SHELLS
            if choice.status or not is_shell:
                yield CommandLookup(spec, name, line, "script", path, file, path=path)
                yield self._interpreter(path, probed.shebang.base, choice)
                return
            real = choice.program or ""
            if choice.embedded and choice.notice:
                detail = f"{path}: {choice.notice}"
        yield CommandLookup(spec, name, line, "script", detail, file, path=path)
        yield from self._script(path, command, process, real, one.directories[0])

    def _interpreter(self, path: str, name: str, choice: Choice) -> CommandLookup:
        """Return the look-up of the program in a script's first line."""
        kind = {0: "program", 126: "unsupported", 127: "missing"}[choice.status]
        code = {0: "", 126: "needs-process", 127: "program-missing"}[choice.status]
        return CommandLookup(self._spec, name, 1, kind, choice.notice or choice.program or "", path, code=code)

    def _script(
        self, path: str, command: NamedCommand, process: _Process, real: str, cwd: str
    ) -> Iterator[CommandLookup]:
        """Yield the commands and files of a script that a shell runs or sources."""
        if command.script and command.by in _SOURCING:
            yield from self._source(path, process, real, cwd)
        elif path not in self._seen:
            self._seen.add(path)
            yield from self.text(self._read(path), path, real, cwd=cwd)

    def _source(self, path: str, process: _Process, real: str, cwd: str) -> Iterator[CommandLookup]:
        """Yield the commands and files of a sourced file, once; add its functions to the sourcing shell every time."""
        known = self._sourced.get(path)
        if known is None:
            known = self._sourced[path] = _Process(process.script)
            yield from self._text(self._read(path), known, path, real, cwd)
            for finding, behind in known.missing.items():
                process.missing[finding] = behind or process.unread
        process.source(known)

    def _read(self, path: str) -> str:
        stream = self._shell.fs.open(path, 0)
        try:
            return decode(stream.read(LARGEST))
        finally:
            stream.close()


def _in_function(tree: List, place: int) -> bool:
    """Return whether an offset of a text is in a function, whose body runs only when it is called."""
    return any(node.pos <= place < node.end for node in nodes(tree) if isinstance(node, Function))
