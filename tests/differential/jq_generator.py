"""Compare our jq with the real one on generated programs: ``python -m tests.differential.jq_generator --seconds 60``.

Each program runs on a few inputs of one kind in one run of either: a pair is a program and an input. What differs in
stdout, stderr or status is made smaller and printed once for each form that it takes. With ``--worker`` the runs of ours
may use the worker, and with ``--engines worker,binding`` what ours says is compared with what a worker that is always
first says, and with the values of the ``jq`` package. One run in eight is about options and malformed texts.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from jq_engines import Binding, Engine, worker, worker_answers
from jq_grammar import Grammar, Node
from jq_runs import Answer, Case, excused, ours, theirs

# Differences that are meant or can't be helped: why, and what the case has. Nothing else may be left.
KNOWN: list[tuple[str, re.Pattern[str]]] = [
    (
        "ours are rounded correctly, glibc's are not",
        re.compile(r"\b(j0|j1|jn|y0|y1|yn|t?gamma|lgamma(_r)?)\b.*: \d  b.*: \d  b", re.DOTALL),
    ),
    (
        "a zero that was counted is negated to 0, as one that was read",
        re.compile(r"jq  : \d  b'[^']*(?<!\d)-0\\n.*ours: \d  b'[^']*(?<!\d)0\\n", re.DOTALL),
    ),
    (
        "jq writes |= with break, which is an error that ?// catches: it goes on with its next pattern",
        re.compile(r"(\|=|\b(map_values|del|walk)\b).*\?//.*\n    jq  ", re.DOTALL),
    ),
    (
        "what gives its own input back is on the path in jq if the result is the same object in memory",
        re.compile(
            r"(\?//|\b(foreach|reduce|ascii_\w+case)\b|\(\.\+\.\)|[|+]=).*=.*\n    "
            r"(jq  : 5 .*(Invalid path expression|Paths must be).*ours: 0 |jq  : 0 .*ours: 5 .*Invalid path expression)",
            re.DOTALL,
        ),
    ),
    (
        "0 that was counted is equal to 1e-999 in jq, 0 that was read is less",
        re.compile(
            r"(\b(unique|group|sort|min|max)(_by)?\b|index|\.\[\.|[<>=]).*\d[eE]-\d{3,}.*: 0  b.*: 0  b", re.DOTALL
        ),
    ),
    ("Oniguruma looks for text segments from where a search begins", re.compile(r"\\\\y")),
    ("builtins come in no order", re.compile(r"\bbuiltins\b")),
    (
        "an error in both, worded at another step of a builtin that jq has written in jq",
        re.compile(
            r"jq  : 5 .*Invalid path expression.*ours: 5 |jq  : 5 .*ours: 5 .*Invalid path expression", re.DOTALL
        ),
    ),
]


class Difference(NamedTuple):
    """A case where they differ, made small."""

    case: Case
    real: Answer
    own: Answer
    names: tuple[str, str] = ("jq  ", "ours")

    def line(self) -> str:
        real, own = self.names
        return f"{self.case.line()}\n    {real}: {shown(self.real)}\n    {own}: {shown(self.own)}"

    def form(self) -> str:
        """Say what kind of difference it is: names in the program, and the words of both, without values."""
        names = " ".join(
            sorted(set(re.findall(r"@?[a-z_][a-z_0-9]+|[|/+*%-]?=|\?//|\[\]|//|[*/%+]", str(self.case.program))))
        )
        words = [
            re.sub(r"[\d.]+|\(.*|\"[^\"]*\"", "", answer.stderr.decode("utf-8", "replace"))[:60]
            for answer in (self.real, self.own)
        ]
        return f"{names}|{words[0]}|{words[1]}|{self.real.status}|{str(self.own.status)[:30]}"


def shown(answer: Answer) -> str:
    """Spell an answer in a line."""
    return f"{answer.status}  {answer.stdout[:300]!r}  {answer.stderr[:300]!r}"


def compare(case: Case, spawn: bool = False) -> Difference | None:
    """Run both; None if they agree or the real one can't say."""
    real = theirs(case)
    if real is None:
        return None
    own = ours(case, spawn)
    return None if own == real or excused(own) else Difference(case, real, own)


