"""Windows's text rules, tested everywhere.

Argument quoting: "Parsing C++ command-line arguments" (Microsoft Learn). Lists: rule 12.
"""

from __future__ import annotations

import errno

import pytest

from pyshellhooks.host import windows_text as text
from pyshellhooks.host.base import CannotStart


@pytest.mark.parametrize(
    ("value", "elements"),
    [
        ("C:/a:D:/b", ["C:/a", "D:/b"]),
        (r"C:\a;D:\b", [r"C:\a", r"D:\b"]),
        ("C:/a;D:/b:E:/c", ["C:/a", "D:/b", "E:/c"]),
        ("/usr/bin:/c/x", ["/usr/bin", "/c/x"]),
        ("bin:C:/a::x", ["bin", "C:/a", "", "x"]),
        ("a:b", ["a", "b"]),
        ("C:", ["C:"]),
        ("", [""]),
    ],
)
def test_split_list(value: str, elements: list[str]) -> None:
    assert text.split_list(value) == elements


@pytest.mark.parametrize(
    ("shell", "native"),
    [("C:/a b:D:/", r"C:\a b;D:" + "\\"), ("/c/Users/x:C:/y", r"C:\Users\x;C:\y"), ("C:/a::b", r"C:\a;.;b"), ("", "")],
)
def test_native_list(shell: str, native: str) -> None:
    assert text.native_list(shell) == native


def test_lists_make_the_round_trip() -> None:
    native = r"C:\Windows\system32;D:\a b\c;E:" + "\\"
    assert text.shell_list(native) == "/c/Windows/system32:/d/a b/c:/e/"
    assert text.native_list(text.shell_list(native)) == native
    assert text.shell_list(r'"C:\Program Files";;D:\x') == "/c/Program Files:/d/x"


@pytest.mark.parametrize("value", ["/c/x:/d/y", "/usr/bin:/bin", "bin::lib:", "//server/share/x:/c/y", ".", ""])
def test_a_script_s_list_stays(value: str) -> None:
    assert text.shell_list(value) == value


@pytest.mark.parametrize(
    ("value", "expected"), [(r"\\server\share\x;C:\y", "//server/share/x:/c/y"), ("C:/a:tools:D:/b", "/c/a:tools:/d/b")]
)
def test_shell_list(value: str, expected: str) -> None:
    assert text.shell_list(value) == expected


def test_only_lists_are_converted() -> None:
    env = {"PATH": "C:/a:C:/b", "NOTE": "C:/a:b", "COMSPEC": "x"}
    system = {"SYSTEMROOT": r"C:\Windows", "SECRET": "no"}
    assert text.child_env(env, system) == {
        "SYSTEMROOT": r"C:\Windows", "PATH": r"C:\a;C:\b", "NOTE": "C:/a:b", "COMSPEC": "x", "PYTHONUTF8": "1",
    }  # fmt: skip


def test_names_differing_in_case_are_one_for_a_child() -> None:
    assert text.child_env({"Path": "a", "PATH": "b", "": "x", "a=b": "y"}, {}) == {"PATH": "b", "PYTHONUTF8": "1"}


@pytest.mark.parametrize(
    "env", [{"PYTHONUTF8": "0"}, {"PythonUtf8": "1"}, {"PYTHONIOENCODING": "cp1252"}, {"PYTHONIOENCODING": ""}]
)
def test_the_encoding_of_python_is_the_callers_choice(env: dict[str, str]) -> None:
    assert text.child_env(env, {}) == env


NATIVE = {
    "USERPROFILE": r"c:\Users\me", "USERNAME": "me", "TEMP": r"C:\Temp\1", "TMP": r"C:\Temp", "Path": r"C:\x;D:\y",
    "PYTHONPATH": r"C:\lib", "NOTE": r"C:\x;D:\y",
}  # fmt: skip
OF_A_SCRIPT = {
    **NATIVE, "HOME": "C:/Users/me", "USER": "me", "LOGNAME": "me", "TMPDIR": "C:/Temp/1", "PATH": "/c/x:/d/y", "PYTHONPATH": "/c/lib",
}  # fmt: skip
del OF_A_SCRIPT["Path"]


