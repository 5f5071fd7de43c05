"""Ways in which a child leaves its run behind: each starts a process that beats, in the working directory, for ever.

A way is a script. It puts its programs in ``cwd`` first (``furnish``); whoever beats adds a byte to the file ``beat``, so that
a chain of processes too short-lived for any listing is seen as well. None of them leaves the directory (``left_in``).
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from hostile_runs import left_in

BEAT = """#!/bin/sh
trap '' HUP INT
while :; do printf . >> beat; /bin/sleep 0.02; done
"""

# A daemon as the books have it, in an emptied environment, with no descriptor of ours, under another name.
DAEMON = """
import ctypes, os, sys
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.closerange(0, 64)
for number in range(3): os.open("/dev/null", os.O_RDWR)
if sys.argv[1] == "hidden":
    libc = ctypes.CDLL(None)
    libc.prctl(15, b"kworker/0:1", 0, 0, 0)  # its name
    libc.prctl(4, 0, 0, 0, 0)  # not dumpable: nobody of its user may read its environment
    import time
    while True:
        with open("beat", "ab") as file: file.write(b".")
        time.sleep(0.02)
os.execve("/bin/sh", ["[kworker/0:1]", "./beats"], {})
"""

# Each link lives for as long as a fork takes, leads a session of its own, and never meets its grandparent.
CHAIN = """
import os, sys
for number in range(int(sys.argv[1]) - 1):
    if not os.fork(): break
if sys.argv[2] == "emptied" and len(sys.argv) == 3:
    os.execve(sys.executable, [sys.executable, "-I", "-S", sys.argv[0], *sys.argv[1:], "on"], {})
while True:
    if os.fork(): os._exit(0)
    os.setsid()
    with open("beat", "ab") as file: file.write(b".")
"""

# A program whose first thread has ended: a zombie, as the listings say, that acts on.
HEADLESS = """
import ctypes, threading, time
def act():
    while True:
        with open("beat", "ab") as file: file.write(b".")
        time.sleep(0.02)
threading.Thread(target=act).start()
ctypes.CDLL(None).pthread_exit(None)
"""

# The same where each link is a program: its environment is emptied anew by each.
LINKS = """#!/bin/sh
printf . >> beat
setsid env -i PATH="$PATH" /bin/sh ./links > /dev/null 2>&1 < /dev/null &
"""

PYTHON = f"{sys.executable} -I -S"
PROGRAMS = {"beats": BEAT, "daemon.py": DAEMON, "chain.py": CHAIN, "headless.py": HEADLESS, "links": LINKS}

# The run still has to be there when its end comes.
STAY = "\nwhile :; do sleep 0.02; done"

#: Ways that keep a bond (parent, session, group, or the cookie in the environment): they die under either isolation.
BOUND = {
    "child": "/bin/sh ./beats",
    "background": "/bin/sh ./beats &",
    "own session": "setsid /bin/sh ./beats &",
    "double fork": "/bin/sh -c '(/bin/sh ./beats &)'",
    "double fork, own session": "/bin/sh -c '(setsid /bin/sh ./beats &)'",
    "emptied by us": "env -i setsid sh -c '(/bin/sh ./beats &)' &",
    "emptied by exec": "(exec -c /bin/sh -c '(/bin/sh ./beats &)')",
    "emptied, its parent stays": "/bin/sh -c 'setsid env -i /bin/sh ./beats & wait' &",
    "its first thread ended": f"/bin/sh -c '(setsid {PYTHON} headless.py &)'",
}

#: Ways that cut every bond, or are quicker than who looks. Only descent tells, which needs a process that orphans come to.
UNBOUND = {
    "chain": f"{PYTHON} chain.py 1 kept",
    "four chains": f"{PYTHON} chain.py 4 kept",
    "emptied by a program": "/bin/sh -c 'setsid env -i /bin/sh -c \"(/bin/sh ./beats &)\" &'",
    "daemon": f"{PYTHON} daemon.py named",
    "hidden daemon": f"{PYTHON} daemon.py hidden",
    "chain of programs": "/bin/sh ./links",
    "emptied chain": f"{PYTHON} chain.py 1 emptied",
    "four emptied chains": f"{PYTHON} chain.py 4 emptied",
}

#: Ways that turn on the worker first. (A thread's parent is the host itself: nothing is promised about killing that.)
FLEE = 'setsid env -i /bin/sh -c "(/bin/sh ./beats &)" & until [ -s beat ]; do sleep 0.01; done; sleep 0.1'
AGAINST_THE_WORKER = {
    "kills the worker": f"/bin/sh -c '{FLEE}; kill -9 $PPID'",
    "kills the keeper": "/bin/sh -c '(setsid /bin/sh ./beats &); until [ -s beat ]; do sleep 0.01; done; sleep 0.1; "
    "read -r pid name state keeper rest < /proc/$PPID/stat; kill -9 $keeper'",
    "stops the worker": f"/bin/sh -c '{FLEE}; kill -STOP $PPID'",
}


def furnish(directory: Path) -> str:
    """Put the programs of all ways in a new directory."""
    directory.mkdir()
    for name, text in PROGRAMS.items():
        (directory / name).write_text(text)
    return str(directory)


def beats(directory: str) -> int:
    """Count the beats so far."""
    try:
        return os.stat(f"{directory}/beat").st_size
    except FileNotFoundError:
        return 0


def has_fled(directory: str, seconds: float = 30.0) -> bool:
    """Wait until it beats."""
    until = time.monotonic() + seconds
    while beats(directory) < 3:
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


def alive(directory: str, seconds: float = 0.3) -> list[str]:
    """Return who works in the directory; a beat that no listing explains counts as well."""
    before = beats(directory)
    found = left_in(directory)
    time.sleep(seconds)
    if not found and beats(directory) != before:
        found.append(f"{beats(directory) - before} beats of nobody")
    return found


def gone(directory: str, seconds: float) -> list[str]:
    """Wait for all of it to go; gives what has not gone in time, and kills that."""
    until = time.monotonic() + seconds
    while found := alive(directory):
        if time.monotonic() > until:
            bury(directory)
            return found
    return found


def bury(directory: str) -> None:
    """Kill what still works in the directory. A chain ends where it has lost its program and its file."""
    for name in (*PROGRAMS, "beat"):
        if not os.path.isdir(f"{directory}/{name}"):
            Path(directory, name).unlink(missing_ok=True)
    Path(directory, "beat").mkdir(exist_ok=True)  # opening it fails from now on
    until = time.monotonic() + 20
    while time.monotonic() < until:
        found = False
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if f"{os.readlink(f'/proc/{pid}/cwd')}/".startswith(f"{directory}/") and int(pid) != os.getpid():
                    with open(f"/proc/{pid}/stat", "rb") as stat:
                        if stat.read().rpartition(b")")[2].split()[0] in b"ZX":
                            continue
                    os.kill(int(pid), signal.SIGKILL)
                    found = True
            except OSError:
                continue
        if not found:
            return
