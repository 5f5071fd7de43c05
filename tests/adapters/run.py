"""Tell the story on each SDK, its floor and its newest version, each in an environment of its own.

::

    python -m tests.adapters.run [NAME…] [--turn N] [--floor | --newest] [--keep DIRECTORY]

A name is an extra of pyproject.toml, which says the floor too. The environments are made anew unless they are kept.
``--turn 3`` takes the three whose turn it is by ``ROTATION``, and all where a commit of the last days changed one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.rotation import changed_lately, decide

ROOT = Path(__file__).resolve().parents[2]
NAMES = (
    "agent-framework",
    "claude-agent-sdk",
    "google-adk",
    "langchain",
    "openai-agents",
    "pydantic-ai",
    "strands-agents",
)
# What is no adapter, and has its own tests for an extra.
OTHERS = {"mcp": "tests/unit/mcp_proxy"}
EXTRAS = (*NAMES, *OTHERS)
# What else the story needs: deepagents is tried with the newest LangChain that it takes.
BESIDE = {("langchain", "newest"): ["deepagents"]}
AT_ONCE = 3
TESTS = ["pytest>=8.0", "pytest-timeout>=2.2", "hypothesis>=6.90"]


def requirements(name: str, version: str) -> list[str]:
    """Return what pip installs: the extra's own words, with its floors made exact for the floor."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    found = [str(one) for one in extras[name]]
    if version == "floor":
        return [one.replace(">=", "==") for one in found]
    return [*found, *BESIDE.get((name, version), [])]


def run_story(name: str, version: str, home: Path) -> tuple[int, str]:
    """Tell the story once; gives the status, and what was printed."""
    home = home / f"{name}-{version}"
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        # A link: of a copy another thread's child may hold the end that writes, and then nobody can start it (ETXTBSY).
        venv.create(home, with_pip=True, symlinks=sys.platform != "win32")
    surroundings = {**os.environ, "PYSHELLHOOKS_ADAPTERS": name, "PYTHONPATH": str(ROOT)}
    tests = OTHERS.get(name, "tests/adapters")
    said = ""
    for command in (
        ["-m", "pip", "install", "-q", "--upgrade", "-e", str(ROOT), *TESTS, *requirements(name, version)],
        # Both tiers, and of the tables the part whose turn it is.
        ["-m", "pytest", "-q", "-m", "slow or not (slow)", "-p", "no:cacheprovider", tests],
    ):
        done = subprocess.run(
            [str(python), *command],
            cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        said += done.stdout
        if done.returncode:
            break
    return done.returncode, said


def in_turn(count: int | None) -> Sequence[str]:
    """Return the extras whose turn it is; all without a count, or where one changed lately."""
    folders = (ROOT / "pyshellhooks" / "adapters", ROOT / "pyshellhooks" / "mcp_proxy")
    if count is None or any(changed_lately(folder, days=3) for folder in folders):
        return EXTRAS
    begin = int(decide()) * count
    return [EXTRAS[(begin + place) % len(EXTRAS)] for place in range(min(count, len(EXTRAS)))]


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.adapters.run", description="Tell the story on each SDK.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(EXTRAS)}; default: all")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--floor", action="store_true", help="the oldest version only")
    which.add_argument("--newest", action="store_true", help="the newest version only")
    parser.add_argument("--turn", type=int, metavar="N", help="take the N whose turn it is (tests/rotation.py)")
    parser.add_argument("--keep", type=Path, help="a directory in which the environments stay")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(EXTRAS):
        parser.error(f"no extra {', '.join(sorted(unknown))}; there are {', '.join(EXTRAS)}")
    versions = ["floor"] * (not arguments.newest) + ["newest"] * (not arguments.floor)
    failed = 0
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor(AT_ONCE) as pool:
        home = (arguments.keep or Path(made)).resolve()
        # Most of the time goes into pip's waiting for an index.
        jobs = [
            (name, version, pool.submit(run_story, name, version, home))
            for name in arguments.names or in_turn(arguments.turn)
            for version in versions
        ]
        for name, version, job in jobs:
            status, said = job.result()
            failed += status != 0
            print(f"--- {name}, {version}: {'ok' if status == 0 else f'FAILED, status {status}'}\n{said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
