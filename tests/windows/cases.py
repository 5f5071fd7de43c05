"""Write the answers of the conformance cases, one JSON line for each: ``python -m tests.windows.cases --out FILE [--only ID]``.

The same command runs on Linux and on Windows, without a program on PATH; ``python -m tests.windows.compare LINUX WINDOWS`` compares
the two files to the byte. A case passes if it is as it expects; here all of its answer counts, also what it does not mention.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import os
import re
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from conformance.case import Case, load
from conformance.drivers import InProcess, Outcome
from tests.rotation import sample

from .scratch import hide_programs_of_unix, tokens

SECONDS = 60.0  # for one case; then it counts as hung
KIND = "case"
LONGEST = 20_000  # characters
#: What differs in each run: the name of the case's directory, and the time that a hook took.
_VARIABLE = ((re.compile(r"\bcase-\w{8}\b"), "case"), (re.compile(r'(?<="seconds": )[\d.e-]+'), "0"))


def shortened(value: Any) -> Any:
    """Return an answer with a digest in the place of each text that is too long to look for paths in it."""
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [shortened(item) for item in value]
    if not isinstance(value, str) or len(value) <= LONGEST:
        return value
    return f"{len(value)} characters, {hashlib.sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()}"


def answer(case: Case, folder: Path) -> dict[str, Any]:
    """Return all that a case's run gives, but for its time, with the scratch directory's name as a token."""
    driver = InProcess()
    if refusal := driver.refuses(case):
        return {"refused": refusal}
    outcome: Outcome = driver.run(case)
    parts = {name: value for name, value in asdict(outcome).items() if name != "seconds" and value}
    verdict = outcome.verdict
    hooks = [{"ended": hook.get("ended"), "status": hook.get("exit_code")} for hook in verdict.get("hooks", ())]
    decisive = {"decision": verdict.get("decision"), "hooks": hooks} if verdict else {}
    text = json.dumps(tokens(shortened({**parts, **decisive}), folder))
    for pattern, word in _VARIABLE:
        text = pattern.sub(word, text)
    return {"status": outcome.status, **json.loads(text)}


def run(case: Case, folder: Path) -> dict[str, Any]:
    """Return the line of a case: its answer, the error that it raised, or that it did not end."""
    found: list[dict[str, Any]] = []

    def work() -> None:
        try:
            found.append(answer(case, folder))
        except Exception as error:  # an error of the library is the answer of this case
            found.append({"error": repr(error)})

    folder.mkdir()
    tempfile.tempdir = str(folder)  # the case's directory is made there
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    return {"id": f"{KIND}/{case.id}", "kind": KIND, **(found[0] if found else {"hung": True})}


def choose(pattern: str) -> list[Case]:
    """Return the cases that run on every system and whose ids match."""
    return [case for case in load() if not case.not_on_windows and fnmatch.fnmatchcase(case.id, pattern)]


def write(cases: Sequence[Case], out: Path) -> None:
    """Run cases one after the other."""
    top = Path(os.path.realpath(tempfile.mkdtemp(prefix="cases-")))
    with out.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
        for number, case in enumerate(cases):
            stream.write(json.dumps(run(case, top / str(number)), ensure_ascii=False, sort_keys=True) + "\n")
            stream.flush()
    shutil.rmtree(top, ignore_errors=True)


def main() -> None:
    """Run what the command line names, and print how many cases are left out, by reason."""
    parser = argparse.ArgumentParser(prog="python -m tests.windows.cases", description=__doc__.split(":")[0])
    parser.add_argument("--out", required=True, help="the file of the answers")
    parser.add_argument("--only", default="*", help="only the cases whose ids match, such as utilities/find*")
    parser.add_argument("--every", type=int, default=1, help="only each Nth case; ROTATION decides which")
    parser.add_argument("--ids", default="", help="only the cases whose answers' ids are in this file, one a line")
    options = parser.parse_args()
    os.environ["PATH"] = tempfile.mkdtemp(prefix="no-programs-")  # an empty value would be the working directory
    hide_programs_of_unix()
    began = time.monotonic()
    chosen = sample(choose(options.only), options.every)
    if options.ids:
        ids = Path(options.ids).read_text(encoding="utf-8").splitlines()
        chosen = [case for case in chosen if f"{KIND}/{case.id}" in ids]
    write(chosen, Path(options.out))
    left_out = Counter(case.not_on_windows for case in load() if case.not_on_windows)
    print(f"{len(chosen)} cases in {time.monotonic() - began:.0f} s; left out on Windows: {left_out.total()}")
    for reason, count in left_out.most_common():
        print(f"{count:5}  {reason}")
    os._exit(0)  # a case that hung must not keep the process


if __name__ == "__main__":
    main()
