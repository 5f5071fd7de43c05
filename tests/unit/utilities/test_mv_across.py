"""mv to another file system: as a rename would, it replaces no directory that holds something (GNU coreutils 9.1)."""

from __future__ import annotations

from pyshellhooks import MemoryFS, MountFS, Shell


def run(script: str) -> tuple[int, str, str]:
    fs = MountFS(MemoryFS(), {"/m": MemoryFS()})
    result = Shell(fs=fs, cwd="/", spawn=False).run(f"mkdir -p /w /m/t; cd /w; {script}", timeout=30)
    return result.status, result.stdout.decode(), result.stderr.decode()


def test_a_directory_that_holds_something_stays() -> None:
    status, out, err = run("mkdir d /m/t/d; echo 1 > d/a; echo 2 > /m/t/d/b; mv -v d /m/t; echo $?; ls d /m/t/d")
    assert (status, out) == (0, "1\n/m/t/d:\nb\n\nd:\na\n")
    assert err == "mv: inter-device move failed: 'd' to '/m/t/d'; unable to remove target: Directory not empty\n"


def test_an_empty_one_is_replaced() -> None:
    out = run("mkdir d /m/t/d; echo 1 > d/a; mv -v d /m/t; ls; ls /m/t/d")[1]
    assert out == "created directory '/m/t/d'\ncopied 'd/a' -> '/m/t/d/a'\nremoved 'd/a'\nremoved directory 'd'\na\n"


def test_names_of_one_file_stay_names_of_one_file() -> None:
    out = run(
        "echo 1 > a; ln a b; mkdir d; ln a d/c; mv a b d /m/t; cd /m/t; [ a -ef b ] && [ a -ef d/c ] && echo one; ls /w"
    )[1]
    assert out == "one\n"


def test_it_reports_its_steps() -> None:
    out = run("echo 1 > a; echo 2 > /m/t/a; ln -s a l; mv -vb a l /m/t; cat /m/t/a~; readlink /m/t/l")[1]
    assert out == (
        "copied 'a' -> '/m/t/a' (backup: '/m/t/a~')\nremoved 'a'\ncopied 'l' -> '/m/t/l'\nremoved 'l'\n2\na\n"
    )


def test_files_that_cannot_be_copied_are_not_lost() -> None:
    status, out, err = run("mkdir d; echo 1 > d/a; echo 2 > /m/t/d; mv d /m/t; echo $?; cat d/a /m/t/d")
    assert (status, out) == (0, "1\n1\n2\n")
    assert err == "mv: cannot overwrite non-directory '/m/t/d' with directory 'd'\n"
