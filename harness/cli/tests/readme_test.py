#!/usr/bin/env python3
"""README's first run is what the binary prints: the tables of both are compared row by row.

    readme_test.py FP4CTS README            fails where a row differs
    readme_test.py FP4CTS README --update   writes the page's block anew from a run

Compared are operation, path, device, planned, run, compared bytes, mismatches and errors, reasons of what
did not run on the CPU, and the words of the verdict. A rate, the folder and what other devices say differ
from machine to machine and are left out.
"""
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"(On a machine of two cores without a GPU:\n\n```\n)(.*?)(```\n)", re.S)


def compared(line):
    """A line without what differs between machines; None where nothing is left."""
    words = line.split()
    if not words or line.startswith("results:") or words[0] == "*":
        return None
    if "not run:" in line:
        return " ".join(words)
    if len(words) >= 9 and words[3].isdigit():
        return " ".join(words[:-1])  # the rate
    return " ".join(words)


def run(binary, folder):
    done = subprocess.run([binary, "run", "--level", "standard", "--device", "cpu", "--quiet", "--report", folder],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"readme_test: {binary} run exits with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    binary, page = sys.argv[1], pathlib.Path(sys.argv[2])
    text = page.read_text(encoding="utf-8")
    block = BLOCK.search(text)
    if not block:
        sys.exit(f"readme_test: {page}: expected a block behind 'On a machine of two cores without a GPU:'")
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        printed = run(binary, folder + "/results")
        printed = printed.replace(folder + "/results", "results/20261129T221500Z")
    if sys.argv[3:] == ["--update"]:
        # What devices say that this machine may have and the page's has not, stays as it was.
        others = "".join(f"{line}\n" for line in block.group(2).splitlines() if line.startswith("* "))
        printed = printed.replace("\n\nresults:", f"\n{others}\nresults:")
        page.write_text(text[:block.start(2)] + printed + text[block.end(2):], encoding="utf-8")
        return 0
    stated = [row for row in map(compared, block.group(2).splitlines()) if row]
    actual = [row for row in map(compared, printed.splitlines()) if row]
    if not any(" cpu " in row for row in actual):
        sys.exit(f"readme_test: no row of the CPU was printed:\n{printed}")
    for row in stated:
        if row not in actual:
            print(f"readme_test: {page.name} states what is not printed: {row}")
    for row in actual:
        if row not in stated:
            print(f"readme_test: printed and not in {page.name}: {row}")
    return 0 if stated == actual else 1


if __name__ == "__main__":
    sys.exit(main())