def shrink(found: Difference, spawn: bool = False, seconds: float = 6.0) -> Difference:
    """Make the program and the inputs smaller as long as they differ."""
    until = time.monotonic() + seconds
    compiles = found.real.status != 3
    best = found
    again = True
    while again and time.monotonic() < until:
        again = False
        for case in smaller(best.case):
            if time.monotonic() > until:
                break
            other = compare(case, spawn)
            if other is None or (other.real.status != 3) != compiles:
                continue
            if kind_of_end(other.own) == kind_of_end(found.own):
                best, again = other, True
                break
    return best


def kind_of_end(answer: Answer) -> str:
    """Say how ours ended: with a status, or by which exception."""
    return answer.status.partition(":")[0] if isinstance(answer.status, str) else "status"


def smaller(case: Case) -> Iterator[Case]:
    """Yield cases with one thing less."""
    if len(case.inputs) > 1:
        for text in case.inputs:
            yield case._replace(inputs=(text,))
    for place in range(len(case.options)):
        if case.options[place] in ALONE:
            yield case._replace(options=case.options[:place] + case.options[place + 1 :])
    for program in case.program.smaller():
        yield case._replace(program=program)
    if len(case.inputs) == 1:
        for text in ("null", "1", '""', "[]", "{}"):
            if len(text) < len(case.inputs[0]):
                yield case._replace(inputs=(text,))
        text = case.inputs[0]
        step = max(1, len(text) // 8)
        while step:
            for start in range(0, len(text), step):
                yield case._replace(inputs=(text[:start] + text[start + step :],))
            step //= 2


OPTIONS = [
    "-r", "-j", "-a", "-S", "-C", "-s", "-n", "-e", "-R", "--tab", "--seq", "--stream", "--stream-errors", "--raw-output0", "-M",
    "--unbuffered", "--indent 0", "--indent 1", "--indent 7", "--indent 3", "-Sc", "-sR", "-nR", "-sn", "-ac", "-Cc", "-CS", "-rS",
]  # fmt: skip


ALONE = {word for words in OPTIONS for word in words.split() if word.startswith("-") and word != "--indent"}


class Generator:
    """Makes cases; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.grammar = Grammar(self.chance)

    def case(self) -> Case:
        """Make a case."""
        chance = self.chance
        kind = chance.choice("xxnsaouvwe")
        inputs = [self.grammar.value(kind, 3) for _ in range(chance.choice([1, 3, 6, 10]))]
        program = self.grammar.program(kind, chance.choice([1, 2, 2, 3, 3, 4]))
        options = ["-c"]
        if chance.random() < 0.125:
            options = [word for _ in range(chance.choice([1, 1, 2, 3])) for word in chance.choice(OPTIONS).split()]
            if chance.random() < 0.2:
                program = Node(
                    chance.choice(
                        ["$x,$ARGS", "$ARGS.named|keys", "[$x]|tojson", "$x|length", "$__prog_args", "$x.a?,$y"]
                    )
                )
                for name in chance.choice(["x", "x", "xy", "yx"]):
                    kind = chance.choice(["arg", "argjson"])
                    options += [f"--{kind}", name, self.broken(self.grammar.value("x", 2)).replace("\0", "")]
            elif chance.random() < 0.6:
                program = Node(
                    chance.choice(
                        [".", ".", ".", "[inputs]", "[., input_line_number]", ".[]?", "fromstream(inputs)", "[.]"]
                    )
                )
            if chance.random() < 0.5:
                inputs = [self.broken(text) for text in inputs]
        return Case(tuple(options), program, tuple(inputs))

    def broken(self, text: str) -> str:
        """Damage a JSON text, as bytes would be damaged."""
        chance = self.chance
        for _ in range(chance.choice([0, 1, 1, 2])):
            place = chance.randint(0, len(text))
            what = chance.randrange(4)
            piece = chance.choice(
                [
                    '"',
                    "[",
                    "]",
                    "{",
                    "}",
                    ",",
                    ":",
                    " ",
                    "\n",
                    "\x1e",
                    "\\",
                    "0",
                    "-",
                    "e",
                    "nan",
                    "tru",
                    "null",
                    "\ufeff",
                    "\udcff",
                    "\udcc3",
                    "\x00",
                    "'",
                    "\t",
                    "\r",
                    ".",
                    "\\u12",
                    "\\ud83d",
                    "//",
                    "1 2",
                    "\udcf0\udc9f",
                    "\x7f",
                ]
            )
            if what == 0:
                text = text[:place] + text[place + 1 :]
            elif what == 1:
                text = text[:place]
            else:
                text = text[:place] + piece + text[place:]
        return text


def explained(found: Difference) -> str | None:
    """Say why a difference is known."""
    line = found.line()
    return next((reason for reason, pattern in KNOWN if pattern.search(line)), None)


def _cpu() -> float:
    """Return the CPU seconds of this process and of the real ones that it has waited for."""
    return sum(os.times()[:4])


class Tally:
    """What a run has seen."""

    def __init__(self) -> None:
        self.executions = self.pairs = self.differing = 0
        self.unsaid: Counter[str] = Counter()
        self.forms: Counter[str] = Counter()
        self.known: Counter[str] = Counter()
        self.differences: list[Difference] = []
        self.began = time.monotonic()
        self.spent = _cpu()

    def line(self) -> str:
        seconds = time.monotonic() - self.began
        return (
            f"{self.executions} executions of each ({self.executions / seconds:.0f}/s), {self.pairs} pairs in {seconds:.0f} s,"
            f" {_cpu() - self.spent:.0f} s of CPU;"
            f" {self.differing} differ in {len(self.forms)} forms; known {dict(self.known)}; not compared {dict(self.unsaid)}"
        )


def compare_engines(case: Case, own: Answer, engines: dict[str, Engine], tally: Tally, show: bool) -> None:
    """Compare what the evaluator says with the other engines."""
    if str(case.program).startswith("-"):  # which is an option to the command
        return
    for name, engine in engines.items():
        other = engine(case, own)
        if other is None or other == own or excused(other):
            continue
        found = Difference(case, own, other, ("ours", name))
        if (reason := explained(found)) is not None:
            tally.known[reason] += 1
            continue
        form = f"{name}: {found.form()}"
        tally.differing += 1
        tally.forms[form] += 1
        if tally.forms[form] == 1:
            tally.differences.append(found)
            if show:
                print(found.line(), flush=True)


def run(
    cases: Iterator[Case],
    tally: Tally,
    spawn: bool = False,
    show: bool = False,
    most: int = 1000,
    engines: dict[str, Engine] | None = None,
) -> None:
    """Compare cases until there are no more."""
    for case in cases:
        tally.executions += 1
        real = theirs(case)
        if real is None:
            tally.unsaid["the real one takes too much"] += 1
            continue
        own = ours(case, spawn)
        if own == real:
            compare_engines(case, own, engines or {}, tally, show)
            tally.pairs += len(case.inputs)
            continue
        if excused(own):
            tally.unsaid[str(own.status)[:13]] += 1
            if show and isinstance(own.status, str):
                print(f"not compared: {case.line()[:600]}\n    ours: {own.status}", flush=True)
            continue
        tally.pairs += len(case.inputs)
        first = Difference(case, real, own)
        if (reason := explained(first)) is None:
            small = shrink(first, spawn)
            reason = explained(small)
        if reason is not None:
            tally.known[reason] += 1
            continue
        tally.differing += 1
        tally.forms[small.form()] += 1
        if tally.forms[small.form()] == 1:
            tally.differences.append(small)
            if show:
                print(small.line(), flush=True)
            if len(tally.differences) >= most:
                return


def timed(generator: Generator, seconds: float, pairs: int) -> Iterator[Case]:
    """Make cases for so long, or so many pairs."""
    until = time.monotonic() + seconds
    made = 0
    while time.monotonic() < until and made < pairs:
        case = generator.case()
        made += len(case.inputs)
        yield case


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pairs", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worker", action="store_true", help="let ours use its worker")
    parser.add_argument(
        "--engines", default="evaluator", help="of evaluator, worker, binding: ours is compared with these too"
    )
    parser.add_argument("--most", type=int, default=1000, help="stop after so many forms of differences")
    options = parser.parse_args(argv)
    tally = Tally()
    binding = Binding()
    known: dict[str, Engine] = {"worker": worker, "binding": binding}
    engines = {name: known[name] for name in options.engines.split(",") if name != "evaluator"}
    cases = timed(Generator(options.seed), options.seconds, options.pairs)
    try:
        run(cases, tally, options.worker, True, options.most, engines)
    except KeyboardInterrupt:
        pass
    finally:
        binding.close()
    if engines:
        print(f"{worker_answers[0]} inputs answered by workers, {binding.asked} programs by the package")
    for form, count in tally.forms.most_common(20):
        print(f"{count:6} {form}")
    print(tally.line())
    return 1 if tally.differing else 0


if __name__ == "__main__":
    sys.exit(main())
