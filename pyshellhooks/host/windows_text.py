"""Text of Windows: paths, PATH, environments, command lines. No system calls, so that tests run on every system."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence

from ..regexes import lazy_pattern

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


def slashed(path: str) -> str:
    """Return a native path with the script's separators."""
    return path.replace("\\", "/")


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


def split_list(value: str) -> list[str]:
    """Split a list of directories at ``;``, and at ``:`` unless it belongs to a drive letter."""
    return _SEPARATOR.split(value)


def native_list(value: str) -> str:
    """Return the native form of a script's PATH."""
    return ";".join(native_path(element) if element else "." for element in split_list(value)) if value else ""


def shell_list(value: str) -> str:
    """Return a script's form of a native PATH."""
    return ":".join(slashed(element.strip('"')) for element in value.split(";") if element)


def child_env(env: Mapping[str, str], system: Mapping[str, str]) -> dict[str, str]:
    """Return a native environment. Of names that differ only in case the last counts: Windows ignores case."""
    variables: dict[str, tuple[str, str]] = {}
    for name in SYSTEM_VARIABLES:
        if name in system:
            variables[name] = (name, system[name])
    for name, value in env.items():
        if name and "=" not in name:
            upper = name.upper()
            variables[upper] = (name, native_list(value) if upper in PATH_LISTS else value)
    return dict(variables.values())


def shell_env(env: Mapping[str, str]) -> dict[str, str]:
    """Return a script's environment: with its form of PATH, and with HOME if there is only USERPROFILE."""
    variables = {name: shell_list(value) if name.upper() in PATH_LISTS else value for name, value in env.items()}
    home = env.get("HOME") or env.get("USERPROFILE")
    if home:
        variables["HOME"] = slashed(home)
    return variables


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
    file, and a line break ends the command. Neither can be escaped, so they raise ``OSError`` (EINVAL).
    """
    words = [script, *arguments]
    text = "".join(words)
    if "\n" in text or "\r" in text:
        raise OSError(errno.EINVAL, "a batch file cannot take an argument with a line break", script)
    if "%" in text:
        raise OSError(errno.EINVAL, 'a batch file cannot take an argument with "%"', script)
    if '"' in script:
        raise OSError(errno.EINVAL, "Invalid argument", script)
    return f'"{cmd}" /d /e:on /v:off /s /c "{" ".join(_quote_for_batch(word) for word in words)}"'


def _quote_for_batch(word: str) -> str:
    trailing = len(word) - len(word.rstrip("\\"))
    return '"' + word.replace('"', '""') + "\\" * trailing + '"'


def status_of(code: int) -> int:
    """Return the shell status of an exit code (32 bits). A crash never looks like success or an ordinary failure."""
    if code == 0xC000013A:  # ended by Ctrl-C
        return 130
    if code >= 0xC0000000:
        return 139 if code == 0xC0000005 else 134
    return code & 0xFF or (1 if code else 0)
