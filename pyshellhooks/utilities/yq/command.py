"""The commands ``yq``, ``xq`` and ``tomlq``: Debian's yq 3.1 (kislyuk's), on top of the in-process jq.

Statuses: jq's; 1 if a file is not well-formed or can't be replaced, 2 for an invalid command line or a missing file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ...command import Call, Flag, reason, utility
from ...errors import Stop
from ...streams import BytesReader, NullStream, Stream
from ...streams.capture import Capture
from ...text import encode
from ..jq.command import jq
from .arguments import ANNOTATED, JSON, TOML, XML, YAML, Arguments, read_arguments
from .failures import Failure

if TYPE_CHECKING:
    from .results import Writer

_VERSION = "3.1.0"

_LISTED = (
    Flag("-y", "--yaml-output", "--yml-output", help="write YAML"),
    Flag("-Y", "--yaml-roundtrip", "--yml-roundtrip", help="write YAML, with the input's tags and styles"),
    Flag("-x", "--xml-output", help="write XML"),
    Flag("-t", "--toml-output", help="write TOML"),
    Flag("-o", "--output-format", value="FORMAT", help="write yaml, json, xml or toml"),
    Flag("-p", "--input-format", value="FORMAT", help="read yaml, json, xml or toml"),
    Flag("-i", "--in-place", "--inplace", help="edit each file in place"),
    Flag("-w", "--width", value="N", help="wrap lines of YAML after N characters"),
    Flag("-I", "--indent", value="N", help="indent with N spaces"),
    Flag("-P", "--prettyPrint", help="write YAML if no other format is selected"),
    Flag("-N", "--no-doc", help="write no --- between documents"),
    Flag(
        "--yaml-output-grammar-version", "--yml-out-ver", value="VERSION", help="quote by the rules of YAML 1.1 or 1.2"
    ),
    Flag("--indentless-lists", "--indentless", help="do not indent sequences in mappings"),
    Flag("--explicit-start", help="begin each document with ---"),
    Flag("--explicit-end", help="end each document with ..."),
    Flag("--no-expand-aliases", help="write each alias as an object with its name"),
    Flag("--max-expansion-factor", value="N", help="limit how many times larger aliases may make a document: 1024"),
    Flag("--front-matter", value="extract", help="read the first document of each file only"),
    Flag("--xml-root", value="NAME", help="put the XML output in an element"),
    Flag("--xml-dtd", help="write a declaration of XML, and one root element"),
    Flag("--xml-force-list", value="NAME", help="elements of this name are arrays, even a single one"),
    Flag("-n", "--null-input", help="run once, with null as the input"),
    Flag("-r", "--raw-output", "--unwrapScalar", help="write strings as they are"),
    Flag("-C", "--color-output", "--colors", help="color, also when not on a terminal"),
    Flag("-M", "--monochrome-output", "--no-colors", help="no color"),
    Flag("--tojson", help="write JSON"),
    Flag("--expression", value="FILTER", help="the filter; all operands are files"),
    Flag("-f", "--from-file", value="FILE", help="read the filter from FILE"),
    Flag("--version", help="write the version"),
    Flag("-h", "--help", help="write this help; all other options are jq's"),
)
_USAGE = "[OPTION]... FILTER [FILE]..."


@utility(
    "yq",
    summary="Run a jq filter on each YAML document of the files, or of standard input.",
    usage=_USAGE,
    flags=None,
    listed=_LISTED,
    usage_status=2,
    hears=False,
)
def yq(call: Call) -> int:
    """Run yq; Debian's yq 3.1, and mikefarah's names."""
    return _run(call, "yq", yq.help)


@utility(
    "xq",
    summary="Run a jq filter on each XML file, or on standard input.",
    usage=_USAGE,
    flags=None,
    listed=_LISTED,
    usage_status=2,
    hears=False,
)
def xq(call: Call) -> int:
    """Run yq on XML."""
    return _run(call, "xq", xq.help)


@utility(
    "tomlq",
    summary="Run a jq filter on each TOML file, or on standard input.",
    usage=_USAGE,
    flags=None,
    listed=_LISTED,
    usage_status=2,
    hears=False,
)
def tomlq(call: Call) -> int:
    """Run yq on TOML."""
    return _run(call, "tomlq", tomlq.help)


def _run(call: Call, program: str, help: Callable[[], str]) -> int:
    try:
        arguments = read_arguments(program, call.argv[1:])
        if arguments.shows:
            text = help() if arguments.shows == "help" else f"{program} {_VERSION}\n"
            call.out.write(encode(text))
            return 0
        if arguments.in_place:
            return _edit(call, arguments)
        reads_stdin = not arguments.files and not arguments.null_input
        if reads_stdin and call.stdin.isatty():
            call.out.write(encode(help()))
            return 2
        return _answer(call, arguments)
    except Failure as failure:
        call.out.flush()
        call.stderr.write(encode(f"{program}: {failure.message}\n"))
        return failure.status
    except RecursionError:
        raise Stop("limit", f"{program}: out of stack") from None


def _answer(call: Call, arguments: Arguments) -> int:
    """Run the filter on the files, and write its results."""
    output = arguments.output_of("")
    files = _open(call, arguments)
    if output == JSON:
        return _filter(call, arguments, JSON, files, call.stdout)
    return _convert(call, arguments, output, files, lambda text: call.out.write(encode(text)))


def _open(call: Call, arguments: Arguments) -> Sequence[tuple[str, Stream, str]]:
    """Open all files first, as Debian's yq does, so that a missing one is an error before any output."""
    names = arguments.files
    if not names and not arguments.null_input:
        names = ["-"]
    opened: list[tuple[str, Stream, str]] = []
    for name in names:
        call.check()
        try:
            stream = call.open_input(name)
        except OSError as error:
            for _, stream, _ in opened:
                stream.release()
            raise Failure(f"error: argument files: can't open '{name}': {reason(error)}", 2) from None
        opened.append(("<stdin>" if name == "-" else name, stream, arguments.input_of(name)))
    return opened


