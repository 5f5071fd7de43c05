r"""The scratch directory of a record: its paths in each spelling, and its name in an answer replaced by a token.

The token is ``<D>`` for the form that scripts are to see: ``C:/…`` with an upper-case drive, and the plain path on Linux. Any other
form keeps its look: ``<D as C:\>``, ``<D as c:/>``, ``<D as /c/>``. What follows is as it was, with its separators. So two answers are
equal only if their paths have the right form.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from pathlib import Path
from typing import Any

ON_WINDOWS = os.name == "nt"
#: Directories of the programs that Windows lacks.
OF_UNIX = ("/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/")
#: A shell that a record names, and that a machine may have or not.
_ZSH = ("/bin/zsh", "/usr/bin/zsh")
SERVER = "localhost"
_PLACEHOLDER = re.compile(r"@(D|P|JP|HOME)(/[^@\n]*)?@")
_NATIVE = re.compile(r"<D as C:\\+>((?:\\+[^\\\s\"'<>]+)*)")
#: What differs in each run: times, versions, ids of sessions, and columns as wide as a path.
_VARIABLE = (
    (re.compile(r" +\d+(?:\.\d+)? m?s +(?=[a-z])"), "  <TIME>  "),
    (re.compile(r"\b\d+(?:\.\d+)? ms\b|\b\d+\.\d+ s\b"), "<TIME>"),
    (re.compile(r'(?<="seconds": )[\d.e-]+'), "<TIME>"),
    (re.compile(r"Python \d+\.\d+\.\d+"), "Python <VERSION>"),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<ID>"),
    (re.compile(r"(?<=\S) {2,}(?=\S)"), "  "),
)
#: The beginning of a notice: the command as its author wrote it, cut where it is long.
_LABEL = re.compile(r"\A.+? \((?=<text>:\d)", re.DOTALL)
_WORD_END = r"(?![\w.-])"


class Scratch:
    """A directory with ``project``, ``home``, ``tmp`` and ``bin``."""

    def __init__(self, root: Path, spelling: str) -> None:
        self.root = root
        self.spelling = spelling
        self.project = root / "project"
        self.home = root / "home"
        for name in ("project", "home", "tmp", "bin", "other"):
            (root / name).mkdir(parents=True)
        client = root / "bin" / ("pyshellhooks-hook.exe" if ON_WINDOWS else "pyshellhooks-hook")
        client.touch(0o755)  # ``serve --install`` looks for it
        self._pattern = _pattern_of(root)

    def path(self, below: str) -> str:
        """Return a path below the root in the record's spelling."""
        plain = "/".join(part for part in (self.root.as_posix(), below) if part)
        return spell(plain, self.spelling) if ON_WINDOWS else plain

    def payload_path(self, path: str) -> str:
        """Return a payload's path, which is relative to the project, or to the home directory after ``~/``."""
        if path.startswith("~/"):
            return self.path(f"home/{path[2:]}")
        return self.path(path[3:] if path.startswith("../") else f"project/{path}")

    def filled(self, value: Any) -> Any:
        """Return a value with paths in the place of ``@D/x@``, ``@P/x@`` (the project), ``@JP/x@`` (in JSON), ``@HOME/x@``."""
        if isinstance(value, dict):
            return {key: self.filled(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        return _PLACEHOLDER.sub(self._placeholder, value) if isinstance(value, str) else value

    def _placeholder(self, match: re.Match[str]) -> str:
        top = {"D": "", "P": "project", "JP": "project", "HOME": "home"}[match[1]]
        path = self.path(f"{top}{match[2] or ''}".lstrip("/"))
        return path.replace("\\", "\\\\") if match[1] == "JP" else path

    def file(self, name: str) -> Path:
        """Return the place of a file of a table: relative to the project, or below ``@D@`` or ``@HOME@``."""
        for word, top in (("@D@/", self.root), ("@HOME@/", self.home)):
            if name.startswith(word):
                return top / name.removeprefix(word)
        return self.project / name

    def environment(self, more: dict[str, str], first_on_path: list[str]) -> dict[str, str]:
        """Return the variables that this system gives a program, with a directory of no other program on PATH."""
        path = os.pathsep.join([*first_on_path, str(self.root / "bin")])
        more = {"PYSHELLHOOKS_NO_ENGINE": "1", **more}  # no record leaves a process behind
        home, tmp = str(self.home), str(self.root / "tmp")
        if ON_WINDOWS:
            system = {name: os.environ[name] for name in ("SYSTEMROOT", "COMSPEC", "PATHEXT") if name in os.environ}
            own = {"USERPROFILE": home, "USERNAME": "someone", "TEMP": tmp, "TMP": tmp}
            return {**system, **own, "PATH": path, **more}
        return {"HOME": home, "USER": "someone", "LOGNAME": "someone", "TMPDIR": tmp, "PATH": path, **more}

    # -- answers --------------------------------------------------------------------------------------------------------

    def tokens(self, value: Any, native: bool = False) -> Any:
        r"""Return an answer with tokens. With ``native`` the form ``C:\…`` is the right one: a native program wrote it."""
        if isinstance(value, dict):
            return {self.tokens(key): self.tokens(item, native) for key, item in value.items()}
        if isinstance(value, list):
            return [self.tokens(item, native) for item in value]
        if not isinstance(value, str):
            return value
        text = _LABEL.sub("<HOOK> (", value)
        text = self._pattern.sub(self._token, text).replace(sys.executable, "<PYTHON>")
        for pattern, word in _VARIABLE:
            text = pattern.sub(word, text)
        if ON_WINDOWS:
            text = text.replace(sys.executable.replace("\\", "/"), "<PYTHON>")
        return _NATIVE.sub(lambda match: "<D>" + re.sub(r"\\+", "/", match[1]), text) if native else text

    def told_back(self, value: Any) -> Any:
        """Return an input that goes back to the caller: a path in the caller's own form counts as the plain one."""
        if isinstance(value, dict):
            return {key: self.told_back(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.told_back(item) for item in value]
        if not isinstance(value, str):
            return value
        start = self.path("")
        if ON_WINDOWS and value.startswith(start):
            other = "/" if "\\" in start else "\\"
            rest = value.removeprefix(start)
            if other not in rest:
                return "<D>" + rest.replace("\\", "/")
        return self.tokens(value)

    def _token(self, match: re.Match[str]) -> str:
        if not ON_WINDOWS:
            return "<D>"
        start, rest = match["start"], match["rest"]
        separators = set(re.sub(r"[^\\/]", "", rest))
        kind = "mixed" if len(separators) > 1 else separators.pop()
        if start == "C:" and kind == "/":
            return "<D>"
        if self.spelling == "unc" and start.startswith("//") and kind == "/":
            return "<D>"  # a share stays a share, with slashes
        return f"<D as {start}{kind}>"


def tokens(value: Any, root: Path) -> Any:
    """Return an answer with tokens in the place of one directory; a path with a drive and slashes has the right form."""
    scratch = Scratch.__new__(Scratch)
    scratch.root, scratch.spelling, scratch._pattern = root, "C:/x", _pattern_of(root)
    return scratch.tokens(value)


def spell(path: str, spelling: str) -> str:
    """Write a path such as ``C:/x/y`` in another spelling."""
    rest = path[2:]
    forms = {
        "C:\\x": "C:" + rest.replace("/", "\\"),
        "c:\\x": "c:" + rest.replace("/", "\\"),
        "C:/x": "C:" + rest,
        "/c/x": "/c" + rest,
        "/c:/x": "/c:" + rest,
        "unc": f"\\\\{SERVER}\\c$" + rest.replace("/", "\\"),
    }
    return forms[spelling]


def _pattern_of(root: Path) -> re.Pattern[str]:
    """Match the directory in each spelling, also with doubled backslashes as in JSON."""
    if not ON_WINDOWS:
        return re.compile(re.escape(str(root)) + _WORD_END)
    parts = "".join(r"[\\/]+" + re.escape(part) for part in root.parts[1:])
    start = rf"(?:[\\/]{{2,4}}{SERVER}[\\/]+c\$|/[Cc]:?(?=[\\/])|[Cc]:)"
    return re.compile(f"(?P<start>{start})(?P<rest>(?i:{parts})){_WORD_END}")


def hide_programs_of_unix() -> None:
    """Let no program of ``/bin`` and its like exist for this process: Windows has none, and a notice names a missing one."""
    if ON_WINDOWS:
        return
    from pyshellhooks.fs.base import Stat
    from pyshellhooks.fs.host import HostFS
    from pyshellhooks.host.posix import PosixHost

    find, stat = PosixHost.find_executable, HostFS.stat

    def find_elsewhere(host: PosixHost, path: str) -> str | None:
        is_hidden = path.startswith(OF_UNIX) and os.path.realpath(path) != os.path.realpath(sys.executable)
        return None if is_hidden else find(host, path)

    def stat_without_zsh(fs: HostFS, path: str, *, follow: bool = True) -> Stat:
        if path in _ZSH:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return stat(fs, path, follow=follow)

    HostFS.stat = stat_without_zsh  # type: ignore[method-assign]
    PosixHost.find_executable = find_elsewhere  # type: ignore[method-assign]
