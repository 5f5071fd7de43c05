"""Each hook system: its configurations are loaded, what hooks answer becomes a verdict, what the program tells is fired."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator

from pyshellhooks import ConfigError, HookEngine, MemoryFS, UnknownEventError, Verdict, dialects
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.engine.config import loading
from pyshellhooks.hooks.dialect import Dialect
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.internal_failures import Kind
from pyshellhooks.hooks.model import ENDED, Decision, HookRun
from pyshellhooks.jsontext.compact import WireError
from pyshellhooks.text import encode
from tests.contract.said_again import Bench, refused, weaker
from tests.contract.test_output_abuse import GUARDS, PLAIN

from .system_seeds import answers, configs, editions, names, payloads
from .target import Broken, Target

STATUSES = ("0", "1", "2", "3", "49", "126", "127", "255", "258", "-9")


def sound(verdict: Verdict) -> Verdict:
    """Hold what every verdict promises: it can be written, says how its hooks ended, and no mistake of ours is in it."""
    try:
        json.dumps(verdict.as_json(), allow_nan=False)
    except ValueError as error:
        raise Broken("a verdict that is no JSON", error) from None
    if verdict.decision not in tuple(Decision):
        raise Broken("a verdict without a decision", verdict)
    for hook in verdict.hooks:
        if hook.ended not in ENDED:
            raise Broken("a hook without an end", hook)
        if hook.run.harm is not None and hook.run.harm.kind == Kind.CRASHED:
            raise Broken("a hook's run crashed", hook.run.harm)
    crash = next((text for text in verdict.notices if text.startswith("internal error")), "")
    if crash:
        raise Broken(f"an event crashed: {re.sub(r'[0-9]+', 'N', crash)[:80]}", crash)
    return verdict


# -- configurations ----------------------------------------------------------------------------------------------------


def check_load(edition: str, text: str) -> None:
    """Load a file's bytes: hooks, or mistakes with places. What loads is explained, and fires all its events."""
    dialect = dialects.get(edition)
    source = loading.source_of("hooks.conf", encode(text), "given")
    configuration = loading.load(dialect, [source])
    for diagnostic in configuration.diagnostics:
        if not diagnostic.message or (diagnostic.severity == "error" and diagnostic.line < 1):
            raise Broken("a mistake without a place", diagnostic)
        str(diagnostic), json.dumps(diagnostic.as_json())
    try:
        engine = _engine(dialect, source)
    except ConfigError as error:
        if not configuration.errors or not error.diagnostics:
            raise Broken("what checks without an error does not load", error) from None
        return
    if configuration.errors:
        raise Broken("what has errors loads", configuration.errors)
    with engine:
        for event in dict.fromkeys(spec.event for spec in engine.specs):
            if event not in dialect.events:
                continue  # an event that only another edition has
            row = dialect.events[event]
            plan = engine.explain(event, sample(row, neutral=False))
            str(plan)
            sound(engine.fire(event, sample(row, neutral=False)))
            for neutral in row.neutral[:1]:
                sound(engine.fire(neutral, sample(row, neutral=True)))


def _engine(dialect: Dialect, source: loading.Source) -> HookEngine:
    if source.diagnostic is not None:
        raise ConfigError([source.diagnostic])
    executor = RecordedExecutor(lambda job, scope: HookRun(status=0))
    return HookEngine.load(
        text=source.text,
        dialect=dialect,
        name="hooks.conf",
        executor=executor,
        fs=MemoryFS(),
        spawn=False,
        env={},
        cwd="/",
    )


# -- answers -----------------------------------------------------------------------------------------------------------


@functools.cache
def bench(edition: str) -> Bench:
    """Return the engine of an edition that has a hook on every event, and sees nothing of the host."""
    return Bench(edition, fs=MemoryFS(), spawn=False)


def check_answer(edition: str, event: str, status: str, stdout: str, stderr: str) -> None:
    """Read a hook's answer; say the verdict, and read it again. A block is one whatever stands around it."""
    table = bench(edition)
    row = table.dialect.events.get(event)
    if row is None:
        return
    made = HookRun("exited", int(status) if status in STATUSES else 0, encode(stdout), encode(stderr))
    table.run = made
    fields = table.fields(row)
    verdict = sound(table.engine.fire(event, fields))
    said, read = table.again(event, verdict, fields)
    sound(read)
    lost = weaker(row, verdict, read)
    if lost:
        raise Broken(f"said again it is weaker: {', '.join(lost)}", (verdict.as_json(), said))
    if event == GUARDS[table.dialect.name][0]:
        _guarded(table, event, made, verdict)


