"""diff against the machine's own: a table of pairs of files and of directories by sets of options (GNU diffutils 3.8)."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from pyshellhooks import Shell
from tests import oracles

pytestmark = [pytest.mark.oracle, pytest.mark.usefixtures("real")]

ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC0", "HOME": "/"}
MOMENT = 1_700_000_000.25
CODE = b"int main()\n{\n\tint a;\n\n\ta = 1;\n\tb = 2;\n\tc = 3;\n\treturn a;\n}\n\nstatic int other(void)\n{\n\treturn 0;\n}\n"
NUMBERS = b"".join(b"%d\n" % number for number in range(40))
PAIRS: dict[str, tuple[bytes, bytes]] = {
    "equal": (b"a\nb\n", b"a\nb\n"),
    "equal without newline": (b"a\nb", b"a\nb"),
    "both empty": (b"", b""),
    "from nothing": (b"", b"a\n\nb\n"),
    "to nothing": (b"a\nb\n", b""),
    "nothing and no newline": (b"", b"a"),
    "newline and none": (b"a\nb\n", b"a\nb"),
    "none and newline": (b"a\nb", b"a\nb\n"),
    "no newlines": (b"x\na", b"x\nb"),
    "no newline, then more": (b"a\nb", b"a\nb\nc\n"),
    "one line more": (b"1\n2\n3\n", b"1\n2\nx\n3\n"),
    "one line less": (b"1\n2\n3\n", b"1\n3\n"),
    "one line other": (b"1\n2\n3\n", b"1\nx\n3\n"),
    "more lines for fewer": (b"1\n2\n3\n4\n", b"1\nx\n4\n"),
    "fewer lines for more": (b"1\n2\n5\n", b"1\nx\ny\nz\n5\n"),
    "all other": (b"1\n2\n3\n", b"x\ny\n"),
    "far apart": (NUMBERS, NUMBERS.replace(b"\n3\n", b"\nx\n").replace(b"\n30\n", b"\n") + b"end\n"),
    "near": (NUMBERS, NUMBERS.replace(b"\n10\n", b"\nx\n").replace(b"\n14\n", b"\ny\n").replace(b"\n19\n", b"\n")),
    "code": (CODE, CODE.replace(b"b = 2", b"b = 3").replace(b"return 0", b"return  1")),
    "code moved": (CODE, CODE[60:] + CODE[:60]),
    "blank lines": (b"a\n\nb\nc\n", b"a\nb\n\n\nc\n"),
    "blank lines and a change": (b"a\n\nb\nc\nd\ne\nf\n\n", b"a\nb\nc\nd\nx\nf\n"),
    "lines of blanks": (b"a\n \t\nb\n", b"a\nb\n\v\n"),
    "blanks": (b"a b\nc  d\n e\nf\n", b"a  b\nc d\ne\nf \n"),
    "blanks at the end": (b"a\nb \n", b"a \t\nb\n"),
    "letters": (b"Abc\nDEF\n\xc3\x84\n", b"aBC\ndef\n\xc3\xa4\n"),
    "tabs": (b"a\tb\n\tc\nd\te\n", b"a       b\n\tx\nd\tf\n"),
    "tabs and long": (b"\t\t\tlong line of text here\tand\tthere\n1\n", b"\t\tlong line of text here\tand\tthere\n1\n"),
    "long lines": (b"x" * 200 + b"\nsame\n" + b"z" * 70 + b"\n", b"x" * 199 + b"y\nsame\n" + b"z" * 70 + b"\n"),
    "half widths": (b"".join(b"a" * n + b"\n" for n in range(55, 70)), b"".join(b"a" * n + b"\n" for n in range(56, 71))),
    "CRLF and LF": (b"a\r\nb\r\nc\r\n", b"a\nb\nc\n"),
    "CRLF": (b"a\r\nb\r\nc\r\n", b"a\r\nx\r\nc\r\n"),
    "CR within": (b"ab\rc\tde\r\nsame\rx\n", b"ab\rc\tdf\r\nsame\rx\n"),
    "CR at the end": (b"a\r\nb\r", b"a\nb"),
    "CR doubled": (b"a\r\r\nb\n", b"a\r\nb\n"),
    "backspaces": (b"\ba\b\bb\tc\nx\b\ty\nlo" + b"n" * 70 + b"g\b\b\tz\n", b"\ba\b\bb\td\nx\b\ty\nlo" + b"n" * 70 + b"g\b\b\tw\n"),
    "controls": (b"a\x01\x1bb\tc\f\v\ad\n\x7f\n", b"a\x01\x1bb\td\f\v\ad\n\x7f\n"),
    "controls first": (b"\ab\n\x01b\n\x7fb\n\fb\n\vb\n\x1bb\n\n", b"\ac\n\x01c\n\x7fc\n\fc\n\vc\n\x1bc\n"),
    "wide": ("日本語\tテキスト\nこれは長い行です。これは長い行です。これは長い行です。これは長い行です\n".encode(), "日本語\tテスト\nこれは長い行です。これは長い行です。これは長い行です。これは長い行です\n".encode()),
    "combining": ("e\u0301a\u200bb\tc\nné\tü\n".encode(), "e\u0301a\u200bb\td\nné\tu\n".encode()),
    "no UTF-8": (b"a\xff\xfe\tb\nc\xc3\n\xe6\x97x\n", b"a\xff\xfe\tc\nc\xc3\n\xe6\x97y\n"),
    "binary": (b"a\0b\n", b"a\0c\n"),
    "binary equal": (b"a\0b\n", b"a\0b\n"),
    "binary and text": (b"a\0b\n", b"ab\n"),
    "binary sizes": (b"a\0b\nc\n", b"a\0b\n"),
    "NUL after a block": (b"a" * 4096 + b"\n\0x\n", b"a" * 4096 + b"\n\0y\n"),
    "NUL at the end of a block": (b"a" * 4094 + b"\n\0x\n", b"a" * 4094 + b"\n\0y\n"),
    "dots": (b"a\n.\nb\n", b"a\n.\n.\nx\n.\nb\n."),
    "percent": (b"%l\n%%\n", b"%L\n%d\n"),
    "repeated": (b"a\nb\na\nb\na\nb\n", b"b\na\nb\na\nb\na\n"),
    "braces": (b"{\n}\n{\n}\n{\n}\n", b"{\n}\n{\nx\n}\n{\n}\n"),
}  # fmt: skip
FORMATS = [
    "--line-format=%l", "--line-format=%L", "--line-format='%5dn:%l\n'", "--line-format='%-5dn|%05dn|%.3dn|%07.3xn|%on|%Xn\n'",
    "--line-format='%%|%q|%c'\\''x'\\''%c'\\''\\101'\\''%c'\\'''\\''%c'\\''\\n'\\''%<%dN%'", "--old-line-format='-%l\n' --new-line-format='+%L'",
    "--unchanged-line-format= --old-line-format='%dn-%L'", "--unchanged-line-format=''", "--unchanged-group-format=''",
    "--changed-group-format='<%<|%>>'", "--old-group-format='D%df,%dl %de %dm %dn|%dF,%dL %dE %dM %dN\n%<'",
    "--changed-group-format='%(n=1?one:%dn):%(N=0?none:%(N=2?two:%xN))\n' --unchanged-group-format='%(e=0?start%c'\\''\\12'\\'':%5dn|%-5dN|%.4de)'",
    "--changed-group-format='%(n=1?open' --unchanged-group-format='%(n?%(=%(x=1?y:z)%(1=1?a:b)%(99999999999999999999=1?c:d)%'",
    "--new-group-format='%>%>%<' --old-group-format='%=' --changed-group-format='%=%l%L'", "-D NAME", "--ifdef='%dn'", "--ifdef=", "-D x -t",
    "--line-format='%l\n' -t", "-D A --tabsize=3 -t", "--old-line-format=%L --changed-group-format=%<", "--line-format=%L -q",
]  # fmt: skip
OPTIONS = [
    "", "-q", "-s", "-qs", "-a", "-i", "-b", "-w", "-B", "-E", "-Z", "-d", "-bB", "-wB", "-ZB", "-ib", "-I '^[a-z]$'", "-B -I x",
    "-u", "-c", "-U0", "-C0", "-U1", "-C1", "-u -0", "-1u", "-u2p", "-c -5", "-1 -0 -u", "-U1 -u -2", "--unified -1", "-p", "-p -1", "-0", "-up", "-cp",
    "-u -F '^.[a-z]'", "-c -F 1 -F '^}'", "-uB", "-cB", "-u -I '^$'", "-U1 -I '^[a-z]$' -B", "-u -w", "-u -t", "-u -T", "-u -tT", "-c -T", "-t", "-T", "-tT",
    "-t --tabsize=3", "-tT --tabsize=1", "-c -t", "--tabsize=4 -E", "-u --suppress-blank-empty", "-c --suppress-blank-empty -T", "--suppress-blank-empty",
    "-e", "-f", "-n", "-e -t", "-f -t", "-n -t", "-e -B", "-n -L x", "-e -L x -L y", "-f -s", "-e -s -L x", "-f -a", "-n -a",
    "-u -L x", "-c -L x -L 'y z'", "-q -L x", "-s -L x -L y", "--strip-trailing-cr", "--strip-trailing-cr -u", "--strip-trailing-cr -q", "-y --strip-trailing-cr -s",
    "--horizon-lines=2", "-u --horizon-lines=9", "--speed-large-files", "--binary", "-h", "--inhibit-hunk-merge", "--normal -a",
    *(f"-y {more}" for more in (
        "", "-W40", "-W 20", "-W 7", "-W 3", "-W 1", "-W 41 -t", "-W 60 --tabsize=3", "-W61 --tabsize=5 -t", "-t", "-tW 50", "--left-column", "--suppress-common-lines",
        "--left-column --suppress-common-lines", "-B", "-w -W 50", "-W50 -I '^[a-z]$'", "-s", "-q", "-a", "-a -W 30", "--color=always -W 30", "-i", "--tabsize=200",
        "--sdiff-merge-assist -s", "--sdiff-merge-assist --suppress-common-lines", "-L x -s", "-W 130 -d",
    )),
    *FORMATS,
    *(f"--color=always {more}" for more in ("", "-u", "-c", "-n", "-e", "-D x", "--palette=hd=7:de=9", "--palette='ad=1;2:rs=:ln=' -u", "--palette=x", "--palette=zz=1")),
]  # fmt: skip


@pytest.fixture(scope="module")
def real() -> None:
    """Go on where there is something to compare with."""
    oracles.need("bash", "diff", "find", "touch", "pr", path=ENV["PATH"])


Answer = tuple[int, bytes, bytes]


def ours_and_real(script: str, folder: Path, env: dict[str, str] = ENV) -> tuple[Answer, Answer]:
    """Run a script in both shells; standard error is part of the answer."""
    real = subprocess.run(["bash", "-c", script], cwd=folder, env=env, capture_output=True)
    ours = Shell(cwd=str(folder), env=env).run(script, timeout=60)
    return (ours.status, ours.stdout, ours.stderr), (real.returncode, real.stdout, real.stderr)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write each pair to a directory of its own, all at one moment."""
    top = tmp_path_factory.mktemp("pairs")
    for name, (left, right) in PAIRS.items():
        (top / name).mkdir()
        for file, data in (("a", left), ("b c", right)):
            (top / name / file).write_bytes(data)
            os.utime(top / name / file, (MOMENT, MOMENT))
    return top


