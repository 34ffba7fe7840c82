#!/usr/bin/env python3
"""repro.py RUN FOLDER: runs every repro.sql of a run in the sqlite3 shell, as its header says, with FOLDER as the one that has the
engine's library, and compares what is printed with the outcomes in finding.json: an answer is a line with as many rows, an error is
on standard error in the same words, a crash ends the shell with the same signal."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys


def statements(finding):
    """Statements that the script has, in order, each with its outcome where one is stored."""
    for program in finding["history"]:
        for statement in program:
            yield statement, None
    for statement in finding["load"]:
        yield statement, None
    for index, run in enumerate(finding["runs"]):
        if index and run.get("fresh"):
            for statement in finding["load"]:
                yield statement, None
        yield from zip(run["statements"], run["outcome"])


def rows_of(line):
    """How many rows a line of the shell has; None where it is no list."""
    try:
        answer = json.loads(re.sub(r"\bInf(inity)?\.0\b", "Infinity", line))
    except ValueError:
        return None
    return len(answer) if isinstance(answer, list) else None


def damages_heap(script, library):
    """A damaged heap may go unnoticed in the shell: its script says so, and valgrind shows it."""
    with open(script, "rb") as file:
        if b"-- The heap is damaged." not in file.read():
            return False
    if not shutil.which("valgrind"):
        return True
    with open(script, "rb") as file:
        shell = subprocess.run(["valgrind", "sqlite3", ":memory:"], stdin=file, capture_output=True, timeout=300,
                               env={**os.environ, "LD_LIBRARY_PATH": library})
    return re.search(rb"Invalid (free|read|write)", shell.stderr) is not None


def check(folder, library):
    with open(os.path.join(folder, "finding.json"), encoding="utf-8") as file:
        finding = json.load(file)
    script = os.path.join(folder, "repro.sql")
    with open(script, encoding="utf-8") as file:
        command = re.search(r"^-- To run it: (.*)$", file.read(), re.M).group(1)
    assert command == "LD_LIBRARY_PATH=FOLDER sqlite3 :memory: < repro.sql", command
    with open(script, "rb") as file:
        shell = subprocess.run(["sqlite3", ":memory:"], stdin=file, capture_output=True, timeout=60,
                               env={**os.environ, "LD_LIBRARY_PATH": library})
    lines = shell.stdout.decode("utf-8", "replace").splitlines()
    errors = shell.stderr.decode("utf-8", "replace")
    pairs = list(statements(finding))
    outcomes = [outcome for _, outcome in pairs if outcome]
    for outcome in outcomes:
        if outcome["kind"] == "crash":
            # Under a sanitizer the host ends by itself, without a signal, where the shell may not notice anything.
            if "signal" not in outcome or shell.returncode == -outcome["signal"]:
                return None
            return None if damages_heap(script, library) else f"ended with {shell.returncode}: {errors}"
        if outcome["kind"] == "error" and json.dumps(outcome["text"], ensure_ascii=False)[1:-1] not in errors:
            return f"no '{outcome['text']}' in: {errors}"
    if any(outcome["kind"] not in ("rows", "error") for outcome in outcomes):
        return None
    answers = [outcome for _, outcome in pairs if not outcome or outcome["kind"] == "rows"]
    if len(lines) != len(answers):
        return f"{len(lines)} answers, wanted {len(answers)}: {lines} {errors}"
    for line, outcome in zip(lines, answers):
        rows = rows_of(line)
        if outcome and rows is not None and rows != len(outcome["rows"]["rows"]):
            return f"{rows} rows, wanted {len(outcome['rows']['rows'])}: {line}"
    return None


def main():
    run, library = sys.argv[1:]
    folders = sorted(glob.glob(os.path.join(run, "findings", "*")))
    wrong = 0
    for folder in folders:
        why = check(folder, library)
        if why:
            wrong += 1
            print(f"{folder}: {why}")
    print(f"repro.py: {len(folders)} scripts, {wrong} wrong")
    return 1 if wrong or not folders else 0


sys.exit(main())
