"""Random simple commands: builtins, redirections, here-documents."""

from __future__ import annotations

from random import Random

from .generated_scripts import STRINGS, Scripts
from .generated_words import DOUBLE, SCALARS

FORMATS = (
    "%s\\n", "<%s>", "%d\\n", "%5s|%-5s|\\n", "%s %s\\n", "%b\\n", "%x %o\\n", "%c\\n", "%%%s\\n", "%.2s|\\n", "%03d\\n",
    "%s\\t%d\\n", "\\101\\n", "%i\\n", "%u\\n", "%e\\n", "%.1f\\n", "%*s|\\n",
)  # fmt: skip
BASH_FORMATS = ("%q\\n", "%5q|\\n", "%(%Y)T\\n", "%+d\\n", "% d\\n", "%#x\\n", "%z\\n", "%Q\\n", "%.3q\\n", "%5.1s|\\n")
OUT = (
    " >o1",
    " >>o1",
    " 2>/dev/null",
    " >/dev/null",
    " 2>&1",
    " >&2",
    " 2>o2",
    " 1>o1 2>&1",
    " 3>&1 >&3",
    " 2>&-",
    " >|o1",
)
IN = (" <a.txt", " </dev/null", " <b.txt", " <nosuch", " <'c d'", " <sub")
# With cat, what is fused behind echo and printf (interp/compile/fused.py).
FILTERS = (
    "grep -q a",
    "grep -qE 'a|b+$'",
    "grep -qi FOO 2>/dev/null",
    "grep -o '[a-c]'",
    "tr a-c xyz",
    "sed s/a/b/",
    "head -n 1",
    "wc -l",
)
DELIMITERS = ("EOF", "'EOF'", "E\\OF", '"EOF"')


