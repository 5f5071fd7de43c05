"""Tell the story on each SDK, its floor and its newest version, each in an environment of its own.

::

    python -m tests.adapters.run [NAME…] [--floor | --newest] [--keep DIRECTORY]

A name is an extra of pyproject.toml, which says the floor too. The environments are made anew unless they are kept.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("langchain", "openai-agents", "pydantic-ai")
# What else the story needs: deepagents is tried with the newest LangChain that it takes.
BESIDE = {("langchain", "newest"): ["deepagents"]}
TESTS = ["pytest>=8.0", "pytest-timeout>=2.2", "hypothesis>=6.90", "mypy>=1.10", "types-PyYAML", "types-regex"]


def wanted(name: str, version: str) -> list[str]:
    """Give what pip installs: the extra's own words, with its floors made exact for the floor."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    found = [str(one) for one in extras[name]]
    if version == "floor":
        return [one.replace(">=", "==") for one in found]
    return [*found, *BESIDE.get((name, version), [])]


def tell(name: str, version: str, home: Path) -> int:
    """Tell the story once; gives the status."""
    home = home / f"{name}-{version}"
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        venv.create(home, with_pip=True)
    install = [str(python), "-m", "pip", "install", "-q", "-e", str(ROOT), *TESTS, *wanted(name, version)]
    if status := subprocess.run(install, cwd=ROOT, check=False).returncode:
        return status
    tests = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/adapters"]
    surroundings = {**os.environ, "PYSHELLHOOKS_ADAPTERS": name, "PYTHONPATH": str(ROOT)}
    return subprocess.run(tests, cwd=ROOT, env=surroundings, check=False).returncode


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.adapters.run", description="Tell the story on each SDK.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}; default: all")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--floor", action="store_true", help="the oldest version only")
    which.add_argument("--newest", action="store_true", help="the newest version only")
    parser.add_argument("--keep", type=Path, help="a directory in which the environments stay")
    given = parser.parse_args()
    if unknown := set(given.names) - set(NAMES):
        parser.error(f"no adapter {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    failed = 0
    with tempfile.TemporaryDirectory() as made:
        for name in given.names or NAMES:
            for version in ["floor"] * (not given.newest) + ["newest"] * (not given.floor):
                began = time.monotonic()
                status = tell(name, version, (given.keep or Path(made)).resolve())
                failed += status != 0
                state = "ok" if status == 0 else f"FAILED, status {status}"
                print(f"{name}, {version}: {state} ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
