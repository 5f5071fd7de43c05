"""Text of Windows: paths, PATH, environments, command lines. No system calls, so that tests run on every system."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence

from ..regexes import lazy_pattern
from ..windows_paths import Exists, script_path_or_relative, slashed
from .base import CannotStart

# Variables whose value is a list of directories. A guess by value would convert "a:b;c" in a message too.
_LISTS = """
    PATH CDPATH CLASSPATH GOPATH INFOPATH LD_LIBRARY_PATH MANPATH NODE_PATH PERL5LIB PKG_CONFIG_PATH PSMODULEPATH
    PYTHONPATH RUBYLIB XDG_CONFIG_DIRS XDG_DATA_DIRS
"""
PATH_LISTS = frozenset(_LISTS.split())
# Without the first a program can't even load its libraries; the others are paths of the system, not of the user.
SYSTEM_VARIABLES = ("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT")
_DRIVE = lazy_pattern(r"[A-Za-z]:")
_DEVICES = ("//?/", "//./", "/??/")  # prefixes of device names, which include drives and shares
_SLASH_DRIVE = lazy_pattern(r"/[A-Za-z](?:/|\Z)")
# Between the elements of a list: a semicolon, or a colon that is not part of a drive. A drive is a single letter, and
# its colon is followed by a slash or the end of the element.
_SEPARATOR = lazy_pattern(r";|(?<![A-Za-z]):|(?<=[^:;][A-Za-z]):|:(?![/\\;]|\Z)")
_UNQUOTED = lazy_pattern(r"[^ \t\n\v\"]+")
_SLASHES_AND_MARK = lazy_pattern(r'(?<!\\)(\\*+)"')
_LAST_SLASHES = lazy_pattern(r"(?<!\\)(\\++)\Z")
PROGRAMS = (".com", ".exe", ".bat", ".cmd")  # the extensions of PATHEXT that CreateProcess or cmd.exe can start


def drive_of(path: str) -> str:
    """Return the drive of a path (``C:`` of ``C:/x``), or ``""``."""
    return path[:2] if _DRIVE.match(path) else ""


def native_path(path: str) -> str:
    """Return the path with Windows's separators; ``/c/x``, as other shells on Windows write it, becomes ``C:\\x``."""
    path = slashed(path)
    if _SLASH_DRIVE.match(path):
        path = f"{path[1].upper()}:{path[2:] or '/'}"
    return path.replace("/", "\\")


def volume_root(path: str) -> str:
    """Return the root of a drive or share if a path leads to it (``C:/``, ``//server/share``, ``/``), otherwise "".

    A path is parsed as Windows does, or more strictly: ``..`` only removes the name before it, and blanks and dots at
    the end of a name and the name of a stream are ignored.
    """
    path = slashed(path)
    if path.startswith(_DEVICES):
        path = path[4:]
        if path[:4].lower() == "unc/":
            path = "//" + path[4:]
        elif not drive_of(path):
            depth = 3 if path.lower().startswith("globalroot/") else 1  # GLOBALROOT/Device/HarddiskVolume1
            return _root_above("//?/", path, depth)
    if path.startswith("//"):
        return _root_above("//", path, 2)
    drive = drive_of(path)
    return _root_above(f"{drive.upper()}/", path[len(drive) :], 0)


def _root_above(prefix: str, path: str, depth: int) -> str:
    """Return ``prefix`` and the first ``depth`` names of a path if the other names lead back there, otherwise ""."""
    names = [name for name in path.split("/") if name]
    below: list[str] = []
    for name in names[depth:]:
        if name.rstrip(" ") == "..":
            del below[-1:]
        elif name.partition(":")[0].rstrip(" ."):
            below.append(name)
    return "" if below else prefix + "/".join(names[:depth])


_PORTS = "123456789\N{SUPERSCRIPT ONE}\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT THREE}"
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", *(name + port for name in ("com", "lpt") for port in _PORTS)]
)


