"""The command line of yq.

Debian's yq (kislyuk's, 3.1) has options of its own and passes all others to jq. The names that mikefarah's yq 4 has for
the same options are accepted as well, unless they have another meaning here (mikefarah yq 4 manual, "Evaluate", "Front
Matter" and "XML"): ``-p -o -P -I -N -i``, ``--inplace``, ``--null-input`` and so on, and the word ``eval``. If both
have a letter, Debian's meaning counts: ``-j`` joins the output, ``-s`` slurps, ``-f`` names a file with the filter,
``-c`` is compact.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...text import EVERY, pause
from .failures import Failure

YAML, ANNOTATED, JSON, XML, TOML = "yaml", "annotated_yaml", "json", "xml", "toml"

_FORMATS = {"yaml": YAML, "y": YAML, "yml": YAML, "json": JSON, "j": JSON, "xml": XML, "x": XML, "toml": TOML}
_BY_SUFFIX = {"json": JSON, "xml": XML, "toml": TOML}
_USAGE = 2  # the status of a wrong command line

# Options without a value: an attribute and its new value.
_SWITCHES: dict[str, tuple[str, object]] = {
    "-y": ("output", YAML),
    "--yaml-output": ("output", YAML),
    "--yml-output": ("output", YAML),
    "-Y": ("output", ANNOTATED),
    "--yaml-roundtrip": ("output", ANNOTATED),
    "--yml-roundtrip": ("output", ANNOTATED),
    "-x": ("output", XML),
    "--xml-output": ("output", XML),
    "-t": ("output", TOML),
    "--toml-output": ("output", TOML),
    "--tojson": ("output", JSON),
    "-i": ("in_place", True),
    "--in-place": ("in_place", True),
    "--inplace": ("in_place", True),
    "--indentless-lists": ("indentless", True),
    "--indentless": ("indentless", True),
    "--explicit-start": ("explicit_start", True),
    "--explicit-end": ("explicit_end", True),
    "--no-expand-aliases": ("expand_aliases", False),
    "--xml-dtd": ("xml_dtd", True),
    "-P": ("pretty", True),
    "--prettyPrint": ("pretty", True),
    "-N": ("separate", False),
    "--no-doc": ("separate", False),
    "-n": ("null_input", True),
    "--null-input": ("null_input", True),
    "-h": ("shows", "help"),
    "--help": ("shows", "help"),
    "--version": ("shows", "version"),
}
# Options with a value: the kind of the value.
_VALUES = {
    "--output-format": "output",
    "-o": "output",
    "--input-format": "input",
    "-p": "input",
    "--yaml-output-grammar-version": "grammar",
    "--yml-out-ver": "grammar",
    "--width": "width",
    "-w": "width",
    "--indent": "indent",
    "-I": "indent",  # 0 is one line
    "--max-expansion-factor": "factor",
    "--xml-root": "xml_root",
    "--xml-force-list": "force_list",
    "--front-matter": "front_matter",
    "--expression": "expression",
}
_OF_JQ = {"-L": 1, "--library-path": 1, "--arg": 2, "--argjson": 2, "--slurpfile": 2, "--rawfile": 2}
_JQ_NAMES = {"--unwrapScalar": "-r", "--colors": "-C", "--no-colors": "-M"}
_COLOR = ("-C", "--color-output")


class Arguments:
    """A parsed command line. ``output`` is None if no option named a format."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.input: str | None = None
        self.output: str | None = None
        self.options: list[str] = []  # for jq
        self.positional: list[str] = []  # --args or --jsonargs, and the words after it
        self.filter: str | None = None
        self.from_file: str | None = None
        self.files: list[str] = []
        self.width: int | None = None
        self.indent: int | None = None
        self.factor = 1024  # characters of JSON that one character of YAML may expand to
        self.grammar = "1.1"
        self.xml_root = ""
        self.force_list: list[str] = []
        self.shows = ""
        self.expand_aliases = self.separate = True
        self.in_place = self.indentless = self.explicit_start = self.explicit_end = self.xml_dtd = False
        self.null_input = self.pretty = self.front_matter = False

    def words(self, output: str) -> list[str]:
        """Return the words after ``jq``. They have no colors if jq's output is converted to another format."""
        words = [word for word in self.options if output == JSON or word not in _COLOR]
        if self.null_input:
            words.append("-n")
        if output != JSON:
            words.append("-c")  # deeply nested values would have long lines
        elif self.indent is not None and "-c" not in words:
            words += ["--indent", str(self.indent)]
        if self.from_file is not None:
            words.append("-f")
        words += self.positional[:1]
        words.append("--")
        if self.from_file is None:
            filter_ = self.filter
        else:
            filter_ = self.from_file
        if filter_ is not None:
            words.append(filter_)
        return words + self.positional[1:]

    def input_of(self, name: str) -> str:
        """Return the format in which a file is read."""
        if self.input is not None:
            return self.input
        if self.program == "xq":
            return XML
        if self.program == "tomlq":
            return TOML
        if self.in_place and self.output is None:  # mikefarah's form, which reads and writes the file's format
            return self._by_name(name)
        return YAML

    def output_of(self, name: str) -> str:
        """Return the output format: if no option names it, a file that is edited in place keeps its own."""
        if self.output is not None:
            return self.output
        if self.in_place:
            return self.input_of(name)
        return YAML if self.pretty else JSON

    @staticmethod
    def _by_name(name: str) -> str:
        return _BY_SUFFIX.get(name.rpartition(".")[2].lower(), YAML)


