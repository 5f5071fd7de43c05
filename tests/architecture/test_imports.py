"""What starting costs in modules: the lazy ones stay out until they are needed (rule 18)."""

from __future__ import annotations

import json
import subprocess
import sys

LAZY = (
    "pydantic",
    "asyncio",
    "jq",
    "re2",
    "regex",
    "subprocess",
    "rich",
    "yaml",
    "argparse",
    "tempfile",
    "logging",
    "dataclasses",
)


def modules_after(program: str) -> set[str]:
    """Run a program in a bare interpreter and list what it has imported beyond the interpreter's own start."""
    code = f"import sys; before = set(sys.modules)\n{program}\nimport json; print(json.dumps(sorted(set(sys.modules) - before)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_pyshellhooks_is_light() -> None:
    loaded = modules_after("import pyshellhooks, pyshellhooks.types")
    assert not loaded & set(LAZY)


def test_running_nothing_is_light() -> None:
    loaded = modules_after("from pyshellhooks import Shell; Shell().run(':')")
    assert not loaded & set(LAZY)


def test_the_sh_command_is_light() -> None:
    loaded = modules_after(
        "from pyshellhooks.cli import main\ntry:\n    main(['sh', '-c', ':'])\nexcept SystemExit:\n    pass"
    )
    assert not loaded & set(LAZY)


def test_starting_compiles_no_pattern_and_imports_no_luxury() -> None:
    loaded = modules_after(
        "import re\nreal, made = re.compile, []\n"
        "re.compile = lambda *given: made.append(given[0]) or real(*given)\n"
        "import pyshellhooks.shell, pyshellhooks.cli.sh\nassert not made, made"
    )
    assert not loaded & {"random", "heapq", "pyshellhooks.interp.native", "pyshellhooks.syntax.printer.commands"}


def test_spawned_sh_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pyshellhooks", "sh", "-c", "echo $0 $#; exit 3", "name", "x"],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip(), done.stderr) == (3, "name 1", "")


def test_pydantic_only_on_the_hook_side() -> None:
    loaded = modules_after(
        "from pyshellhooks import Shell\n"
        "r = Shell().run('x=(1 2); [[ $x =~ ^1 ]] && echo ${x[@]} | grep -c 1; case a in a) :;; esac')\n"
        "assert r.status == 0, r"
    )
    assert not loaded & {"pydantic", "asyncio", "rich", "yaml", "dataclasses"}
