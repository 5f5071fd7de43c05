"""Which files a hook's command names: the table of spellings."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshellhooks import MemoryFS
from pyshellhooks.engine.scripts.referenced_scripts import Reader, read_disk
from pyshellhooks.engine.trust.trust import project_at
from pyshellhooks.fs import HostFS
from pyshellhooks.fs.pinned import plain
from pyshellhooks.hooks.model import HookJob, HookSpec

pytestmark = pytest.mark.not_on_windows("drives")
FILES = ("g.sh", "g.awk", "h.py", "sub/x.sh", "sub/h.py", "hooks/a b.sh", "bin/tool", "x.ts", "guard")

#: A command, and the files of the project that it names; ``?name``: what that runs is only known when it runs.
TABLE: list[tuple[str, list[str]]] = [
    ("./g.sh", ["g.sh"]),
    ("g.sh", []),  # a name without a slash is looked for in PATH
    ("tool", ["bin/tool"]),
    ('"$P"/g.sh', ["g.sh"]),
    ("${P}/g.sh --flag g", ["g.sh"]),
    ('"${P:-.}/g.sh"', ["g.sh"]),
    ('"${NONE:-$P}/g.sh"', ["g.sh"]),
    ("'hooks/a b.sh'", ["hooks/a b.sh"]),
    ("hooks/a\\ b.sh", ["hooks/a b.sh"]),
    ("bash guard", ["guard"]),
    ("bash -eu -- guard", ["guard"]),
    ("bash -euo pipefail guard", ["guard"]),
    ("bash -o pipefail -O extglob +o posix guard", ["guard"]),
    ("bash -euo pipefail -c ./g.sh; sh -c -e sub/x.sh", ["g.sh", "sub/x.sh"]),
    ("bash -euo pipefail $GUARD", ["?bash"]),
    ('bash -o pipefail -c "$GUARD"', ["?bash"]),
    ("zsh ./g.sh", ["g.sh"]),
    ("sh -c './g.sh; exec sub/x.sh'", ["g.sh", "sub/x.sh"]),
    (". g.sh; source sub/x.sh", ["g.sh", "sub/x.sh"]),
    ("bash < g.sh", ["g.sh"]),
    ("cat < g.sh", []),
    ("python3 h.py g.sh", ["h.py"]),
    ("python3.12 -u -W ignore h.py", ["h.py"]),
    ("python3 -m pytest h.py", []),
    ("python3 -c 'import h' h.py", []),
    ("/usr/bin/env python3 h.py", ["h.py"]),
    ("uv run h.py", ["h.py"]),
    ("uv run --with rich python h.py", ["h.py"]),
    ("uv run ./g.sh", ["g.sh"]),
    ("uv run ./h.py ./g.sh", ["h.py"]),
    ("uv run --script ./guard", ["guard"]),
    ("uv run --script guard", ["guard"]),
    ("uv run -s $GUARD", ["?uv"]),
    ("npx tsx x.ts", ["x.ts"]),
    ("npx -y tsx x.ts", ["x.ts"]),
    ("deno run --allow-read x.ts", ["x.ts"]),
    ("bun x.ts", ["x.ts"]),
    ("node x.ts", ["x.ts"]),
    ("perl -ne 'print' g.sh", []),
    ("pwsh -NoProfile -File h.py", ["h.py"]),
    ("timeout 5 nice -n 3 ./g.sh", ["g.sh"]),
    ("nohup ./g.sh &", ["g.sh"]),
    ("xargs -n1 ./g.sh", ["g.sh"]),
    ("find . -exec ./g.sh {} ;", ["g.sh"]),
    ("time ./g.sh", ["g.sh"]),
    ("jq . | ./g.sh || sub/x.sh", ["g.sh", "sub/x.sh"]),
    ("x=$(./g.sh)", ["g.sh"]),
    ("cd sub && ./x.sh", ["sub/x.sh"]),
    ('cd "$P"/sub && python3 h.py', ["sub/h.py", "h.py"]),  # which of them, a subshell decides
    ("cd sub; cd ..; ./g.sh", ["g.sh"]),
    ("D=$P/sub; $D/x.sh", ["sub/x.sh"]),
    ("export D=$P/sub; $D/x.sh", ["sub/x.sh"]),
    ("D=$(pwd); bash $D/g.sh", ["?bash"]),
    ("python3 $(ls)", ["?python3"]),
    ('"$(git rev-parse --show-toplevel)"/g.sh', ['?"$(git rev-parse --show-toplevel)"/g.sh']),
    ('c=(./g.sh); "${c[@]}"', ['?c=(./g.sh); "${c[@]}"']),
    ('for x in ./*.sh; do exec "$x"; done', ["?exec"]),
    ('eval exec "$x"; trap "$x" EXIT', ["?eval", "?trap"]),
    ("cat g.sh | bash", ["?bash"]),
    ("bash -s <<< ./g.sh", ["?bash"]),
    ("ls | xargs -n1 bash; find . -exec sh {} +", ["?bash", "?sh"]),
    ("env bash < g.sh; . /dev/stdin < sub/x.sh", ["g.sh", "sub/x.sh"]),
    ("sh ./g.sh < h.py", ["g.sh"]),
    ("env -S 'bash ./g.sh'", ["?env"]),
    ("env --unset X timeout --signal KILL 5 ./g.sh", ["g.sh"]),
    ("env FOO=1; exec 3>&1; xargs", []),
    ("zsh -lc ./g.sh; ksh -c ./g.sh", ["?zsh", "?ksh"]),
    ("awk -F : -f g.awk h.py; gawk --file=g.awk", ["g.awk"]),
    ("sed -nf g.awk h.py", ["g.awk"]),
    ("sed -n -e p h.py; sed -ne f g.sh; awk -vf=1 '{ }' h.py", []),
    ("jq -e -f g.awk h.py", ["g.awk"]),
    ("jq --from-file g.awk; jq -f $F", ["g.awk", "?jq"]),
    ("jq -fr --arg x h.py g.awk h.py; jq sub/x.sh -rf", ["g.awk", "sub/x.sh"]),
    ("jq -f gone.jq", ["gone.jq"]),
    ("jq -r .f h.py; jq -n 1; sed --expression p h.py", []),
    ("pushd sub; ./x.sh", ["sub/x.sh"]),
    ("busybox sh ./g.sh", ["g.sh"]),
    ("exec ./g.sh\nif (", ["g.sh"]),  # the shell runs what it has read before the mistake
    ("./gone.sh", ["gone.sh"]),
    ("python3 gone.py", ["gone.py"]),
    ("/usr/bin/true; /bin/sh /etc/profile", []),
    ("sub/../g.sh", ["g.sh"]),
    ("./sub/./x.sh .//g.sh", ["sub/x.sh", "g.sh"]),
    ("f() { ./g.sh; }; f", ["g.sh"]),
    ("(cd sub; true); ./h.py; sub/h.py", ["sub/h.py", "h.py"]),
    ("(cd sub && ./x.sh); ./g.sh", ["sub/x.sh", "g.sh"]),
    ("pwsh -Command '& ./g.sh'", ["?pwsh"]),
    ("if (", []),
    # Spellings that an attack found, and their siblings.
    ("tool() { command tool; }; tool", ["bin/tool"]),
    ("(tool() { :; }); tool", ["bin/tool"]),
    (". -- ./g.sh; trap -- ./h.py EXIT", ["g.sh", "h.py"]),
    ("env - ./g.sh", ["g.sh"]),
    ("env -vS './g.sh a'", ["g.sh a", "?env"]),
    ("alias x=./g.sh; x", ["g.sh"]),
    ('"${P%/}/g.sh"', ['?"${P%/}/g.sh"']),
    ("sh /dev/fd/3 3< g.sh; . /proc/self/fd/4 4< g.sh", ["?sh", "?."]),
    ("python3 < h.py; python3 - < h.py", ["?python3"]),
    ("gawk -E g.awk; gawk --exec=h.py; gawk -i sub/h.py 1", ["g.awk", "h.py", "sub/h.py"]),
    ("yq -f g.awk; gojq -rf h.py", ["g.awk", "h.py"]),
    ("bc -l g.awk", ["g.awk"]),
    ("busybox awk -f g.awk", ["g.awk"]),
    ("sort; split; rg; sort --compress-program ./g.sh", ["g.sh"]),
    ("sort --compress-program=./g.sh; split --filter ./h.py x; rg --pre sub/x.sh y", ["g.sh", "h.py", "sub/x.sh"]),
    ("hash -p ./g.sh x; enable -f ./h.py x; mapfile -C sub/x.sh -c 1", ["g.sh", "h.py", "sub/x.sh"]),
    # Unknown programs may run the files among their operands.
    ("flock /tmp/l ./g.sh", ["g.sh"]),
    ("ionice -c 2 ./g.sh; taskset 1 ./h.py; doas sub/x.sh", ["g.sh", "h.py", "sub/x.sh"]),
    ("lua h.py; fish g.sh; ash sub/x.sh; coverage run sub/h.py", ["h.py", "g.sh", "sub/x.sh", "sub/h.py"]),
    ("nix-shell --run=./g.sh; yarn exec ./h.py", ["g.sh", "h.py"]),
    ("git add ./g.sh; cat ./g.sh; prettier x.txt", []),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / "w" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("exit 2\n")
    return tmp_path / "w"


def named(project: Path, command: str, argv: tuple[str, ...] | None = None) -> list[str]:
    env = {"P": str(project), "PATH": f"{project}/bin:/usr/bin:/bin", "HOME": str(project.parent), "WORD": "g.sh"}
    job = HookJob(HookSpec("x", command), stdin=b"", env=env, cwd=str(project), timeout=1, argv=argv)
    found = Reader(project_at(str(project))).named(job, HostFS())
    return [*(script.key for script in found.scripts), *(f"?{name}" for name in found.untold)]


@pytest.mark.parametrize(("command", "expected"), TABLE)
def test_the_table(project: Path, command: str, expected: list[str]) -> None:
    assert named(project, command) == expected


def test_words_without_a_shell(project: Path) -> None:
    assert named(project, "", ("./g.sh", "$P")) == ["g.sh"]
    assert named(project, "", ("python3", "h.py")) == ["h.py"]
    assert named(project, "", ("bash", "-c", "./g.sh")) == ["g.sh"]


def test_a_home_around_the_project(project: Path) -> None:
    assert named(project, "~/w/g.sh") == ["g.sh"]
    assert named(project, "'~/w/g.sh'") == ["~/w/g.sh"]


def test_a_link_that_leads_out_is_known_by_where_it_leads(project: Path, tmp_path: Path) -> None:
    (tmp_path / "out.sh").write_text("exit 2\n")
    (project / "link").symlink_to(tmp_path / "out.sh")
    (tmp_path / "back").symlink_to(project)
    here = project_at(str(project))
    assert here.content(HostFS(), str(project / "link")) == (f"a link to {tmp_path}/out.sh\n".encode(), False)
    assert here.key(HostFS(), str(tmp_path / "back" / "g.sh")) == "g.sh"
    assert here.key(HostFS(), str(tmp_path / "out.sh")) is None
    assert here.key(MemoryFS(), str(project / "g.sh")) is None


def test_a_path_that_is_no_file_is_not_read(project: Path) -> None:
    with pytest.raises(OSError, match="larger than 3 bytes"):
        read_disk(str(project / "g.sh"), 3)
    with pytest.raises(OSError):
        read_disk(str(project / "sub"))
    assert plain("/a/./b//c/../d/.") == "/a/b/c/../d" and plain("./a") == "a"
