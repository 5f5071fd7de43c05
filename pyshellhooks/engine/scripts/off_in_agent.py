"""The reasons why a hook does not work in its agent, although it may here, found in its command and scripts.

``fire``, ``explain``, ``check`` and ``doctor`` all use this module, so they agree on whether a hook is off. Nothing is run.
A reason never changes a verdict: if the embedded shell runs a script that the agent can't run, its deny counts.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from stat import S_ISDIR
from typing import TYPE_CHECKING, TypeGuard

from ...analysis.bash_only import bash_only, checks_or_starts_bash, text_for_sh, texts_for_sh
from ...analysis.named_commands import (
    SHELLS,
    NamedCommand,
    assigned,
    named_by,
    named_commands,
    nodes,
    parse_script,
    static_text,
    static_words,
)
from ...errors import ShellSyntaxError, Stop
from ...fs.base import READ
from ...hooks.dialect import Dialect
from ...hooks.installed import ENDING
from ...hooks.model import HookEvent, HookJob, HookRun
from ...host import current
from ...interp.probe import HEAD, BadShebang, probe
from ...interp.resolve import undotted
from ...notice import Notice
from ...syntax import check_text
from ...syntax.nodes.commands import List
from ...syntax.nodes.simple import Simple
from ...syntax.nodes.words import CommandSub, Parameter, Word
from ...syntax.parser import parse
from ...syntax.source import Source
from ...text import decode
from .first_line import fault
from .off_reason import FIRST_LINE, OffReason, Text
from .referenced_scripts import candidates, is_file, path_values

if TYPE_CHECKING:
    from ...fs.base import FileSystem
    from .dash_echo import Echo

LARGEST = 1 << 18  # bytes of a script that are read
_DEPTH = 8  # nested scripts
_REMEMBERED = 256
_SOURCING = frozenset({".", "source"})
EXECUTE_BITS = 0o111
_FAILS = re.compile(r"\bexit\s+-?(?!0\b|2\b)\d|\bfalse\s*\Z|\bkill\b")
#: Part of a text that may block, by its exit status or its output.
_MAY_BLOCK = re.compile(r"\bexit\s+2\b|\b(?:block|deny|continue)\b")
_ONE = re.compile(r"\b(exit\s+)1\b")
#: A text that tests for the execute bit, or sets it.
_KNOWS_THE_BIT = re.compile(r"\bchmod\b|-x\s")
#: Variables of agents with a directory of the user: on another machine it may have a blank.
_PLACES = re.compile(r"_(?:PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA)\Z")
_VARIABLES = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)")
_UNREADABLE = (ShellSyntaxError, Stop, RecursionError)
_DASH = "dash, the sh of Debian and Ubuntu,"
#: Beginning of a word that is not a path below the working directory.
_FROM_ELSEWHERE = re.compile(r"[/~$]|\.\.|.:")
_EXIT = re.compile(r"^[ \t]*(exit\b.*)", re.MULTILINE)
#: A path below the directory of a plugin.
_PLUGIN_ROOT = re.compile(r"""\$\{?(CLAUDE_PLUGIN_ROOT)\}?"?/""")
_MARK = "\ufeff"
_USUAL_PATH = ["/usr/bin", "/bin"]  # the default of a shell without PATH
_NOT_THERE = frozenset({"command-not-found", "file-not-found", "file-not-runnable"})

Files = dict[str, tuple[int, ...]]


def reasons(job: HookJob, event: HookEvent | None, dialect: Dialect, fs: FileSystem) -> tuple[list[OffReason], Files]:
    """Return the reasons why a hook is off in its agent, if it ran now, and the files that were read.

    ``event``: an example of an event that runs it; None if it is not known.
    """
    reading = _Reading(job, event, dialect, fs)
    if not dialect.session_files:  # only the embedded shell reads the files of a session
        reading.job()
    return reading.found, reading.files


def signature(fs: FileSystem, path: str) -> tuple[int, ...]:
    """Return mode, inode, size and modification time of a file; () if it is missing."""
    try:
        found = fs.stat(path)
    except OSError:
        return ()
    return found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns


