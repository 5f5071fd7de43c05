"""Configurations, answers and payloads of the hook systems, taken from the cases of ``conformance`` when they are asked for."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from conformance.case import HookCase, load
from conformance.shapes import SHAPES
from pyshellhooks import dialects
from tests.contract.said_again import Bench
from tests.property.mutated_scripts import ROOT


def names() -> tuple[str, ...]:
    """Return the systems."""
    return tuple(SHAPES)


def editions(name: str) -> list[str]:
    """Return a system's editions, by which it is asked for."""
    return [f"{name}@{edition}" for edition in dialects.dialect_class(name).editions]


@functools.cache
def cases(name: str) -> tuple[HookCase, ...]:
    """Return the cases of a system."""
    return tuple(case for case in load([Path(ROOT, "conformance", "cases", name)]) if isinstance(case, HookCase))


def configs(name: str) -> Iterator[str]:
    """Yield the texts of a system's configurations."""
    for case in cases(name):
        if case.config is not None:
            yield case.config
        yield from case.configs
        if case.hooks:
            event = case.event if case.event in dialects.get(name).events else next(iter(dialects.get(name).events))
            shaped = SHAPES[name](event, [dict(hook) for hook in case.hooks])
            yield json.dumps(shaped, indent=1) if name != "docker_agent" else yaml.safe_dump(shaped)


def answers(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield what the hooks of a system's cases print: (status, stdout, stderr), as far as it stands in their commands."""
    for case in cases(name):
        for hook in case.hooks:
            command = str(hook.get("command", ""))
            status = re.search(r"exit (\d+)", command)
            for text in re.findall(r"'([^']+)'", command) or [command]:
                yield status[1] if status else "0", text.replace("\\n", "\n"), "because" if ">&2" in command else ""
        yield from (("0", text, "") for text in case.answers.values())


def payloads(edition: str) -> Iterator[str]:
    """Yield what a hook of each event is told."""
    bench = Bench(edition)
    for native, row in bench.dialect.events.items():
        bench.executor.jobs.clear()
        bench.engine.fire(native, bench.fields(row))
        for job in bench.executor.jobs:
            yield job.env.get("EVERRUNS_HOOK_PAYLOAD_JSON") or job.stdin.decode()
