"""A signal that comes while the main thread holds a lock ends the run all the same: a handler waits for nobody."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.clock import patient

# What is woken has a lock of its own, as threading.Event has.
_PROGRAM = """
import signal, threading
from types import SimpleNamespace
from pyshellhooks.cancel import CancelScope
from pyshellhooks.host.signals import forward
from pyshellhooks.shell.dialogue import Dialogue
from pyshellhooks.shell.execution import Process

scope, lock, woken = CancelScope(), threading.Lock(), threading.Event()

def wake():
    with lock:
        woken.set()

run = SimpleNamespace(main=SimpleNamespace(signal=lambda number: None), trapped=(), scope=scope)
process = Process(0)
process.run = run
dialogue = Dialogue.__new__(Dialogue)
dialogue._now, dialogue._execution, dialogue._process = scope, SimpleNamespace(run=run), process
forward({taker}.deliver)
with scope.on_cancel(wake):
    with lock:
        signal.raise_signal(signal.{name})
    print(woken.wait(30))
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("taker", "name"), [("process", "SIGTERM"), ("process", "SIGINT"), ("dialogue", "SIGINT")])
def test_a_handler_waits_for_no_lock(taker: str, name: str) -> None:
    words = [sys.executable, "-c", _PROGRAM.replace("{taker}", taker).replace("{name}", name)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=patient(60), check=False)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)
