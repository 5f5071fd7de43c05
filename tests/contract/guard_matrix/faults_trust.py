"""The mishaps with what was trusted: a config, or a script that it names, that has changed, is missing or can't be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pyshellhooks.engine.checks.trust_review import Survey

from .bench import Bench
from .faults import fault


def _trust(bench: Bench) -> None:
    """Let a person look at the project and trust it."""
    bench.discovers = True
    Survey(str(bench.root), bench.env, "", bench.options.get("mounts", {})).keep()


def _in_place_of(path: Path) -> None:
    """Make of a file what nobody can read, root neither."""
    path.unlink()
    path.mkdir()


def _config(bench: Bench, spoil: Callable[[], object]) -> Iterator[None]:
    bench.write()
    _trust(bench)
    spoil()
    yield
    bench.text, bench.writes = str.encode, True
    if bench.file.is_dir():
        bench.file.rmdir()
    bench.write()
    _trust(bench)


def _scripts(bench: Bench, spoil: Callable[[Path], object]) -> Iterator[None]:
    bench.scripts()
    bench.write()
    _trust(bench)
    for event in bench.events:
        spoil(bench.script_of(event))
    yield
    for event in bench.events:
        if bench.script_of(event).is_dir():
            bench.script_of(event).rmdir()
    bench.scripts()
    _trust(bench)


@fault
def trusted_config_changed(bench: Bench) -> Iterator[None]:
    def spoil() -> None:
        bench.text = lambda text: f"{text}\n".encode()

    yield from _config(bench, spoil)


@fault
def trusted_config_missing(bench: Bench) -> Iterator[None]:
    def spoil() -> None:
        bench.writes = False
        bench.file.unlink()

    yield from _config(bench, spoil)


@fault
def trusted_config_unreadable(bench: Bench) -> Iterator[None]:
    def spoil() -> None:
        bench.writes = False
        _in_place_of(bench.file)

    yield from _config(bench, spoil)


@fault
def trusted_script_changed(bench: Bench) -> Iterator[None]:
    yield from _scripts(bench, lambda path: path.write_text(path.read_text() + "\n"))


@fault
def trusted_script_missing(bench: Bench) -> Iterator[None]:
    yield from _scripts(bench, lambda path: path.unlink())


@fault
def trusted_script_unreadable(bench: Bench) -> Iterator[None]:
    yield from _scripts(bench, _in_place_of)