def has_reserved_name(path: str) -> bool:
    """Return whether a path has the name of a device, which Windows opens instead of a file in every directory.

    ``aux.txt``, ``AUX .`` and ``aux:x`` are such names too ("Naming Files, Paths, and Namespaces", Microsoft Learn). A read
    of a serial port or of the console may wait for ever, and a write to NUL is lost.
    """
    names = slashed(path).lower().split("/")
    return any(name.partition(":")[0].partition(".")[0].rstrip(" ") in _RESERVED for name in names)


def split_list(value: str) -> list[str]:
    """Split a list of directories at ``;``, and at ``:`` unless it belongs to a drive letter."""
    return _SEPARATOR.split(value)


def native_list(value: str) -> str:
    """Return the native form of a script's PATH."""
    if not value:
        return ""
    return ";".join(native_path(element) if element else "." for element in split_list(value))


def shell_list(value: str) -> str:
    """Return a list of directories in a script's form: ``/c/x:/d/y``, which ``IFS=:`` splits; such a list stays as it is.

    An empty element of a native list means nothing, one of a script's list the working directory.
    """
    elements = split_list(value.replace('"', ""))  # Windows takes quoted elements
    if ";" in value:
        elements = [element for element in elements if element]
    return ":".join(map(_list_element, elements))


def _list_element(path: str) -> str:
    path = slashed(path)
    drive = drive_of(path)
    if drive and path[2:3] in ("", "/"):
        return f"/{drive[0].lower()}{path[2:]}"
    return path


def child_env(env: Mapping[str, str], system: Mapping[str, str]) -> dict[str, str]:
    """Return a native environment. Of names that differ only in case the last counts: Windows ignores case.

    A Python without a choice of its own gets UTF-8: it would read and write pipes in the code page of the machine.
    """
    variables: dict[str, tuple[str, str]] = {}
    for name in SYSTEM_VARIABLES:
        if name in system:
            variables[name] = (name, system[name])
    for name, value in env.items():
        if name and "=" not in name:
            upper = name.upper()
            variables[upper] = (name, native_list(value) if upper in PATH_LISTS else value)
    if variables.keys().isdisjoint(("PYTHONUTF8", "PYTHONIOENCODING")):
        variables["PYTHONUTF8"] = ("PYTHONUTF8", "1")
    return dict(variables.values())


#: Variables that scripts expect, and the ones of Windows with the same meaning.
_NAMES_OF_WINDOWS = {
    "HOME": ("HOME", "USERPROFILE"),
    "TMPDIR": ("TMPDIR", "TEMP", "TMP"),
    "USER": ("USER", "USERNAME"),
    "LOGNAME": ("LOGNAME", "USERNAME"),
}


def shell_env(env: Mapping[str, str], exists: Exists) -> dict[str, str]:
    """Return a script's environment for a native one; a script's own environment stays as it is.

    Lists of directories, HOME and TMPDIR get the script's form. Windows ignores the case of names, so ``Path`` is PATH.
    """
    variables: dict[str, str] = {}
    for name, value in env.items():
        if name.upper() in PATH_LISTS:
            value = shell_list(value)
            if name.upper() == "PATH" and "PATH" not in env:
                name = "PATH"
        variables[name] = value
    for name, sources in _NAMES_OF_WINDOWS.items():
        source = next((source for source in sources if env.get(source)), None)
        if source is not None:
            value = env[source]
            variables[name] = script_path_or_relative(value, exists) if name in ("HOME", "TMPDIR") else value
    return variables


#: The statuses of a placeholder whose program is not installed: its own, and the one of ``status_of`` for 9009.
PLACEHOLDER_STATUSES = (49, 127)
_WSL_STUBS = ("/system32/bash.exe", "/microsoft/windowsapps/bash.exe")  # they start WSL, if it is installed