def _filter(
    call: Call, arguments: Arguments, output: str, files: Sequence[tuple[str, Stream, str]], out: Stream
) -> int:
    """Run jq on the files, and return its status."""
    from .documents import Documents, Input, make_run

    documents = Documents(make_run(call), arguments, output, [Input(*file) for file in files])
    inner = Call(
        ["jq", *arguments.words(output)],
        env=call.env,
        cwd=call.cwd,
        fs=call.fs,
        stdin=documents if files else NullStream(),
        stdout=out,
        stderr=call.stderr.stream,
        scope=call.scope,
        limits=call.limits,
        start=call.start,
        programs=call.programs,
        umask=call.umask,
    )
    try:
        return jq.run(inner)
    finally:
        inner.out.flush()
        documents.release()


def _convert(
    call: Call,
    arguments: Arguments,
    output: str,
    files: Sequence[tuple[str, Stream, str]],
    put: Callable[[str], None],
) -> int:
    """Run jq, and write its results in another format."""
    from .documents import make_run
    from .results import Results

    run = make_run(call)
    writer: Writer
    if output in (YAML, ANNOTATED):
        from .yaml_writer import YamlWriter

        writer = YamlWriter(run, arguments, output == ANNOTATED)
    elif output == XML:
        from .xml_writer import XmlWriter

        writer = XmlWriter(run, arguments)
    else:
        from .toml_writer import TomlWriter

        assert output == TOML
        writer = TomlWriter(run)
    results = Results(run, writer, put)
    status = _filter(call, arguments, output, files, results)
    results.finish()
    return status


# -- in place


def _edit(call: Call, arguments: Arguments) -> int:
    """Edit the files one after another, up to the first failure."""
    from .in_place import Edited

    if not arguments.files:
        raise Failure("-i/--in-place can only be used with filename arguments, not on standard input")
    if arguments.front_matter:
        raise Failure("-i/--in-place can't be used with --front-matter, because the text after it would be lost")
    status = 0
    for name in arguments.files:
        output = arguments.output_of(name)
        if output in (XML, TOML):
            raise Failure(
                f"-i/--in-place can only be used with -y/-Y or JSON, because {output.upper()} would lose its comments"
            )
        edited = Edited(call, name)
        if output == YAML and arguments.output is None:
            _refuse_loss(call, edited.data, name)
        files = [(name, BytesReader(edited.data).retain(), arguments.input_of(name))]
        written = Capture(call.limits.written, name, "written")
        if output == JSON:
            status = _filter(call, arguments, JSON, files, written)
        else:
            status = _convert(call, arguments, output, files, partial(_write, written))
        if status:  # also that of -e: to replace a file by false or null is hardly intended
            return status
        if data := written.getvalue():
            edited.replace(data)
    return status


def _write(out: Capture, text: str) -> None:
    out.write(encode(text))


def _refuse_loss(call: Call, data: bytes, name: str) -> None:
    """Raise ``Failure`` if editing would drop parts of a file that mikefarah's yq preserves, such as comments."""
    from yaml import YAMLError

    from .documents import make_run
    from .failures import unreadable
    from .losses import first_loss

    try:
        loss = first_loss(make_run(call), data, name)
    except YAMLError as error:
        raise unreadable(error) from None
    if loss:
        line, what = loss
        raise Failure(
            f"couldn't edit {name}: line {line} has {what}, which would be lost; use -y to write the file anyway"
        )


__all__ = ["tomlq", "xq", "yq"]