def everything(path: str) -> bool:
    return True


def test_a_script_s_environment_has_its_own_names_and_lists() -> None:
    assert text.shell_env(NATIVE, everything) == OF_A_SCRIPT


def test_a_script_s_environment_is_converted_once() -> None:
    assert text.shell_env(OF_A_SCRIPT, everything) == OF_A_SCRIPT
    assert text.shell_env({"A": "1"}, everything) == {"A": "1"}


@pytest.mark.parametrize(
    ("home", "expected"), [(r"d:\h", "D:/h"), ("/d/h", "D:/h"), ("D:/h", "D:/h"), (r"\\server\me\h", "//server/me/h")]
)
def test_the_own_variables_come_first(home: str, expected: str) -> None:
    env = {**NATIVE, "HOME": home, "TMPDIR": home, "USER": "u", "LOGNAME": "l"}
    found = text.shell_env(env, everything)
    assert [found[name] for name in ("HOME", "TMPDIR", "USER", "LOGNAME")] == [expected, expected, "u", "l"]


def test_a_home_without_a_drive_stays() -> None:
    assert text.shell_env({"HOME": "/home/user"}, lambda path: False) == {"HOME": "/home/user"}


@pytest.mark.parametrize(
    ("argument", "quoted"),
    [
        ("plain", "plain"),
        ("", '""'),
        ("a b", '"a b"'),
        ('a"b', r'"a\"b"'),
        (r"a\b", r"a\b"),
        ("a b\\", r'"a b\\"'),
        (r"a\"b", r'"a\\\"b"'),
        (r"a\\b c", r'"a\\b c"'),
    ],
)
def test_command_line(argument: str, quoted: str) -> None:
    assert text.command_line(["x", argument]) == f"x {quoted}"


def test_batch_arguments_are_all_quoted() -> None:
    line = text.batch_command_line(r"C:\cmd.exe", r"C:\a b.cmd", ["x&y", 'say "hi"', "dir\\", ""])
    assert line == r'"C:\cmd.exe" /d /e:on /v:off /s /c ""C:\a b.cmd" "x&y" "say ""hi""" "dir\\" """'


@pytest.mark.parametrize("argument", ["%PATH%", "100%", "a\nb", "a\rb"])
def test_arguments_that_cmd_cannot_take_are_refused(argument: str) -> None:
    with pytest.raises(OSError) as caught:
        text.batch_command_line("cmd", "x.bat", [argument])
    assert caught.value.errno == errno.EINVAL
    assert caught.value.strerror and caught.value.strerror.startswith("a batch file cannot take")
    assert caught.value.strerror.endswith(f": {argument!r}")


def test_a_directory_that_is_too_long_is_named() -> None:
    text.check_directory("C:" + "\\x" * 128)
    path = "\\\\?\\C:" + "\\x" * 128 + "y"
    with pytest.raises(CannotStart) as caught:
        text.check_directory(path)
    shown = "C:" + "/x" * 128 + "y"
    assert (caught.value.errno, caught.value.why.endswith(f": {shown}")) == (errno.ENAMETOOLONG, True)


@pytest.mark.parametrize(
    ("code", "status"),
    [(0, 0), (1, 1), (255, 255), (256, 1), (258, 2), (0x80000000, 1), (0xC0000005, 139), (0xC0000409, 134),
     (0xCFFFFFFF, 134), (0xC000013A, 130), (0xFFFFFFFF, 255), (0xFFFFFF02, 2), (0xFFFFFF00, 1), (9009, 127)],
)  # fmt: skip
def test_status_of(code: int, status: int) -> None:
    assert text.status_of(code) == status


@pytest.mark.parametrize(
    "path",
    ["aux", "AUX", "aux.txt", "C:/x/nul", "C:\\x\\con.tar.gz", "prn.", "com1 ", "lpt9 .txt", "conin$", "CONOUT$.x", "nul:", "aux/x",
     "C:/nul::$DATA", "com\N{SUPERSCRIPT TWO}.log"],
)  # fmt: skip
def test_names_of_devices(path: str) -> None:
    assert text.has_reserved_name(path)


