"""The command line of jq. Its option syntax is neither POSIX's nor GNU's.

Short options cluster; options may follow the filter and the files; an argument of an option is always the next word;
the first ``--arg`` of a name wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .json.writer import Layout

DEFAULT_SEARCH = ("~/.jq", "$ORIGIN/../lib/jq", "$ORIGIN/../lib")  # for modules


class Arguments:
    """A parsed command line. It does not change after parsing, so that it can be cached and shared."""

    __slots__ = (
        "color",
        "exit_status",
        "files",
        "filter",
        "from_file",
        "is_usual",
        "join",
        "layout",
        "named",
        "null_input",
        "plain",
        "positional",
        "raw",
        "raw0",
        "raw_input",
        "search",
        "seq",
        "shows",
        "slurp",
        "stream",
        "stream_errors",
        "unbuffered",
    )

    def __init__(self) -> None:
        self.filter: str | None = None
        self.files: list[str] = []
        self.layout = Layout("  ")
        self.is_usual = True  # JSON values from standard input, without an option that changes how they are read
        self.color = False
        # In order: (kind, name, text); kind is arg, argjson, slurpfile or rawfile.
        self.named: list[tuple[str, str, str]] = []
        self.positional: list[tuple[bool, str]] = []  # (is JSON, text)
        self.search: tuple[str, ...] = DEFAULT_SEARCH
        self.shows = ""  # help, version or configuration
        self.exit_status = self.from_file = self.join = self.null_input = self.plain = self.raw = self.raw0 = False
        self.raw_input = self.seq = self.slurp = self.stream = self.stream_errors = self.unbuffered = False


class Misuse(Exception):
    """Usage error; with ``hint`` the message ends with a pointer to the help."""

    def __init__(self, message: str, hint: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


_SWITCHES = {
    "s": "slurp",
    "r": "raw",
    "j": "join",
    "c": "compact",
    "C": "color-output",
    "M": "monochrome-output",
    "a": "ascii",
    "S": "sort",
    "R": "raw_input",
    "n": "null_input",
    "f": "from_file",
    "e": "exit_status",
    "h": "help",
    "V": "version",
    "b": "binary",
    "L": "library-path",
}
_LONG = {
    "slurp": "slurp",
    "raw-output": "raw",
    "raw-output0": "raw0",
    "join-output": "join",
    "compact-output": "compact",
    "color-output": "color-output",
    "monochrome-output": "monochrome-output",
    "ascii-output": "ascii",
    "unbuffered": "unbuffered",
    "sort-keys": "sort",
    "raw-input": "raw_input",
    "null-input": "null_input",
    "from-file": "from_file",
    "exit-status": "exit_status",
    "seq": "seq",
    "stream": "stream",
    "stream-errors": "stream_errors",
    "build-configuration": "configuration",
    "help": "help",
    "version": "version",
    "binary": "binary",
    "tab": "tab",
    "indent": "indent",
    "arg": "arg",
    "argjson": "argjson",
    "slurpfile": "slurpfile",
    "rawfile": "rawfile",
    "args": "args",
    "jsonargs": "jsonargs",
    "library-path": "library-path",
}


class _Reader:
    """Parser of one command line; ``mode`` is the kind of further operands: ``args``, ``jsonargs`` or "" for files."""

    __slots__ = ("ascii", "at", "found", "indent", "mode", "search", "sort", "words")

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.at = 0
        self.found = Arguments()
        self.mode = ""
        self.indent: str | None = "  "  # of one level; None is compact, "" still breaks lines
        self.ascii = self.sort = False
        self.search: list[str] = []

    def read(self) -> Arguments:
        found = self.found
        done = False
        while self.at < len(self.words) and not found.shows:
            word = self.words[self.at]
            self.at += 1
            if done or not _is_option(word):
                self.operand(word)
            elif word == "--":
                done = True
            elif word[1] == "-":
                name = _LONG.get(word[2:])
                if name is None:
                    raise Misuse(f"jq: Unknown option {word}")
                self.option(name)
            else:
                self.cluster(word)
        reads_json = not found.raw_input and not found.seq
        reads_one_at_a_time = not (found.slurp or found.stream or found.stream_errors)
        found.is_usual = reads_json and reads_one_at_a_time and not found.files
        found.layout = Layout(self.indent, self.sort, self.ascii)
        if self.search:
            found.search = tuple(self.search)
        return found

    def operand(self, word: str) -> None:
        if self.found.filter is None:
            self.found.filter = word
        elif self.mode:
            self.found.positional.append((self.mode == "jsonargs", word))
        else:
            self.found.files.append(word)

    def cluster(self, word: str) -> None:
        for position, letter in enumerate(word[1:], 2):
            name = _SWITCHES.get(letter)
            if name is None:
                raise Misuse(f"jq: Unknown option -{letter}")
            if name == "library-path" and word[position:]:
                self.search.append(word[position:])
                return
            self.option(name)
            if self.found.shows:
                return

    def option(self, name: str) -> None:
        found = self.found
        if name in _LAYOUTS:
            self.indent = _LAYOUTS[name]
        elif name in ("ascii", "sort"):
            setattr(self, name, True)
        elif name in _IMPLIED:
            for attribute in _IMPLIED[name]:
                setattr(found, attribute, True)
        elif name in ("help", "version", "configuration"):
            found.shows = name
        elif name == "indent":
            self.indent = _indent(next(self.values("jq: --indent takes one parameter", 1)))
        elif name in ("args", "jsonargs"):
            self.mode = name
        elif name in ("arg", "argjson", "slurpfile", "rawfile"):
            second = {"arg": "value", "argjson": "text"}.get(name, "filename")
            variable, text = self.values(f"jq: --{name} takes two parameters (e.g. --{name} varname {second})", 2)
            if all(variable != known for _, known, _ in found.named):
                found.named.append((name, variable, text))
        elif name == "library-path":
            self.search.append(next(self.values("-L takes a parameter: (e.g. -L /search/path or -L/search/path)", 1)))
        elif name != "binary":
            setattr(found, name, True)

    def values(self, complaint: str, count: int) -> Iterator[str]:
        if self.at + count > len(self.words):
            raise Misuse(complaint)
        self.at += count
        return iter(self.words[self.at - count : self.at])


_LAYOUTS = {"compact": None, "tab": "\t"}
_IMPLIED = {
    "raw0": ("raw", "join", "raw0"),
    "join": ("raw", "join"),
    "color-output": ("color",),
    "monochrome-output": ("plain",),
}


def _is_option(word: str) -> bool:
    """Return whether a word starts with ``--``, or with ``-`` and a letter: "-", "-1" and "-." are operands."""
    if word[:1] != "-":
        return False
    following = word[1:2]
    return following == "-" or (following.isascii() and following.isalpha())


def _indent(text: str) -> str:
    digits = text[1:] if text[:1] in ("-", "+") else text
    is_number = digits.isascii() and digits.isdecimal()
    if not is_number or not -1 <= int(text) <= 7:
        raise Misuse("jq: --indent takes a number between -1 and 7")
    if int(text) < 0:
        return "\t"
    return " " * int(text)


_cache: dict[tuple[str, ...], Arguments] = {}


def read_arguments(words: Sequence[str]) -> Arguments:
    """Parse the words after ``jq``. Short command lines are cached, since a hook runs the same one at every event."""
    key = tuple(words)
    found = _cache.get(key)
    if found is None:
        found = _Reader(words).read()
        if len(_cache) >= 128:
            _cache.clear()
        if sum(map(len, words)) + len(words) < 4096:
            _cache[key] = found
    return found