def _has_changed(files: Files, fs: FileSystem) -> bool:
    """Return whether one of the files has changed."""
    return any(signature(fs, path) != known for path, known in files.items())


class _Reading:
    """The check of one hook's command and the scripts that it runs. ``files``: each tested path and its signature."""

    __slots__ = ("_dialect", "_event", "_fs", "_job", "_seen", "_values", "files", "found")

    def __init__(self, job: HookJob, event: HookEvent | None, dialect: Dialect, fs: FileSystem) -> None:
        self._job = job
        self._event = event
        self._dialect = dialect
        self._fs = fs
        self._values = path_values(job.env)
        self._seen: set[str] = set()
        self.found: list[OffReason] = []
        self.files: Files = {}

    def job(self) -> None:
        """Read the command of the job."""
        self._path()
        self._plugin_root()
        if self._job.argv is not None:
            self._text_for_sh(text_for_sh(self._job.argv), Text(""), (0, 0))
            self._files_of(named_by(self._job.argv), Text(""))
            return
        # A hook may name its shell; "bash" still means the usual sh, except on Windows, where Git's bash runs it
        # (claude_code 4).
        is_own = (self._job.spec.extra.get("shell") or "bash") != "bash" or current().windows or self._is_moved()
        shell = "" if is_own else self._dialect.shell
        self._read(Text(self._job.command, shell=shell, because=f"{self._dialect.title} runs it with {shell}"))

    def _plugin_root(self) -> None:
        """Add a reason if settings use the variable for a plugin's directory, which only hooks of plugins have."""
        origin = self._job.spec.origin
        is_settings = any(origin.file.endswith(f"/{name}") for name in self._dialect.file_names)
        named = _PLUGIN_ROOT.search(self._job.command)
        if named is None or not is_settings or origin.plugin or self._job.env.get(named[1]):
            return
        message = f"${named[1]} is empty: {self._dialect.title} sets it only for hooks of plugins, not of settings"
        whole = Text(self._job.command)
        fix = 'write "$CLAUDE_PROJECT_DIR"/, or move the hook to hooks/hooks.json of the plugin'
        self.found.append(OffReason("variable-unset", named[0], message, fix, whole, named.span()))

    def _path(self) -> None:
        """Add a reason if no directory of PATH exists: the agent's shell then finds builtins only."""
        path = self._job.env.get("PATH", "")
        is_agents = not current().windows and not self._is_moved() and self._dialect.execute_bit
        if not path or not is_agents or self._fs.host_path("/") is None:
            return
        if not any(self._fs.exists(self._fs.absolute(self._job.cwd, one)) for one in path.split(":")):
            message = f"no directory of PATH exists here ({path}): the shell of {self._dialect.title} finds no program"
            whole = Text(self._job.command)
            place, fix = (0, len(whole.text)), "start the agent with a PATH that contains /usr/bin and /bin"
            self.found.append(
                OffReason("program-missing", "PATH", message, fix, whole, place, severity="warning", is_here=True)
            )

    def _is_moved(self) -> bool:
        """Return whether ``serve --install`` has moved the hook: then pyshellhooks runs it for the agent."""
        return self._job.spec.origin.file.endswith(ENDING)

    # -- texts --------------------------------------------------------------------------------------------------------

    def _read(self, text: Text) -> None:
        values = {**self._values, "PWD": self._job.cwd}
        if text.file:
            values |= {"BASH_SOURCE": text.file, "0": text.file}
        try:
            tree = parse_script(text.text)
            commands = named_commands(text.text, values)
        except _UNREADABLE:
            return  # ``check`` and the run itself report the error
        if text.whole:
            self._statuses(tree, text)
        if text.file:
            self._empty(tree, text)
        if text.file and text.shell == "bash":
            self._bash_env(text)
        if text.shell == "sh":
            self._bash_only(tree, text)
            self._echoes(tree, text, text)
        if text.text.startswith(_MARK):
            self._mark(tree, text)
        if text.file and "<<" in text.text:
            self._open_here_document(text)
        self._texts_for_sh(tree, text)
        self._add_unquoted_words(tree, text, assigned(tree, values))
        alone = len(tree.items) == 1 and isinstance(tree.items[0][0], Simple)
        text.whole &= alone and not text.file
        self._files_of(commands, text)

    def _statuses(self, tree: List, text: Text) -> None:
        """Add a reason for each failing end of a guard that does not block, if the guard has no other way to block."""
        if self._event is None or not _FAILS.search(text.text):
            return
        from .script_advice import HookContext, ends_with_one  # here, because few texts need the import

        for one in ends_with_one(text.text, tree, HookContext(self._dialect, self._job.spec, self._event, ())):
            place = one.begin, one.end
            is_sure = one.severity != "hint"
            edits = [(*place, _ONE.sub(r"\g<1>2", text.text[slice(*place)]))] if is_sure else []
            severity = "error" if is_sure else "hint"
            self.found.append(
                OffReason(
                    one.code,
                    text.text[slice(*place)],
                    one.message,
                    one.hint,
                    text,
                    place,
                    edits=edits,
                    severity=severity,
                )
            )

    def _empty(self, tree: List, text: Text) -> None:
        """Add a hint if a script that may be a guard has no command; it may still be unfinished."""
        if text.whole and not tree.items and (self._event is None or self._event.row.guards in ("call", "prompt")):
            message = "the script has no command, so it allows everything"
            place = (0, len(text.text.partition("\n")[0]))
            self.found.append(OffReason("no-effect", "", message, "write the guard", text, place, severity="hint"))

    def _bash_env(self, text: Text) -> None:
        """Add a hint if the agent's bash first runs the file in BASH_ENV, which may exit (bash manual 6.2)."""
        path = self._job.env.get("BASH_ENV", "")
        if path and not self._is_moved() and self._is_there(self._fs.absolute(self._job.cwd, path)):
            message = f"BASH_ENV is set: bash runs {path} before this script, but pyshellhooks does not"
            place, fix = (0, len(text.text.partition("\n")[0])), "unset BASH_ENV"
            reason = OffReason("switched-off", "BASH_ENV", message, fix, text, place, severity="hint", is_here=True)
            self.found.append(reason)

    def _mark(self, tree: List, text: Text) -> None:
        """Add a reason if a byte order mark is part of the first command's name; before ``#!`` it only hides that."""
        first = tree.items[0][0] if tree.items else None
        if text.file and isinstance(first, Simple) and Source(text.text).line(first.pos) == 1:
            message = "it begins with a byte order mark, which a shell reads as a part of the first command's name"
            fix, place = "save it as UTF-8 without one", (0, first.end)
            self.found.append(OffReason("byte-order-mark", text.text[slice(*place)], message, fix, text, place))

    def _open_here_document(self, text: Text) -> None:
        """Add a reason if a here-document without a delimiter swallows an ``exit``, which never runs."""
        problem = next((one for one in check_text(text.text) if one.severity == "warning"), None)
        if problem is None:
            return
        line = Source(text.text).line(problem.offset)
        swallowed = _EXIT.search(text.text, text.text.find("\n", problem.offset))
        if swallowed is not None:
            message = f"the here-document of line {line} has no end, so {swallowed[1]} is a part of it"
            place = swallowed.span(1)
            fix = "write its end on a line of its own"
            self.found.append(OffReason("here-document", swallowed[1], message, fix, text, place))

    def _bash_only(self, tree: List, text: Text) -> None:
        """Add one reason for all bash-only parts of a text that sh reads."""
        parts = bash_only(tree, text.text)
        if not parts:
            return
        names = ", ".join(dict.fromkeys(part.name for part in parts))
        message = f"{text.because}, but {_DASH} does not know {names}"
        fix = "do not use that syntax, or move it to a script whose first line is #!/bin/bash"
        if text.file:
            fix = "begin it with #!/bin/bash" if text.because.startswith("its") else "run it with bash"
        place = parts[0].pos, parts[0].end
        severity = self._severity(text.text)
        self.found.append(OffReason("bash-under-sh", parts[0].name, message, fix, text, place, severity=severity))

    def _echoes(self, tree: List, sh: Text, text: Text, place: tuple[int, int] | None = None) -> None:
        """Add one reason for each way in which the ``echo`` of dash corrupts a text of the payload.

        ``sh``: the text that sh reads. ``text``, ``place``: the text and the place to report; they differ for ``sh -c``.
        """
        if "echo" not in sh.text or checks_or_starts_bash(sh.text):
            return
        from .dash_echo import echoes  # here, because few hooks need the import

        kinds: dict[int, list[Echo]] = {}
        for echo in echoes(tree, sh.text, has_input=bool(self._job.stdin)):
            kinds.setdefault(echo.kind, []).append(echo)
        for same in kinds.values():
            first = same[0]
            severity = self._severity_of_echo(first, sh.text)
            if not severity:
                continue
            edits = [] if place else [echo.edit for echo in same if echo.edit is not None]
            self.found.append(
                OffReason(
                    "echo-under-sh",
                    first.shown if first.kind else "echo",
                    f"{sh.because}, and the echo of {_DASH} {first.harm(self._dialect.title)}",
                    first.hint,
                    text,
                    place or (first.command.pos, first.command.end),
                    severity=severity,
                    edits=edits,
                    only_with=first.harmful,
                )
            )

    def _severity_of_echo(self, echo: Echo, text: str) -> str:
        """Return the severity; ``""`` if a corrupted text does not affect a decision."""
        if self._event is not None and not self._event.row.guards:
            return ""  # no call, prompt or result is in its payload
        severity = self._severity(text)
        if echo.is_rarely_harmful:
            return "warning" if severity == "error" else ""
        if not echo.kind and not _MAY_BLOCK.search(text):
            return "warning"
        return severity

    def _texts_for_sh(self, tree: List, text: Text) -> None:
        """Add the bash-only parts of texts after ``sh -c``."""
        for node, inner in texts_for_sh(tree):
            self._text_for_sh(inner, text, (node.pos, node.end))

    def _text_for_sh(self, inner: str, text: Text, place: tuple[int, int]) -> None:
        try:
            tree = parse(inner)
        except _UNREADABLE:
            return
        self._echoes(tree, Text(inner, shell="sh", because="sh runs this text"), text, place)
        parts = bash_only(tree, inner)
        if parts:
            message = f"sh runs this text, but {_DASH} does not know {parts[0].name}"
            severity = self._severity(f"{text.text}\n{inner}")
            reason = OffReason("bash-under-sh", parts[0].name, message, "write bash -c", text, place, severity=severity)
            self.found.append(reason)

    def _severity(self, text: str) -> str:
        """Return "error" if a text that dash can't read may be a guard's, else "warning": on some systems sh is bash.

        A hook before a call is a guard, itself or by a script. After a call or at the end of a turn, most hooks only format
        or report.
        """
        guards = "call" if self._event is None else self._event.row.guards
        if guards in ("result", "stop"):
            return "error" if _MAY_BLOCK.search(text) else "warning"
        return "error" if guards else "warning"

    # -- words --------------------------------------------------------------------------------------------------------

    def _add_unquoted_words(self, tree: List, text: Text, values: Mapping[str, str]) -> None:
        """Add unquoted words that name a file and that a shell splits at a blank in the value of a variable."""
        if "IFS" in values:
            return
        for word, whole, parts, is_cd in _expanded(tree, values):
            parts = [part for part in parts if not self._is_pasted(part)]
            split = [part for part in parts if _has_blank(part, values)]
            elsewhere = [part for part in parts if _PLACES.search(getattr(part, "name", ""))]
            path = self._fs.absolute(self._job.cwd, whole)
            is_sought = self._is_directory(path) if is_cd else self._is_there(path)
            if not (split or elsewhere) or not is_sought:
                continue
            place = word.pos, word.end
            name = text.text[slice(*place)]
            edit = *place, _quoted(word, split or elsewhere, text.text)
            first = (split or elsewhere)[0]
            variable, fix = text.text[first.pos : first.end], f"quote it: {edit[2]}"
            if split:
                sought = whole.split()[0]
                message = f"{variable} is not quoted, and its value has a blank: the shell looks for {sought}"
                reason = OffReason("unquoted-variable", name, message, fix, text, place, edits=[edit], sought=sought)
            else:
                message = (
                    f"{variable} is not quoted: below a directory with a blank in its name, the shell finds nothing"
                )
                reason = OffReason("unquoted-variable", name, message, fix, text, place, edits=[edit], severity="hint")
            self.found.append(reason)

    def _is_pasted(self, part: Parameter | CommandSub) -> bool:
        """Return whether the system itself replaces a variable in the command by its quoted value."""
        return isinstance(part, Parameter) and not part.braced and part.name in self._dialect.pasted

    # -- files --------------------------------------------------------------------------------------------------------

    def _files_of(self, commands: Iterable[NamedCommand], text: Text) -> None:
        """Check the files that the commands of a text name."""
        for command, one in candidates(commands, self._job.cwd):
            if one.word is None or one.searched:
                continue
            paths = [self._fs.absolute(directory, undotted(one.word)) for directory in one.directories]
            path = next((path for path in paths if self._is_there(path)), None)
            if not text.file and one.sure and not one.adrift and len(one.directories) == 1:
                self._relative(command, one.word, path, text)
            runs = one.by in (one.word, command.name) and (command.script or one.by == one.word)
            if path is not None and runs and path not in self._seen:
                self._seen.add(path)
                self._script(command, one.word, path, text)

    def _script(self, command: NamedCommand, word: str, path: str, text: Text) -> None:
        """Read a script that is run by its path or as the operand of a shell."""
        by, shell, because = command.by.rpartition("/")[2], text.shell, text.because
        if not command.script:
            if self._is_started_by_system(path):
                self._execute_bit(command, word, path, text)
                self._first_line(path, text)
            own, because = self._shell_of(path, text)
            if own is None:
                return
            shell = own
        elif by not in _SOURCING:
            shell, because = "sh" if by == "dash" else by, f"{by} runs it"
        if text.depth < _DEPTH:
            content = self._content(path)
            self._read(Text(content, path, shell, because, depth=text.depth + 1, whole=text.whole))

    def _shell_of(self, path: str, starter: Text) -> tuple[str | None, str]:
        """Return the shell that runs a script by its path, and why; None if another program runs it."""
        try:
            probed = probe(self._fs, path)
        except (BadShebang, OSError):
            return None, ""
        if probed.shebang is None:
            return (starter.shell, "its first line names no shell") if probed.kind == "source" else (None, "")
        base = probed.shebang.base
        if base in ("sh", "dash") and not current().windows:
            return "sh", f"{FIRST_LINE} {base}"
        return (base, "") if base in SHELLS else (None, "")

    def _is_started_by_system(self, path: str) -> bool:
        """Return whether the operating system of the agent starts a script that is run by its path."""
        if not self._dialect.execute_bit or current().windows or self._is_moved():
            return False
        return self._fs.host_path(path) is not None

    def _first_line(self, path: str, text: Text) -> None:
        """Add a reason if the operating system can't start a script because of its first line."""
        head = self._content(path, HEAD)
        line = head.partition("\n")[0]
        script = Text(head, path)
        if line.startswith("#!"):
            searched = [one for one in self._job.env.get("PATH", "").split(":") if one] or _USUAL_PATH
            found = fault(line, self._job.cwd, searched, self._is_there)
            if found is not None:
                place = found.column - 1, len(line)
                self.found.append(
                    OffReason(
                        found.code,
                        line,
                        found.message,
                        found.hint,
                        script,
                        place,
                        severity=found.severity,
                        is_here=found.severity == "warning",
                    )
                )
        elif self._job.argv is not None and not text.file and "\0" not in head:
            message = f"it has no #! line, and {self._dialect.title} starts it without a shell"
            self.found.append(
                OffReason("interpreter", line, message, "begin it with #!/bin/sh", script, (0, len(line)))
            )

    def _execute_bit(self, command: NamedCommand, word: str, path: str, text: Text) -> None:
        """Add a reason if a script has no execute bit."""
        if self.files[path][0] & EXECUTE_BITS:
            return
        message = f"{word} has no execute bit: {self._dialect.title} can't start it"
        severity = "warning" if _KNOWS_THE_BIT.search(text.text) else "error"
        fix, place = f"chmod +x {current().relative(path)}", command.span(word)
        self.found.append(OffReason("not-executable", word, message, fix, text, place, severity=severity, no_bit=path))

    def _relative(self, command: NamedCommand, word: str, path: str | None, text: Text) -> None:
        """Add a reason for a relative path of a script: the agent may be in another directory of the project."""
        own = f"{self._dialect.name.partition('_')[0].upper()}_PROJECT_DIR"
        variable = "CLAUDE_PLUGIN_ROOT" if self._job.env.get("CLAUDE_PLUGIN_ROOT") else own
        root = self._job.env.get(variable, "").rstrip("/")
        if _FROM_ELSEWHERE.match(word) or not root:
            return
        inner, place = undotted(word), command.span(word)
        fix = f'write "${variable}"/{inner}' if self._job.argv is None else f"write ${{{variable}}}/{inner}"
        if path is None:
            if root != self._job.cwd and self._is_there(f"{root}/{inner}"):
                message = f"{word} is in {root}, but the agent is in {self._job.cwd}"
                self.found.append(OffReason("relative-script", word, message, fix, text, place, sought=word))
        elif self._dialect.cwd_moves:
            message = f"{self._dialect.title} does not find {word} when it is in another directory of the project"
            self.found.append(OffReason("relative-script", word, message, fix, text, place, severity="hint"))

    def _is_there(self, path: str) -> bool:
        """Return whether a path is a regular file, and record its signature."""
        self.files[path] = signature(self._fs, path)
        return is_file(self._fs, path)

    def _is_directory(self, path: str) -> bool:
        self.files[path] = signature(self._fs, path)
        mode = self.files[path][:1]
        return bool(mode) and S_ISDIR(mode[0])

    def _content(self, path: str, most: int = LARGEST) -> str:
        try:
            stream = self._fs.open(path, READ).retain()
        except OSError:
            return ""
        try:
            return decode(stream.read(most))
        except OSError:
            return ""
        finally:
            stream.release()


