"""The steps that end children: TERM, grace, KILL, reap.

RUNNING -> TERM to each group -> grace -> KILL to the whole tree -> reap. A child that ends in its grace stays a zombie
until the KILL, so that its group keeps its number and the KILL reaches the rest of the group.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic

from ..errors import Stop
from . import current
from .base import Process

REAP_SECONDS = 0.4


def end(processes: Iterable[Process], *, grace_until: float, sweep: str | None = None) -> list[Process]:
    """End ``processes``, and with ``sweep`` (a run's cookie) all processes that the run started.

    ``grace_until`` is a time of ``time.monotonic``; one in the past kills at once. Returns within 0.8 s after it, with
    the processes that could not be reaped (a disk that hangs), usually an empty list.
    """
    host = current()
    family = set(processes)
    if sweep is not None:
        family.update(host.children.of(sweep))
    for process in family:
        process.send_term()
    for process in family:
        process.ended(grace_until)
    if family or sweep is not None:
        host.sweep(list(family), sweep)
    until = monotonic() + REAP_SECONDS
    return [process for process in family if not _reaped(process, until)]


def _reaped(process: Process, until: float) -> bool:
    if not process.ended(until):
        return False
    try:
        process.poll()
    except Stop:  # its status is lost, but it has ended
        pass
    return True
