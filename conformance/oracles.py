"""The real programs that expected answers come from, each with the version that is cited.

Another version may answer otherwise and be right as well, so it does not run: ``lacking`` returns the reason.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from typing import NamedTuple


class Oracle(NamedTuple):
    """Programs of one package: the output of its ``--version``, with the version as the pattern's group.

    ``version`` may be the beginning of a version; where it is empty, the answers that we compare depend on none.
    """

    title: str
    version: str
    pattern: str
    names: str

    def __str__(self) -> str:
        return f"{self.title} {self.version}".rstrip()


# Debian 12's, and the jq that .ci/build-jq.sh builds.
ORACLES = (
    Oracle("bash", "5.2.15", r"^GNU bash, version ([\d.]+)", "bash"),
    Oracle("dash", "", r"\b0: Illegal option -(-)", "dash sh"),  # it prints no version
    Oracle("zsh", "5.9", r"^zsh ([\d.]+)", "zsh"),
    Oracle("fish", "3.6", r"^fish, version ([\d.]+)", "fish"),
    Oracle("jq", "1.8.2", r"^jq-([\d.]+)", "jq"),
    Oracle("GNU awk", "5.2.1", r"^GNU Awk ([\d.]+)", "gawk awk nawk"),
    Oracle("mawk", "1.3.4", r"^mawk ([\d.]+)", "mawk"),
    Oracle("GNU grep", "3.8", r"\(GNU grep\) ([\d.]+)", "grep egrep fgrep"),
    Oracle("GNU sed", "4.9", r"\(GNU sed\) ([\d.]+)", "sed"),
    Oracle("GNU bc", "1.07.1", r"^bc ([\d.]+)\nCopyright .* Free Software Foundation", "bc"),
    Oracle("GNU diffutils", "3.8", r"\(GNU diffutils\) ([\d.]+)", "diff cmp"),
    Oracle("GNU findutils", "4.9.0", r"\(GNU findutils\) ([\d.]+)", "find xargs"),
    Oracle(
        "GNU coreutils",
        "9.1",
        r"\((?:GNU )?coreutils\) ([\d.]+)",
        "[ b2sum base64 basename cat chmod cksum comm cp cut date dd dirname echo env expr false fold head id join ln ls md5sum "
        "mkdir mkfifo mktemp mv nice nl nohup nproc od paste pr printenv printf pwd readlink realpath rm rmdir seq sha1sum "
        "sha224sum sha256sum sha384sum sha512sum shuf sleep sort split stat sum tac tail tee test timeout touch tr true tty "
        "uname uniq wc whoami yes",
    ),
    Oracle("util-linux", "2.38.1", r"from util-linux ([\d.]+)", "column getopt rev setsid uuidgen"),
    Oracle("GNU binutils", "2.40", r"^GNU strings .* ([\d.]+)$", "strings"),
    Oracle("GNU gettext", "0.21", r"\(GNU gettext-runtime\) ([\d.]+)", "envsubst"),
    Oracle("ncurses", "6.4", r"^ncurses ([\d.]+)", "clear"),
    Oracle("debianutils", "", r"^Illegal option -(-)", "which"),  # it prints no version
    Oracle("hostname", "3.23", r"^hostname ([\d.]+)", "hostname"),
    Oracle("shasum", "6.02", r"^([\d.]+)$", "shasum"),
    Oracle("xxd", "2022-01-14", r"^xxd (\S+) by Juergen Weigert", "xxd"),
    Oracle("ripgrep", "13.0.0", r"^ripgrep ([\d.]+)", "rg"),
    Oracle("kislyuk/yq", "", r"^(?:yq|xq|tomlq) (\d[\d.]*)", "yq xq tomlq"),  # Debian's 3.1.0 says 0.0.0
    Oracle("git", "", r"^git version ([\d.]+)", "git"),
    Oracle("node", "", r"^v([\d.]+)$", "node"),
)
COREUTILS = next(oracle.names.split() for oracle in ORACLES if oracle.title == "GNU coreutils")
OF = {name: oracle for oracle in ORACLES for name in oracle.names.split()}
# Where the question is another than --version, and where another program of the package answers it.
QUESTIONS = {"clear": ("-V",), "mawk": ("-W", "version")}
ANSWERED_BY = {"test": "["}
JQ = os.environ.get("JQ182", "/opt/jq182/bin/jq")
SECONDS = 20.0  # for an answer: a program that does not answer is no oracle


def find(name: str, path: str | None = None) -> str | None:
    """Return where a program is, of any version, on ``path`` (or on PATH); the jq that CI builds comes first."""
    if name == "jq" and os.access(JQ, os.X_OK):
        return JQ
    return shutil.which(name, path=path)


def search_path(path: str) -> str:
    """Return a PATH on which a script finds the jq that ``find`` finds."""
    found = find("jq", path)
    if found is None or found == shutil.which("jq", path=path):
        return path
    return f"{os.path.dirname(found)}{os.pathsep}{path}"


@cache
def printed(program: str, *question: str) -> str:
    """Return the text that a program prints for its version; each runs once."""
    try:
        done = subprocess.run(
            [program, *(question or ("--version",))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "LC_ALL": "C"},
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return done.stdout.decode("utf-8", "replace")


def is_version(found: str, cited: str) -> bool:
    """Return whether a version is the cited one: ``1.8.2`` is ``1.8``, and ``1.80`` is not."""
    return not cited or f"{found}.".startswith(f"{cited}.")


def lacking(name: str, path: str | None = None) -> str:
    """Return why a program can't be compared with: it is missing, or of another version; empty if it can."""
    oracle = OF[name]
    asked = ANSWERED_BY.get(name, name)
    found = find(asked, path)
    if found is None:
        return f"this machine has no {name}"
    answer = re.search(oracle.pattern, printed(found, *QUESTIONS.get(name, ())), re.MULTILINE)
    if answer is None:
        return f"the recorded answers are {oracle}'s; this machine's {name} is another program"
    if not is_version(answer[1], oracle.version):
        return f"the recorded answers are {oracle}'s; this machine has {oracle.title} {answer[1]}"
    return ""