def _guarded(table: Bench, event: str, made: HookRun, verdict: Verdict) -> None:
    name = table.dialect.name
    if table.dialect.edition != "documented":
        return
    if made.status in (2, 258) and (name != "everruns" or not made.stdout) and not refused(verdict):
        raise Broken("exit 2 does not deny", verdict.as_json())  # everruns 5: output beats the status
    if made.status == 0 and made.stdout.strip() and not _is_object(made.stdout):
        if verdict.decision == Decision.ALLOW:
            raise Broken("an allow in noise is taken", verdict.as_json())
        # crush 4, gemini 4: it says nothing
        is_null = name in ("crush", "gemini") and made.stdout.strip() == b"null"
        if not (verdict.notices or verdict.context or name in PLAIN or is_null or refused(verdict)):
            raise Broken("garbage is told as nothing", verdict.as_json())
    if made.status == 0 and b"{" not in made.stdout and len(made.stdout) < 60_000:
        deny = json.dumps(GUARDS[name][1]).encode()
        for whole in (made.stdout + b"\n" + deny, deny + b"\n" + made.stdout):
            table.run = HookRun("exited", 0, whole, made.stderr)
            again = table.engine.fire(event, table.fields(table.dialect.events[event]))
            if not refused(again):
                raise Broken("a deny is lost to noise", (whole, again.as_json()))


def _is_object(data: bytes) -> bool:
    """Say whether a stream may be an answer: whoever reads it is milder than JSON."""
    return data.decode("utf-8", "replace").lstrip("\ufeff\0 \t\r\n\v\f").startswith(("{", '"'))


def answer_seeds(name: str) -> Iterator[tuple[str, ...]]:
    """Yield the answers of the cases, each to the event that guards, and to another."""
    events = list(dialects.get(name).events)
    guard, deny = GUARDS[name]
    for edition in editions(name):
        for number, (status, stdout, stderr) in enumerate(
            [("0", json.dumps(deny), ""), ("2", "", "no"), *answers(name)]
        ):
            yield edition, guard, status, stdout, stderr
            yield edition, events[number % len(events)], status, stdout, stderr


# -- payloads ----------------------------------------------------------------------------------------------------------


def check_payload(edition: str, text: str) -> None:
    """Read what a program tells its hooks, and fire it: a wrong payload is told as one."""
    table = bench(edition)
    try:
        event, fields = table.dialect.read(encode(text))
    except (WireError, UnknownEventError) as error:
        if not str(error):
            raise Broken("a wrong payload without words", repr(error)) from None
        return
    guard, deny = GUARDS[table.dialect.name]
    table.run = (
        HookRun("exited", 0, json.dumps(deny).encode(), b"") if event == guard else HookRun("exited", 2, b"", b"no")
    )
    try:
        verdict = table.engine.fire(event, fields)
    except TypeError as error:
        if "did you mean" not in str(error):
            raise
        return
    sound(verdict)
    said = table.dialect.answer(event, verdict, fields)
    said.stdout.encode("utf-8", "surrogateescape")
    if event == guard and not refused(verdict):
        raise Broken("a payload takes the deny from a hook", (event, verdict.as_json()))


def _load_seeds(name: str) -> Iterator[tuple[str, ...]]:
    for edition in editions(name):
        yield from ((edition, text) for text in configs(name))


def _payload_seeds(name: str) -> Iterator[tuple[str, ...]]:
    for edition in editions(name):
        yield from ((edition, text) for text in payloads(edition))


def _of(make: Callable[[str], Iterator[tuple[str, ...]]], name: str) -> Callable[[], Iterator[tuple[str, ...]]]:
    return lambda: make(name)


def _held(name: str, check: Callable[..., None]) -> Callable[..., None]:
    """Keep a check to a system's own editions: an input that names another one is about the first."""
    known = editions(name)

    def checked(edition: str, *rest: str) -> None:
        check(edition if edition in known else known[0], *rest)

    return checked


MARKS = (*'{ } [ ] , : " \\ null true 1e999 -1 "" {} []'.split(), "\n", "\\u0000", "\\ud800")
TARGETS = tuple(
    target
    for name in names()
    for target in (
        Target(f"load-{name}", ("edition", "file"), _held(name, check_load), _of(_load_seeds, name), (*MARKS, *dialects.get(name).events, *editions(name))),
        Target(
            f"answer-{name}", ("edition", "event", "status", "stdout", "stderr"), _held(name, check_answer), _of(answer_seeds, name),
            (*MARKS, *STATUSES, *dialects.get(name).events, "decision", "deny", "block", "allow", "ask", "continue", "permission", *editions(name)),
        ),
        Target(f"payload-{name}", ("edition", "payload"), _held(name, check_payload), _of(_payload_seeds, name), (*MARKS, *dialects.get(name).events, *editions(name))),
    )
)  # fmt: skip