def is_wsl_stub(path: str) -> bool:
    """Return whether a path is that of a ``bash`` of Windows, which runs in another file system, if at all."""
    return slashed(path).lower().endswith(_WSL_STUBS)


def is_placeholder(path: str) -> bool:
    """Return whether a program is an alias of the Microsoft Store. Windows has ``python3.exe`` there without a Python."""
    return "/microsoft/windowsapps/" in slashed(path).lower()


def extensions(pathext: str) -> list[str]:
    """Return the extensions to try, in PATHEXT's order, that name programs which can be started."""
    wanted = [extension.strip().lower() for extension in pathext.split(";")]
    return [extension for extension in wanted if extension in PROGRAMS] or list(PROGRAMS)


def command_line(argv: Sequence[str]) -> str:
    """Join arguments so that the C runtime of a program splits them into the same ones."""
    return " ".join(_quote(argument) for argument in argv)


def _quote(argument: str) -> str:
    if _UNQUOTED.fullmatch(argument):
        return argument
    # Backslashes are special only before a quotation mark, including the closing one.
    return '"' + _LAST_SLASHES.sub(r"\1\1", _SLASHES_AND_MARK.sub(r'\1\1\\"', argument)) + '"'


def batch_command_line(cmd: str, script: str, arguments: Sequence[str]) -> str:
    """Join arguments for a ``.bat`` or ``.cmd``, which cmd.exe parses by its own rules.

    Between quotation marks all characters are literal except ``%`` and quotation marks, which are doubled: cmd stays
    inside, and the C runtime of a program behind it sees one. A ``%`` may begin a variable, in cmd or in the batch
    file, and a line break ends the command. Neither can be escaped, so they raise ``CannotStart`` (EINVAL).
    """
    words = [script, *arguments]
    text = "".join(words)
    for character, name in (("\n", "a line break"), ("\r", "a carriage return"), ("%", '"%"')):
        if character in text:
            word = next(word for word in words if character in word)
            why = f"a batch file cannot take an argument with {name}: {word!r}"
            raise CannotStart(errno.EINVAL, why, script, hint="pass the text on stdin or in a variable")
    if '"' in script:
        raise OSError(errno.EINVAL, "Invalid argument", script)
    return f'"{cmd}" /d /e:on /v:off /s /c "{" ".join(_quote_for_batch(word) for word in words)}"'


def _quote_for_batch(word: str) -> str:
    trailing = len(word) - len(word.rstrip("\\"))
    return '"' + word.replace('"', '""') + "\\" * trailing + '"'


#: The longest working directory of a process; the limit holds for ``\\\\?\\`` paths too (CreateProcess).
LONGEST_DIRECTORY = 258


def check_directory(path: str) -> None:
    """Raise ``CannotStart`` if no program can start in a directory because its native path is too long."""
    if len(path) > LONGEST_DIRECTORY:
        shown = slashed(path.removeprefix("\\\\?\\"))
        why = f"no program can start in a directory whose path has more than {LONGEST_DIRECTORY} characters: {shown}"
        raise CannotStart(errno.ENAMETOOLONG, why, path, hint="use a directory with a shorter path")


def status_of(code: int) -> int:
    """Return the shell status of an exit code (32 bits). A crash never looks like success or an ordinary failure.

    A crash is an NTSTATUS of severity "error" (0xC0000000 to 0xCFFFFFFF). A larger code is a negative one of
    ``exit``: its low byte is the status, as in POSIX (``exit(-1)`` is 255, ``exit(-254)`` is 2).
    """
    if code == 0xC000013A:  # ended by Ctrl-C
        return 130
    if code == 9009:  # cmd.exe, of a command that it does not find
        return 127
    if 0xC0000000 <= code <= 0xCFFFFFFF:
        return 139 if code == 0xC0000005 else 134
    status = code & 0xFF
    if code and not status:  # only the low byte is 0: the program has failed
        return 1
    return status
