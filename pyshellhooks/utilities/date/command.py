"""date: print the date and time (POSIX XCU date; GNU coreutils 9.1). It never sets the clock."""

from __future__ import annotations

from time import time_ns

from ...command import Call, Flag, Options, RawArgument, utility
from ...command.call import reason
from ...command.flags import Kind
from ...errors import UsageError
from ...regexes import lazy_pattern
from ...text import encode
from ...times.moments import moment, strftime
from ..support.bsd_forms import date_words
from ..support.kinds import Choice
from ..support.quoting import quote, report

_CLOCK = lazy_pattern(r"(?:0[1-9]|1[0-2])[0-3][0-9][0-2][0-9][0-5][0-9](?:[0-9][0-9](?:[0-9][0-9])?)?(?:\.[0-9][0-9])?")
_REFUSED = "cannot set date: Operation not permitted"
_ISO = {"hours": "%Y-%m-%dT%H%:z", "minutes": "%Y-%m-%dT%H:%M%:z", "date": "%Y-%m-%d"}
_ISO |= {"seconds": "%Y-%m-%dT%H:%M:%S%:z", "ns": "%Y-%m-%dT%H:%M:%S,%N%:z"}
_ISO_WORD = Choice(*_ISO)
_RFC3339 = {"date": "%Y-%m-%d", "seconds": "%Y-%m-%d %H:%M:%S%:z", "ns": "%Y-%m-%d %H:%M:%S.%N%:z"}
_RFC3339_WORD = Choice(*_RFC3339)


_FORMATS = ("iso_8601", "rfc_email", "rfc_3339")


def _once(read: Choice) -> Kind:
    """Make the kind of an option that chooses the format, which is done once."""

    def kind(argument: RawArgument) -> object:
        word = read(argument)
        if any(dest in argument.before for dest in _FORMATS):
            raise UsageError("multiple output formats specified", hint=False)
        return word

    return kind


def _format(call: Call) -> str:
    opts = call.opts
    chosen = [dest for dest, _ in opts.given if dest in _FORMATS]
    operands = list(call.args)
    if len(operands) > 1:
        raise UsageError(f"extra operand {quote(operands[1], call.env)}")
    has_format = bool(operands) and operands[0].startswith("+")
    if len(chosen) + has_format > 1:
        raise UsageError("multiple output formats specified", hint=False)
    if not operands:
        return _named_format(opts)
    if has_format:
        return operands[0][1:]
    # Any other operand sets the clock (POSIX XCU date, the XSI operand mmddhhmm).
    if any(dest in opts for dest in ("date", "reference", "file", "set", "resolution")):
        raise UsageError(
            f"the argument {quote(operands[0], call.env)} lacks a leading '+';\n"
            "when using an option to specify date(s), any non-option\nargument must be a format string "
            "beginning with '+'"
        )
    if not _CLOCK.fullmatch(operands[0]):
        raise UsageError(f"invalid date {quote(operands[0], call.env)}", hint=False)
    raise UsageError(_REFUSED, hint=False)


def _named_format(opts: Options) -> str:
    """Return the format that an option names, or the usual one."""
    if "iso_8601" in opts:
        return _ISO[opts.value("iso_8601", "date")]
    if "rfc_3339" in opts:
        return _RFC3339[opts.value("rfc_3339")]
    if "rfc_email" in opts:
        return "%a, %d %b %Y %H:%M:%S %z"
    if opts.resolution:
        return "%s.%N"
    return "%a %b %e %H:%M:%S %Z %Y"


def _refuse_to_set(call: Call, now: int, zone: str | None) -> None:
    from .parse import parse_date

    opts = call.opts
    if {dest for dest, _ in opts.given} & {"date", "file", "reference", "resolution"}:
        raise UsageError("the options to print and set the time may not be used together")
    _format(call)
    text = opts.value("set")
    if parse_date(text, now, zone) is None:
        raise UsageError(f"invalid date {quote(text, call.env)}", hint=False)
    raise UsageError(_REFUSED, hint=False)


@utility(
    "date",
    summary="Display date and time in the given FORMAT.",
    bsd=date_words,
    version="GNU coreutils 9.1",
    usage="[OPTION]... [+FORMAT]",
    flags=[
        Flag("-d", "--date", value="STRING", help="display time described by STRING, not 'now'"),
        Flag("-f", "--file", value="DATEFILE", help="like --date; once for each line of DATEFILE"),
        Flag(
            "-I",
            "--iso-8601",
            value="FMT",
            optional=True,
            kind=_once(_ISO_WORD),
            help="output date/time in ISO 8601 format",
        ),
        Flag("-R", "--rfc-email", "--rfc-2822", "--rfc-822", help="output date and time in RFC 5322 format"),
        Flag("--rfc-3339", value="FMT", kind=_once(_RFC3339_WORD), help="output date/time in RFC 3339 format"),
        Flag("-r", "--reference", value="FILE", help="display the last modification time of FILE"),
        Flag("--resolution", help="output the available resolution of timestamps"),
        Flag("-s", "--set", value="STRING", help="(refused: the clock can't be set)"),
        Flag("-u", "--utc", "--universal", help="print Coordinated Universal Time (UTC)"),
        Flag("--debug", help="(refused)"),
    ],
)
def date(call: Call) -> int:
    opts = call.opts
    zone = "UTC0" if opts.utc else call.zone
    if opts.debug:
        raise UsageError("option '--debug' is not supported", hint=False)
    if len({dest for dest, _ in opts.given if dest in ("date", "file", "reference", "resolution")}) > 1:
        raise UsageError("the options to specify dates for printing are mutually exclusive")
    now = time_ns()
    if "set" in opts:
        _refuse_to_set(call, now, zone)
    fmt = _format(call)
    if opts.resolution:
        now = 1  # the resolution of the clock, in nanoseconds
    texts: list[str] | None = None
    if "date" in opts:
        texts = [opts.value("date")]
    if "file" in opts:
        from ...text import decode
        from ..support.records import opened, records

        source = opened(call, opts.value("file"))
        try:
            texts = [decode(line.rstrip(b"\n")) for line in records(call, source)]
        finally:
            source.release()
    if "reference" in opts:
        try:
            now = call.fs.stat(call.path(opts.value("reference"))).st_mtime_ns
        except OSError as error:
            report(call, opts.value("reference"), OSError(error.errno, reason(error)))
            return 1
    if texts is None:
        call.out.write(encode(strftime(fmt, moment(now, zone))) + b"\n")
        return 0
    from .parse import parse_date

    status = 0
    for text in texts:
        call.check()
        stamp = parse_date(text, now, zone)
        if stamp is None:
            call.error(f"invalid date {quote(text, call.env)}")
            status = 1
            continue
        call.out.write(encode(strftime(fmt, moment(stamp, zone))) + b"\n")
    return status