@pytest.mark.one_in(5, slow=5)
@pytest.mark.parametrize("options", OPTIONS)
def test_each_pair(options: str, folder: Path) -> None:
    for name in PAIRS:
        ours, real = ours_and_real(f"diff {options} a 'b c'", folder / name)
        assert ours == real, (options, name)


@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("options", ["", "-c", "-y -W 40", "-u -t", "-i", "-I '^.$'"])
def test_each_pair_as_bytes(options: str, folder: Path) -> None:
    for name in PAIRS:
        ours, real = ours_and_real(f"diff {options} a 'b c'", folder / name, {**ENV, "LC_ALL": "C"})
        assert ours == real, (options, name)


TREES = """
mkdir -p p/sub p/only q/sub q/other p/both q/both
printf '1\\n2\\n' > p/x; printf '1\\n3\\n' > q/x; printf 'a\\n' | tee p/same > q/same; printf 'a\\0' > p/bin; printf 'b\\0' > q/bin
echo l > p/left; echo r > q/right; echo 1 > p/sub/f; echo 2 > q/sub/f; echo o > p/only/f; echo o > q/other/f; echo 1 > 'p/a b'; echo 2 > 'q/a b'
mkfifo p/pipe q/pipe p/fifo q/fipe q/mix; echo 1 > p/mix; mkdir p/kind; echo 1 > q/kind; ln -s x p/link; ln -s same q/link; ln -s x p/alike
ln -s x q/alike; ln -s x p/mine; ln -s none q/broken; ln -s none p/broken; echo A > p/Case; echo B > q/case; echo C > q/CASE; echo d > p/case
printf 'a\\n\\nb\\n' > p/blank; printf 'a\\nb\\n' > q/blank; : > p/empty; printf 'no newline' > q/empty; : > p/void; mkdir q/void
find p q ! -type l -exec touch -d @1700000000 {} +
"""
OF_TREES = [
    "", "-r", "-q", "-rq", "-rs", "-ru", "-rc", "-rN", "-rP", "-N", "-P", "-rNu", "-rPq", "-re", "-rf", "-rn", "-ry -W 40", "-ry --suppress-common-lines",
    "-ryN -W 60", "-r -x x", "-r -x 'l*' -x sub", "-r -x '*'", "-r -X pats", "-rN -X pats -x x", "-r -S m", "-rN -S case", "-r --no-dereference",
    "-rN --no-dereference", "-r --ignore-file-name-case", "-rN --ignore-file-name-case -x CA*", "-r --ignore-file-name-case --no-ignore-file-name-case",
    "-rB", "-ru -L x -L y", "-rs -L x", "-r -D x", "-r --line-format=%L", "-r --color=always -u", "-ra", "-r --strip-trailing-cr", "-rl -x x -x sub -q",
    "-r -u2p -F 1 'x y'", "-r -I '^$'", "-r --sdiff-merge-assist -W 30 -y", "-r --no-dereference -L x -L y",
]  # fmt: skip


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make two directories with one entry for each way in which entries can differ."""
    top = tmp_path_factory.mktemp("trees")
    subprocess.run(["bash", "-c", TREES], cwd=top, env=ENV, check=True)
    (top / "pats").write_text("s*\n\nbin\nkin[d]\n")
    return top


@pytest.mark.one_in(5, slow=5)
@pytest.mark.parametrize("options", OF_TREES)
@pytest.mark.parametrize(
    "pair",
    [
        "p q",
        "q p",
        "p p",
        "p/x q",
        "q p/same",
        "p q/x",
        "p/ q/",
        "p/only q/other",
        "p/sub p/void",
        "p/none q",
        "p p/none",
    ],
)
def test_each_tree(options: str, pair: str, trees: Path) -> None:
    ours, real = ours_and_real(f"diff {options} {pair}", trees)
    assert ours == real, (options, pair)


WORDS = [
    "--from-file=a b a c", "--to-file=a b a c", "--from-file=p q", "--from-file=a p q", "--to-file=p a b", "--from-file=a --to-file=b c", "--from-file=a", "--to-file=b",
    "--from-file=a --from-file=b c", "--from-file=a --from-file=a b", "--to-file=a --to-file=b c", "-S a -S b p q", "-y -u a b", "-u -c a b", "-D X -y a b",
    "-D X -D Y a b", "-D X -D X a b", "-D X --old-group-format=Z a b", "--changed-group-format=Z -D X a b", "--old-line-format=a --line-format=b a b", "-e -f a b",
    "--line-format=a --new-line-format=b a b", "-y -W 0 a b", "-y -W x a b", "-y -W 10 -W 11 a b", "-y -W 10 -W 10 a b", "--tabsize=3 --tabsize=4 a b", "--tabsize=3 --tabsize=3 a b", "-W '' a b",
    "-u -c --bogus a b", "--bogus -u -c a b", "-1 -2 -u a b", "-1 a -2 b -u", "-u1 a b", "-1u -3 a b", "-U1 -1 a b", "-9 -U2 a b", "--context --unified a b", "-0123456789012345678901 -u a b",
    "-C a b", "-D", "-W", "--line-format", "-L a -L b -L c a b", "-l a c", "-l -q a b", "-ls a a", "-I '\\(' a b", "-F 'a\\{' a b", "-I '*' a b", "-X none a b", "-x", "a", "", "a b c", "- a < b",
    "a - < b", "- - < a", "-s - - < a", "-y - - < a", "a a", "-s a a", "-y a a", "none a", "a none", "none none", "-N none a", "-N a none", "-N none none", "-P none a", "-P a none", "-uN none a",
    "-cN a none", "-N -y none a", "-s p p", "p -", "- p < a", "-s h a", "-s --no-dereference h h", "shut a", "-N shut a", "-P shut a", "-P a shut", "-N shut shut", "-r loop loop2", "-rN loop loop2",
    "--color=x a b", "--color=alway a b", "-v", "--palette", "-u --label=x --label y a b", "-yW40 --suppress-common-line a b", "--left a b", "--no a b", "--ignore-file-name-case A p", "-c a b", "-C1 -p a b",
    "-e none-newline a", "-y --tabsize=99999999999999999999 -W 50 a b", "-ql a b", "fifo fifo", "-y -W 99 --left-column a c",
]  # fmt: skip


@pytest.fixture(scope="module")
def words(trees: Path) -> Path:
    """Add what the words of the table name."""
    script = """
    printf '1\\n2\\n3\\n' > a; printf '1\\nx\\n3\\n4\\n' > b; printf '1\\n2\\n3\\n' > c; printf 'x' > none-newline; ln -s a h; : > shut; echo A > A; echo B > p/a; mkfifo fifo
    mkdir loop loop2; ln -s . loop/in; ln -s . loop2/in; echo 1 > loop/f; echo 2 > loop2/f; touch -d @1700000000 a b c A p/a; chmod 0 shut"""
    subprocess.run(["bash", "-c", script], cwd=trees, env=ENV, check=True)
    return trees


@pytest.mark.one_in(5, slow=5)
@pytest.mark.parametrize("line", WORDS)
def test_each_line_of_words(line: str, words: Path) -> None:
    ours, real = ours_and_real(f"diff {line}", words)
    if line == "-v":
        assert ours[0] == real[0] == 0
    else:
        assert without_date(ours) == without_date(real), shlex.split(line)


def without_date(answer: Answer) -> object:
    """Leave out when a page was printed: ``pr`` says it."""
    status, out, err = answer
    return status, [row for row in out.split(b"\n") if b"Page" not in row], err


QUOTED = [
    *("a" + char for char in "=+:^@%,#~{}[]!?\\'\"$`&;<|*( \t\né\x01\x7f\xa0\u200b\u00ad"), *"=^#~{}[]'-", "", "a'b", "''", "a'b c", "a'$b", "a'\"b", "a'é", "a'\n", "a'\x01", "a'\u200b", "a'\xa0",
]  # fmt: skip


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_words_and_names_in_headers(locale: str, tmp_path: Path) -> None:
    for number, word in enumerate(QUOTED):
        for side in ("p", "q"):
            (tmp_path / side / str(number)).mkdir(parents=True)
            (tmp_path / side / str(number) / f"x{word}").write_text(side)
            os.utime(tmp_path / side / str(number) / f"x{word}", (MOMENT, MOMENT))
        for options in ("-r -x", "-ru -x", "-rc -L"):
            script = f"diff {options} {shlex.quote(word)} p/{number} q/{number}"
            ours, real = ours_and_real(script, tmp_path, {**ENV, "LC_ALL": locale})
            assert ours == real, script