class Generator(Scripts):
    """Makes scripts whole."""

    def simple(self) -> str:
        text = self.choose(
            (12, self.show),
            (4, lambda: "echo " + (self.words() if self.bash else self.any(SCALARS))),
            (3, self.print_formatted),
            (4, self.assignment),
            (2, self.reading),
            (2, lambda: "set -- " + self.words()),
            (1, lambda: self.any(("shift", "shift 2", "shift $n"))),
            (2, self.test),
            (2, self.state),
            (2, self.evaluated),
            (3, lambda: self.any(self.known) + " " + self.words(0, 3)) if self.known else (1, self.show),
            (2, lambda: "cat" + self.heredoc()),
            (1, lambda: self.any(("true", "false", ":", "nosuchcommand", "nosuch/command", "./a.txt", "sub"))),
            (1, self.options),
            (
                1,
                lambda: self.any(
                    ("pwd >/dev/null", "cd sub && echo * && cd ..", "cd nosuch", "cd ./sub/..", "(cd sub; echo *)")
                ),
            ),
            (6 if self.bash else 0, self.bash_simple),
        )
        return text + (self.redirection() if self.chance(0.08) else "")

    def show(self) -> str:
        return "printf '<%s>' " + self.words(1, 3) + "; echo"

    def print_formatted(self) -> str:
        formats = (*FORMATS, *BASH_FORMATS) if self.bash else FORMATS[:-4]
        option = self.any(("", "", "", "-v y ")) if self.bash else ""
        return f"printf {option}'{self.any(formats)}' {self.words(0, 3)}"

    def assignment(self) -> str:
        value = self.word() if self.chance(0.6) else self.any(STRINGS)
        one = self.any(SCALARS) + ("+=" if self.bash and self.chance(0.15) else "=") + value
        return self.choose(
            (5, lambda: one),
            (1, lambda: one + " " + self.any(SCALARS) + "=" + self.word()),
            (1, lambda: one + " " + self.show()),
            (
                1,
                lambda: (
                    one + " " + self.any(("eval 'echo \"$x $s\"'", ":", "export y", "set -- $x", "read -r y <b.txt"))
                ),
            ),
            (
                1,
                lambda: (
                    "IFS=" + self.fields() + self.any(("", " read -r x y <a.txt", " ; set -- $s", " eval 'echo $s'"))
                ),
            ),
            (1, lambda: self.any(("export ", "readonly z=", "unset ", "export x=")) + self.any(SCALARS)),
        )

    def reading(self) -> str:
        options = (
            self.any(("-r ", "", "-r ", "", "-n 3 ", "-d : ", "-a r ", "-N 4 ", "-ra r "))
            if self.bash
            else self.any(("-r ", ""))
        )
        names = self.any(("x", "x y", "x y s", "s", "" if self.bash else "x", "e x"))
        return self.choose(
            (2, lambda: f"read {options}{names}{self.any(IN)}"),
            (3, lambda: f"read {options}{names}{self.heredoc()}"),
            (2 if self.bash else 0, lambda: f"read {options}{names} <<<{self.word()}"),
            (1, lambda: f"while read {options}{names}; do {self.show()}; done{self.any((IN[0], IN[2], IN[1]))}"),
            (1, self.getopts),
        )

    def getopts(self) -> str:
        options = self.any(("ab:", ":ab:", "a:b", "ab", ":"))
        words = " ".join(self.any(("-a", "-b", "-ab", "-bval", "x", "--", "-c", "-b val", "-")) for _ in range(3))
        reset = "OPTIND=1; " if self.chance(0.8) else ""
        return f'{reset}while getopts {options} o {words}; do echo "$o ${{OPTARG-none}} $OPTIND"; done'

    def heredoc(self) -> str:
        """Return the operator; its text waits for the end of the line."""
        delimiter = self.any(DELIMITERS) if self.chance(0.5) else "EOF"
        dash = self.any(("", "", "-"))
        parts = []
        for _ in range(self.random.randint(0, 3)):
            parts.append(self.any(DOUBLE).replace('"', "'") if self.chance(0.5) else self.expansion(quoted=True))
            parts.append(self.any((" ", "\n", "\n\t", "")))
        text = "".join(parts)
        if "EOF" in text or "`" in text:
            text = "a $x"
        self.bodies.append(text + "\nEOF\n")
        return f" <<{dash}{delimiter}"

    def state(self) -> str:
        return self.any((
            "echo $?", "echo $#", 'echo "$*"', 'printf "[%s]" "$@"; echo', "x=$(exit 3); echo $?", "(exit 4); echo $?",
            "! true; echo $?", 'echo "$-" >/dev/null', "eval 'exit 2' | cat; echo $?", "trap - EXIT", "unset x", "unset -f f",
            "readonly e; e=2; echo after", "command -v echo cat", "exit $n", "wait; echo $?", "umask 022",
        ))  # fmt: skip

    def options(self) -> str:
        return "set " + self.any(("-e", "+e", "-u", "+u", "-f", "+f", "-C", "+C", "-a", "-x", "+x"))

    def evaluated(self) -> str:
        text = self.any((
            "echo $x", 'printf "<%s>" $s; echo', "y='$s'", "set -- $s", "if true; then echo $#; fi", 'x=$y; echo "$x"', "exit 5", "(", "for", "a=",
        ))  # fmt: skip
        return self.choose(
            (3, lambda: "eval '" + text.replace("'", "'\\''") + "'"),
            (1, lambda: "eval " + self.words(0, 2)),
            (1, lambda: ". ./c.sh " + (self.words(0, 2) if self.bash else "")),
            (
                1,
                lambda: (
                    "command "
                    + self.any(("echo a", "eval 'echo $x'", "-v x", "export x", "nosuch", "-v if", "-V if", ": a"))
                ),
            ),
        )

    def redirection(self) -> str:
        return self.choose(
            (5, lambda: self.any(OUT)),
            (3, lambda: self.any(IN)),
            (
                1,
                lambda: (
                    " >" + self.any(('o"${x//\\/}"', "o${s//\\/}", "$u", "''", "sub", "nosuch/o"))
                    if self.chance(0.3)
                    else " >o3"
                ),
            ),
            (1, lambda: " >o4; cat o4"),
            (
                2 if self.bash else 0,
                lambda: self.any((" &>/dev/null", " &>>o1", " <<<" + self.word(), " {fd}>&1", " 2>&1 | cat")),
            ),
        )

    def reader(self) -> str:
        return self.choose(
            (3, lambda: "cat"),
            (1, lambda: "sort"),
            (3, lambda: "while read -r x y; do " + self.show() + "; done"),
            (1, lambda: '{ read -r x; echo "got $x"; cat; }'),
            (1, lambda: "( cat; echo $? )"),
            (1, self.show),
            (3, lambda: self.any(FILTERS)),
        )

    def bash_simple(self) -> str:
        return self.choose(
            (3, lambda: "r=(" + self.words() + ")"),
            (1, lambda: "r+=(" + self.words() + ")"),
            (1, lambda: self.any(FILTERS) + " <<<" + self.word()),
            (2, lambda: f"r[{self.number()}]{self.any(('=', '+='))}{self.word()}"),
            (2, lambda: "m[" + self.any(("a", "b", "$x", '"$s"', "'q r'")) + "]=" + self.word()),
            (
                2,
                lambda: (
                    self.any(("declare -p ", "echo ${#", "unset ")).replace("echo ${#", "echo ${#r[@]} ")
                    + self.any(("x", "r", "s", "y", "r[0]"))
                ),
            ),
            (2, self.double_bracket),
            (2, lambda: "((" + self.arithmetic() + ")); echo $? $n"),
            (1, lambda: "let " + self.any(("n++", "n+=2", "'n = 3'", "n=0", "1", "0"))),
            (
                1,
                lambda: self.any(
                    (
                        "mapfile -t r <a.txt",
                        "mapfile r <a.txt",
                        "readarray -t -n 1 r <a.txt",
                        "mapfile -d : -t r <a.txt",
                    )
                ),
            ),
            (
                2,
                lambda: (
                    self.any(
                        (
                            "declare ",
                            "declare -i ",
                            "declare -u ",
                            "declare -r ",
                            "declare -g ",
                            "typeset ",
                            "declare -a ",
                        )
                    )
                    + self.any(("k=", "y="))
                    + self.word()
                ),
            ),
            (1, lambda: "cat <(echo a; echo $x) " + self.any(("", "b.txt"))),
            (1, lambda: 'echo "${PIPESTATUS[@]}"'),
            (
                1,
                lambda: (
                    "shopt -"
                    + self.any("su")
                    + " "
                    + self.any(("nullglob", "extglob", "failglob", "dotglob", "nocaseglob"))
                ),
            ),
            (1, lambda: "type -t " + self.any(("echo", "cat", "f", "if", "nosuch", "x"))),
            (1, lambda: self.any(("unset 'r[1]'", "unset m", "unset 'm[a]'", "unset r", "unset -v x y", "unset -n k"))),
            (
                1,
                lambda: self.any(
                    ("echo -e 'a\\tb\\c' x", "echo -n a", "echo -ne '\\x41\\0101'", "echo -E 'a\\n'", "echo -nE -e a")
                ),
            ),
        )


def script(seed: int, bash: bool = True, functions: bool = True) -> str:
    """Return the script of a seed, always the same."""
    return Generator(Random(f"script {seed} {bash} {functions}"), bash, functions).script()