@pytest.mark.parametrize(
    "path",
    ["auxiliary", "C:/con_fig", "x.aux", ".nul", "com0", "com10", "com", "lpt", "conin", "C:/console/nullable.txt", " aux", "/dev/null", ""],
)  # fmt: skip
def test_names_of_files(path: str) -> None:
    assert not text.has_reserved_name(path)


@pytest.mark.parametrize(
    ("path", "is_placeholder"),
    [
        ("C:/Users/me/AppData/Local/Microsoft/WindowsApps/python3.exe", True),
        (r"c:\users\me\appdata\local\microsoft\windowsapps\py.exe", True),
        ("C:/Program Files/WindowsApps/Python/python3.exe", False),
        ("C:/Python312/python.exe", False),
    ],
)
def test_is_placeholder(path: str, is_placeholder: bool) -> None:
    assert text.is_placeholder(path) is is_placeholder


@pytest.mark.parametrize(
    ("pathext", "extensions"),
    [
        (".COM;.EXE;.BAT;.CMD;.VBS;.JS;.MSC", [".com", ".exe", ".bat", ".cmd"]),
        (".CMD;.EXE", [".cmd", ".exe"]),
        ("", [".com", ".exe", ".bat", ".cmd"]),
    ],
)
def test_extensions(pathext: str, extensions: list[str]) -> None:
    assert text.extensions(pathext) == extensions


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("C:/", "C:/"), ("C:\\", "C:/"), ("c:/", "C:/"), ("C:", "C:/"), ("C:.", "C:/"), ("C://", "C:/"), ("C:/.", "C:/"),
        ("C:/./", "C:/"), ("C:/x/..", "C:/"), ("C:\\x\\..\\..", "C:/"), ("C:/..", "C:/"), ("C:/x/y/../../", "C:/"),
        ("C:/...", "C:/"), ("C:/ ", "C:/"), ("C:/. /", "C:/"), ("C:/x/.. ", "C:/"), ("C:/::$INDEX_ALLOCATION", "C:/"),
        ("C:/:$I30:$INDEX_ALLOCATION", "C:/"), ("/", "/"), ("\\", "/"), ("/..", "/"), ("/x/..", "/"),
        ("//server/share", "//server/share"), ("\\\\server\\share\\", "//server/share"), ("//s/c$/x/..", "//s/c$"),
        ("//server/share/..", "//server/share"), ("//server", "//server"), ("//", "//"), ("///", "//"),
        ("\\\\?\\C:\\", "C:/"), ("//?/c:", "C:/"), ("//./C:/", "C:/"), ("\\??\\C:\\", "C:/"), ("//?/C:/x/..", "C:/"),
        ("\\\\?\\UNC\\server\\share", "//server/share"), ("//?/unc/server/share/.", "//server/share"),
        ("//?/Volume{1a2b}/", "//?/Volume{1a2b}"), ("//?/Volume{1a2b}", "//?/Volume{1a2b}"),
        ("//?/GLOBALROOT/Device/HarddiskVolume1/", "//?/GLOBALROOT/Device/HarddiskVolume1"),
        ("C:/x", ""), ("C:/x/", ""), ("c:\\x\\y\\..", ""), ("C:x", ""), ("C:/.x", ""), ("C:/..x", ""), ("C:/x/...", ""),
        ("C:/x:s", ""), ("/x", ""), ("/c:x", ""), ("//server/share/x", ""), ("//server/share/x/..y", ""), ("x", ""),
        ("//?/C:/x", ""), ("//?/UNC/server/share/x", ""), ("//?/Volume{1a2b}/x", ""), ("//./COM1/x", ""), ("NUL", ""),
        ("//?/GLOBALROOT/Device/HarddiskVolume1/x", ""),
    ],
)  # fmt: skip
def test_volume_root(path: str, root: str) -> None:
    """Return a drive's or share's root for each spelling ("Naming Files, Paths, and Namespaces", Microsoft Learn)."""
    assert text.volume_root(path) == root