def _expanded(tree: List, values: Mapping[str, str]) -> Iterator[tuple[Word, str, list[Parameter | CommandSub], bool]]:
    """Yield the words with unquoted expansions of known value.

    Each with its text as if quoted, its unquoted parts, and whether it is an operand of ``cd``.
    """
    for node in nodes(tree):
        if not isinstance(node, Simple) or static_words(node)[:1] in (["echo"], ["printf"]):
            continue
        for word in node.words:
            if not isinstance(word, Word):
                continue
            parts = [part for part in word.parts if isinstance(part, Parameter | CommandSub)]
            text = static_text(word, values) if parts else None
            if text:
                yield word, text, parts, static_words(node)[:1] == ["cd"]


def _has_blank(part: Parameter | CommandSub, values: Mapping[str, str]) -> bool:
    text = static_text(Word((part,), part.pos, part.end), values)
    return text is not None and len(f"x{text}x".split()) > 1


def _quoted(word: Word, parts: Sequence[Parameter | CommandSub], text: str) -> str:
    """Return the text of a word with these parts in double quotes."""
    written, at = "", word.pos
    for part in parts:
        written += f'{text[at : part.pos]}"{text[part.pos : part.end]}"'
        at = part.end
    return written + text[at : word.end]


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


def tell(run: HookRun, found: Iterable[OffReason], *, is_run_by_program: bool) -> None:
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


__all__ = ["Known", "OffReason", "reasons", "tell"]
