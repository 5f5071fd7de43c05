"""Random shell scripts that always end and harm nothing, from a seed.

Loops count a variable of their own that nothing else sets, functions call only the ones before them, files are written
in the script's directory only, and the only programs are ``cat``, ``sort`` and a few filters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random

from .generated_words import EXTENDED, PLAIN, SCALARS, Words

# What lies in the directory that a script starts in.
FILES = {
    "a.txt": "one two\n  three\nfour:five\\n\n",
    "b.txt": "x\n",
    "c d": "",
    "c.sh": "echo sourced $#; y=sourced\n",
    ".hid": "hidden\n",
    "sub/x.c": "int x;",
    "sub/y.txt": "b\na\n",
}
ARGUMENTS = ("one", "two words", "", "*.txt")
FIELDS = (":", ": ", "", " ", "$' \\t\\n'", "x", ",:", "ab", "'\"'", "\\\\")
STRINGS = (
    "'a b  c'", "' a:b::c '", "abcabc", "'*.txt'", "''", "'a\\b'", "'?'", "foo", "a.txt", "'-n x'", "\"it's\"", "'[ab]*'",
    "'x=y z'", "42", "r", "s", "'a,b;c'", "'éa'", "' '", "'\n x\n'", "'$x'", "'~'",
)  # fmt: skip
TESTS_ONE = ("-n", "-z", "-e", "-f", "-d", "-s", "-r", "-x", "-h", "!")
TESTS_TWO = ("=", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge")
REGULAR = ("a", "^a", "b+$", "(a)(b)?", "[[:digit:]]", "$x", '"$p"', ".", "a|b")
NAMES = ("f", "g", "h")


class Scripts(Words, ABC):
    """Makes scripts out of simple commands. A statement may have here-documents, whose bodies follow its line: they wait in ``bodies``."""

    def __init__(self, random: Random, bash: bool = True, functions: bool = True) -> None:
        super().__init__(random, bash)
        self.functions = functions
        self.known: list[str] = []  # the functions so far
        self.bodies: list[str] = []
        self.counters = 0
        self.loops = 0
        self.inside_function = False

    @abstractmethod
    def simple(self) -> str:
        """Make a simple command."""

    @abstractmethod
    def redirection(self) -> str:
        """Make a redirection behind a command."""

    @abstractmethod
    def reader(self) -> str:
        """Make a command that reads its input."""

    # frames ---------------------------------------------------------------------------------------------------------

    def script(self) -> str:
        """Make a whole script."""
        lines = [self.setting() for _ in range(self.random.randint(1, 4))]
        if self.functions and self.chance(0.4):
            lines += [self.function(name) for name in NAMES[: self.random.randint(1, 2)]]
        lines.append("n=" + self.any("0123") + "\n")
        lines += [self.line() for _ in range(self.random.randint(1, 5))]
        if self.chance(0.5):
            lines.append(self.shown())
        return "".join(lines)

    def setting(self) -> str:
        return self.choose(
            (8, lambda: self.any(SCALARS) + "=" + self.any(STRINGS) + "\n"),
            (3, lambda: "set -- " + self.words() + "\n"),
            (2, lambda: "IFS=" + self.fields() + "\n"),
            (1, lambda: "set -" + self.any("euf") + "\n"),
            (
                1,
                lambda: (
                    "trap '" + self.any(("echo bye $?", "echo bye; exit 3", "printf bye; false", "exit")) + "' EXIT\n"
                ),
            ),
            (6 if self.bash else 0, self.bash_setting),
        )

    def fields(self) -> str:
        """Make a value of IFS."""
        value = self.any(FIELDS)
        if not self.bash and value.startswith("$"):
            return "','"
        return value if value[:1] in ("'", "$", "\\") else f"'{value}'"

    def bash_setting(self) -> str:
        return self.choose(
            (4, lambda: "r=(" + self.words() + ")\n"),
            (2, lambda: "declare -A m=([a]=" + self.word() + " ['b c']=" + self.word() + ")\n"),
            (1, lambda: "r[" + self.any("0123") + "]=" + self.word() + "\n"),
            (
                1,
                lambda: (
                    "shopt -s "
                    + self.any(("nullglob", "extglob", "dotglob", "nocasematch", "lastpipe", "globstar"))
                    + "\n"
                ),
            ),
            (
                1,
                lambda: (
                    "declare -"
                    + self.any(("i k", "u k", "l k", "r k=1", "x k", "n k=s", "i k=1+1", "a k", "A k"))
                    + "\n"
                ),
            ),
            (1, lambda: "set -o pipefail\n"),
            (1, lambda: "trap 'echo err $?' ERR\n"),
        )

    def function(self, name: str) -> str:
        self.inside_function = True
        local = ""
        if self.chance(0.5):
            local = (
                "local " + self.any(("x", "x=1", "y=$1", "s='a b' x=$s", 'x="$*"', "e" if self.bash else "e=")) + "\n"
            )
        end = self.any(("", "", "return\n", "return 3\n", "return $n\n"))
        body = f"{name}() {{\n{local}{self.lines(1, 3)}{end}}}\n"
        self.inside_function = False
        self.known.append(name)
        return body

    def shown(self) -> str:
        text = 'printf \'<%s>\' "$x" "$y" "$s" $? "$#" "$n"; echo\n'
        return text + "declare -p r m x 2>/dev/null\n" if self.bash and self.chance(0.4) else text

    # statements -----------------------------------------------------------------------------------------------------

    def lines(self, least: int = 1, most: int = 2) -> str:
        """Make lines with their here-documents; ends with a newline."""
        self.depth += 1
        kept, self.bodies = self.bodies, []
        text = "".join(self.line() for _ in range(self.random.randint(least, most)))
        self.bodies = kept
        self.depth -= 1
        return text

    def line(self) -> str:
        text = self.statement()
        text += "\n" + "".join(self.bodies)
        self.bodies = []
        return text

    def body(self) -> str:
        """Return what stands in ``$( )``."""
        kept, self.bodies = self.bodies, []
        self.depth += 1
        text = self.statement() if self.depth < 4 else "echo " + self.any(PLAIN)
        self.depth -= 1
        if self.bodies:
            text += "\n" + "".join(self.bodies)
        self.bodies = kept
        return (" " if text.startswith("(") else "") + text

    def statement(self) -> str:
        if self.depth > 3:
            return self.simple()
        self.depth += 1
        try:
            return self.choose(
                (10, self.simple),
                (2, lambda: self.command() + self.any((" && ", " || ", "; ")) + self.command()),
                (2, lambda: self.command() + " | " + self.reader()),
                (1, lambda: "! " + self.command()),
                (3, self.compound),
                (1, lambda: self.command() + self.any((" && ", " || ")) + self.command() + " || " + self.command()),
            )
        finally:
            self.depth -= 1

    def command(self) -> str:
        return self.compound() if self.depth < 3 and self.chance(0.2) else self.simple()

    def compound(self) -> str:
        self.depth += 1
        text = self.choose(
            (3, self.if_command),
            (3, self.for_command),
            (3, self.case_command),
            (2, self.while_command),
            (2, lambda: "( " + self.lines() + ")"),
            (2, lambda: "{ " + self.lines() + "}"),
            (2 if self.bash else 0, self.bash_compound),
        )
        self.depth -= 1
        return text + (self.redirection() if self.chance(0.15) else "")

    def if_command(self) -> str:
        text = f"if {self.condition()}; then\n{self.lines()}"
        if self.chance(0.3):
            text += f"elif {self.condition()}; then\n{self.lines(1, 1)}"
        if self.chance(0.5):
            text += f"else\n{self.lines(1, 1)}"
        return text + "fi"

    def condition(self) -> str:
        kept, self.bodies = self.bodies, []
        text = self.choose((3, self.test), (2, self.simple), (2 if self.bash else 0, self.double_bracket))
        if self.bodies:
            text += "\n" + "".join(self.bodies) + "true"
        self.bodies = kept
        return text

    def loop(self) -> str:
        self.loops += 1
        text = self.lines()
        if self.chance(0.2):
            text += self.test() + " && " + self.any(("break", "continue", "break 2", "continue 2")) + "\n"
        self.loops -= 1
        return text

    def for_command(self) -> str:
        head = self.any(("for x in ", "for y in ")) + self.words(0, 3)
        if self.chance(0.15):
            head = "for x"
        return f"{head}; do\n{self.loop()}done"

    def while_command(self) -> str:
        self.counters += 1
        name = f"i{self.counters}"
        word = self.any(("while", "until"))
        check = f"[ ${name} -lt 2 ]" if word == "while" else f"[ ${name} -ge 2 ]"
        return f"{name}=0; {word} {check}; do {name}=$(({name}+1))\n{self.loop()}done"

    def case_command(self) -> str:
        text = f"case {self.word()} in\n"
        for _ in range(self.random.randint(0, 3)):
            pattern = self.pattern() or "''"
            if self.chance(0.2):
                pattern += "|" + (self.pattern() or "''")
            end = self.any((";;", ";;", ";;", ";&", ";;&")) if self.bash else ";;"
            text += f"({pattern}) {self.lines(1, 1)}{end}\n"
        return text + (f"*) {self.lines(1, 1)}" if self.chance(0.6) else "") + "esac"

    def bash_compound(self) -> str:
        self.counters += 1
        i = f"i{self.counters}"
        return self.choose(
            (2, lambda: f"for (({i}=0; {i}<3; {i}++)); do\n{self.loop()}done"),
            (2, lambda: "((" + self.arithmetic() + "))"),
            (3, self.double_bracket),
            (1, lambda: "select x in a b; do echo $x $REPLY; break; done <<<" + self.any("123")),
        )

    def test(self) -> str:
        return self.choose(
            (2, lambda: f"[ {self.any(TESTS_ONE)} {self.word()} ]"),
            (3, lambda: f"[ {self.double()} {self.any(TESTS_TWO[:2])} {self.word()} ]"),
            (
                2,
                lambda: (
                    f"[ {self.any(('$n', '$#', '1', '$x'))} {self.any(TESTS_TWO)} {self.any(('1', '2', '$n', 'a'))} ]"
                ),
            ),
            (1, lambda: f"test {self.words(0, 3)}"),
            (1, lambda: f"test {self.double()} = {self.double()} {self.any(('-a', '-o'))} -n {self.double()}"),
        )

    def double_bracket(self) -> str:
        one = self.choose(
            (3, lambda: f"{self.word()} {self.any(('==', '!=', '='))} {self.pattern() or 'a'}"),
            (1, lambda: f"{self.word()} == {self.any(EXTENDED)}"),
            (2, lambda: f"{self.any(TESTS_ONE[:-1])} {self.word()}"),
            (2, lambda: f"{self.word()} =~ {self.any(REGULAR)}"),
            (1, lambda: f"{self.number()} {self.any(TESTS_TWO[2:])} {self.number()}"),
            (1, lambda: f"-v {self.any(('x', 'u', 'r[1]', 'm[a]', 'r', '1', 'r[@]'))}"),
            (1, lambda: f"{self.word()} {self.any('<>')} {self.word()}"),
        )
        if self.chance(0.25) and self.depth < 5:
            self.depth += 1
            one = f"{one} {self.any(('&&', '||'))} {self.double_bracket()[3:-3]}"
            self.depth -= 1
        if self.chance(0.15):
            one = self.any(("! ", "( ")) + one
            one += " )" if one.startswith("( ") else ""
        return f"[[ {one} ]]"
