"""timeout: run a command with a time limit (POSIX.1-2024 XCU timeout; GNU coreutils 9.1).

An in-process shell or utility gets the requested signal on every system, a native program on POSIX. Windows has no
signals: there each signal whose default action ends a program ends it, with that signal's status, and cannot be caught.
"""

from __future__ import annotations

from ..cancel import Timer, watchdog
from ..command import Call, Flag, Flags, RawArgument, Running, reason, utility
from ..command.signals import NAMES, SIGNALS
from ..errors import UsageError
from .sleep import seconds_of
from .support.quoting import quote

TERM, KILL, CONT = 15, 9, 18
_CANCELED, _CANNOT_RUN, _NOT_FOUND = 125, 126, 127
_TIMED_OUT = 124
# Further names of signal numbers; GNU prints POLL for bash's IO.
_NUMBERS = {"EXIT": 0, **SIGNALS, "IOT": 6, "CLD": 17, "POLL": 29, "RTMIN": 34, "RTMAX": 64}
_SHOWN = {**NAMES, 0: "EXIT", 29: "POLL", 34: "RTMIN", 64: "RTMAX"}
_LAST = 64
_RESERVED = (32, 33)  # glibc uses them for its threads
_FORWARDED = (1, 2, 3, 14, 15)


def _signal(argument: RawArgument) -> int:
    """Parse a signal's name or number (gnulib operand2sig)."""
    text = argument.text
    number: int | None
    if text.isascii() and text.isdecimal():
        number = int(text[:9])
        if 128 <= number <= 255:
            number &= 127  # a shell's exit status means the signal in it
    else:
        number = _named_signal(text.upper().removeprefix("SIG"))
    if number is None or not 0 <= number <= _LAST or number in _RESERVED:
        raise UsageError(f"{quote(text, argument.env)}: invalid signal")
    return number


def _seconds(argument: RawArgument) -> float:
    seconds = seconds_of(argument.text)
    if seconds is None:
        raise UsageError(f"invalid time interval {quote(argument.text, argument.env)}")
    return seconds


def _named_signal(name: str) -> int | None:
    """Return the number of ``TERM``, ``RTMIN+3`` or ``RTMAX-3``."""
    if name in _NUMBERS:
        return _NUMBERS[name]
    base, offset = name[:5], name[5:]
    digits = offset[1:]
    if base not in ("RTMIN", "RTMAX") or offset[:1] not in ("+", "-"):
        return None
    if not digits.isascii() or not digits.isdecimal():
        return None
    number = _NUMBERS[base] + int(offset[:5])
    return number if _NUMBERS["RTMIN"] <= number <= _LAST else None


def _shown(number: int) -> str:
    if number in _SHOWN:
        return _SHOWN[number]
    if 34 < number < _LAST:
        return f"RTMIN+{number - 34}"
    return str(number)


class _Limit:
    """Sends the signals when the time is over. It runs on the watchdog's thread, which must not block."""

    def __init__(self, call: Call, number: int, kill_after: float) -> None:
        self.number = number
        self.kill_after = kill_after
        self.group = "foreground" not in call.opts
        self.running: Running | None = None
        self.timed_out = False
        self.sent: list[int] = []
        self._call = call
        self._timer: Timer | None = None

    def arm(self, seconds: float) -> None:
        """Send the signal after so many seconds; never for 0."""
        if 0 < seconds < 1e9:
            from time import monotonic

            self._timer = watchdog.at(monotonic() + seconds, self._strike)

    def _strike(self) -> None:
        self.timed_out = True
        self._send(self.number)

    def _send(self, number: int) -> None:
        assert self.running is not None
        self.sent.append(number)
        if self.kill_after:
            # The first signal, whatever its sender, starts the time until KILL.
            self.disarm()
            self.number = KILL
            self.arm(self.kill_after)
            self.kill_after = 0.0
        self.running.signal(number, self.group)
        if self.group and number not in (KILL, CONT):
            self.running.signal(CONT)  # a stopped process cannot end

    def forward(self, number: int) -> bool:
        """Forward a signal that timeout itself received; the command decides about it."""
        if self.running is None or number not in (*_FORWARDED, self.number):
            return False
        self._send(number)
        return True

    def disarm(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def report_signals(self) -> None:
        """Report the signals sent."""
        for number in self.sent:
            name = quote(self._call.args[1], self._call.env)
            self._call.error(f"sending signal {_shown(number)} to command {name}")


@utility(
    "timeout",
    summary="Start COMMAND, and kill it if still running after DURATION (a number, with s, m, h or d).",
    version="GNU coreutils 9.1",
    usage="[OPTION] DURATION COMMAND [ARG]...",
    flags=Flags(
        [
            Flag("--preserve-status", help="exit with the same status as COMMAND, even when it times out"),
            Flag("--foreground", help="send signals to COMMAND alone, not to its children"),
            Flag(
                "-k", "--kill-after", value="DURATION", kind=_seconds, help="send KILL if it still runs this long after"
            ),
            Flag("-s", "--signal", value="SIGNAL", kind=_signal, help="send this signal, a name or a number (TERM)"),
            Flag("-v", "--verbose", help="diagnose to stderr any signal sent upon timeout"),
        ],
        permute=False,
    ),
    usage_status=_CANCELED,
    error_status=_CANCELED,
)
def timeout(call: Call) -> int:
    if len(call.args) < 2:
        call.stderr.write(b"Try 'timeout --help' for more information.\n")
        return _CANCELED
    seconds = _seconds(RawArgument(call.args[0], call.env))
    kill_after = call.opts.read("kill_after", float) or [0.0]
    limit = _Limit(call, call.opts.integer("signal", TERM), kill_after[-1])
    call.out.flush()
    status: int | None = None
    try:
        limit.running = running = call.start(call.args[1:], scope=call.scope)  # detached children end with the run
        call.on_signal = limit.forward
        try:
            limit.arm(seconds)
            status = running.wait()
        finally:
            limit.disarm()
            call.on_signal = None
            if status is None:
                running.signal(KILL)
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        call.error(f"failed to run command {quote(call.args[1], call.env)}: {reason(error)}")
        return _NOT_FOUND if isinstance(error, FileNotFoundError) else _CANNOT_RUN
    if call.opts.verbose:
        limit.report_signals()
    return _outcome(call, limit, status, running.signaled)


def _outcome(call: Call, limit: _Limit, status: int, ended_by: int | None) -> int:
    """Return the status.

    Like GNU's, timeout dies of a signal that ended its command before the time, or of its own KILL.
    """
    killed_itself = limit.group and KILL in limit.sent  # it was sent to the whole group, including timeout
    if killed_itself:
        ended_by = KILL
    if ended_by is not None and (killed_itself or not limit.timed_out):
        call.signaled = ended_by
        return 128 + ended_by
    if limit.timed_out and not call.opts.preserve_status and ended_by != KILL:
        return _TIMED_OUT
    return status