class _Reader:
    """Parser of one command line."""

    def __init__(self, program: str, words: Sequence[str]) -> None:
        self.found = Arguments(program)
        self.words = list(words)
        self.at = 0
        self.operands: list[str] = []

    def read(self) -> Arguments:
        found = self.found
        while self.at < len(self.words) and not found.shows:
            word = self.words[self.at]
            self.at += 1
            if not self.at % EVERY:
                pause()
            if word == "--":
                self.operands += self.words[self.at :]
                break
            if word in ("--args", "--jsonargs"):
                found.positional = [word, *self.words[self.at :]]
                break
            if word.startswith("--"):
                self.long(word)
            elif _is_cluster(word):
                self.cluster(word)
            else:
                self.operands.append(word)
        if not found.shows:
            self.settle()
        return found

    def settle(self) -> None:
        """Assign the operands to the filter and the files."""
        found, operands = self.found, self.operands
        has_command = len(operands) > 1 and operands[0] in ("e", "eval", "ea", "eval-all")
        if has_command and found.from_file is None:
            if operands.pop(0) in ("ea", "eval-all"):
                raise Failure("eval-all is not supported; use -s to get all documents in one array", _USAGE)
        needs_filter = found.from_file is None and found.filter is None
        if needs_filter and operands:
            found.filter = operands.pop(0)
        found.files = operands
        if found.in_place and found.output is None and "-r" in found.options:
            found.options.remove("-r")  # -i alone is mikefarah's form, and his -r only unquotes scalars

    def long(self, word: str) -> None:
        name, equals, value = word.partition("=")
        if name in _SWITCHES and not equals:
            self.switch(name)
        elif name in _VALUES:
            self.value(name, value if equals else self.next(name))
        elif name == "--from-file":
            self.found.from_file = value if equals else self.next(name)
        elif name in _OF_JQ:
            self.found.options += [name, *(self.next(name) for _ in range(_OF_JQ[name]))]
        else:
            self.found.options.append(_JQ_NAMES.get(word, word))  # jq accepts it or reports an error

    def cluster(self, word: str) -> None:
        for at, letter in enumerate(word[1:], 2):
            name, rest = f"-{letter}", word[at:]
            if name in _SWITCHES:
                self.switch(name)
            elif name == "-f" or name in _VALUES or name in _OF_JQ:
                if rest:
                    value = rest.removeprefix("=")
                else:
                    value = self.next(name)
                if name == "-f":
                    self.found.from_file = value
                elif name in _OF_JQ:
                    self.found.options += [name, value]
                else:
                    self.value(name, value)
                return
            else:
                self.found.options.append(name)

    def switch(self, name: str) -> None:
        setattr(self.found, *_SWITCHES[name])

    def next(self, name: str) -> str:
        if self.at >= len(self.words):
            count = {2: "2 arguments"}.get(_OF_JQ.get(name, 1), "one argument")
            raise Failure(f"error: argument {name}: expected {count}", _USAGE)
        self.at += 1
        return self.words[self.at - 1]

    def value(self, name: str, value: str) -> None:
        found, what = self.found, _VALUES[name]
        if what in ("output", "input"):
            setattr(found, what, _read_format(name, value))
        elif what in ("width", "indent", "factor"):
            setattr(found, what, _read_number(name, value))
            if name == "-I" and found.indent == 0:
                found.options.append("-c")  # jq's form of one line
        elif what == "grammar":
            found.grammar = _choose(name, value, ("1.1", "1.2"))
        elif what == "front_matter":
            found.front_matter = _choose(name, value, ("extract",)) == "extract"
        elif what == "force_list":
            found.force_list.append(value)
        elif what == "expression":
            found.filter = value
        else:
            found.xml_root = value


def _is_cluster(word: str) -> bool:
    """Return whether a word consists of short options; ``-1`` may be a filter."""
    letter = word[1:2]
    return word[0:1] == "-" and letter.isascii() and letter.isalpha()


def _read_format(name: str, value: str) -> str | None:
    if value in ("auto", "a"):
        return None
    if value == ANNOTATED and name == "--output-format":
        return ANNOTATED
    if value not in _FORMATS:
        known = "yaml, json, xml or toml"
        raise Failure(f"error: argument {name}: unknown format '{value[:40]}' (expected {known})", _USAGE)
    return _FORMATS[value]


def _read_number(name: str, value: str) -> int:
    digits = value[1:] if value[:1] in ("-", "+") else value
    is_number = digits.isascii() and digits.isdecimal()
    if not is_number or len(digits) > 9:
        raise Failure(f"error: argument {name}: invalid int value: '{value[:40]}'", _USAGE)
    return int(value)


def _choose(name: str, value: str, choices: Sequence[str]) -> str:
    if value not in choices:
        shown = ", ".join(f"'{choice}'" for choice in choices)
        raise Failure(f"error: argument {name}: invalid choice: '{value[:40]}' (choose from {shown})", _USAGE)
    return value


def read_arguments(program: str, words: Sequence[str]) -> Arguments:
    """Parse the words after the program's name. Raise ``Failure`` if they are invalid."""
    return _Reader(program, words).read()
