#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs examples/numpy_gather.py on golden files and asks the suite for its verdict.

    check_numpy_gather.py FP4CTS

The right gather must conform on every case of level standard; with --fault neg the suite must answer
with a mismatch and name the lost sign of zero. This is the path of docs/check-your-kernel.md.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

example = pathlib.Path(__file__).resolve().parent.parent / "numpy_gather.py"


def run(*arguments, expect=0):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False)
    if done.returncode != expect:
        raise SystemExit(f"{' '.join(map(str, arguments))}: expected exit code {expect}, got "
                         f"{done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def main():
    fp4cts = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(fp4cts, "vectors", "generate", "--set", "standard", "--seed", "1", "--out",
            folder / "golden", "--quiet")
        golden = folder / "golden" / "standard" / "nvfp4_gather_index_k"
        files = sorted(golden.rglob("*.safetensors"))

        run(sys.executable, example, golden, folder / "right")
        right = records(run(fp4cts, "check", golden, folder / "right", "--json"))
        cases = [record for record in right if record["record"] == "case"]
        if len(cases) != len(files) or len(files) < 20:
            raise SystemExit(f"expected {len(files)} case records, 20 at least, got {len(cases)}")
        if any(record["verdict"] != "pass" for record in cases):
            raise SystemExit("a case did not pass, and the exit code was 0")

        page = "exhaustive_page.safetensors"
        run(sys.executable, example, golden / page, folder / "wrong", "--fault", "neg")
        wrong = records(run(fp4cts, "check", golden / page, folder / "wrong", "--json", expect=1))
        record = next(record for record in wrong if record["record"] == "case")
        named = record["diagnosis"]["fault_class"]
        if named != "enc_negative_zero_lost":
            raise SystemExit(f"expected the class enc_negative_zero_lost, got {named!r}")

        # An answer that is missing is not a pass.
        (folder / "right" / page).unlink()
        run(fp4cts, "check", golden, folder / "right", expect=4)
    print(f"numpy gather: {len(cases)} cases conform; the lost sign of zero is named")


if __name__ == "__main__":
    main()
