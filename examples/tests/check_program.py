#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs examples/numpy_gather.py as a program under test, as docs/plug-ins.md says.

    check_program.py FP4CTS

The right gather conforms at level smoke and on the cases whose arguments are the unkindest; with
--fault neg the verdict is a mismatch that names the lost sign of zero.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

example = pathlib.Path(__file__).resolve().parent.parent / "numpy_gather.py"


def judge(fp4cts, fault, *arguments, expect):
    command = f"{sys.executable} {example} {{in}} {{out}}{fault}"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [fp4cts, "run", "--quiet", "--no-report", "--json", "--op", "nvfp4_gather_index_k",
             "--dut-cmd", command, *arguments],
            capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": folder})
        left = list(pathlib.Path(folder).iterdir())
    if done.returncode != expect:
        raise SystemExit(f"{command}: expected exit code {expect}, got {done.returncode}\n"
                         f"{done.stdout}\n{done.stderr}")
    if left:
        raise SystemExit(f"{command}: expected no file to be left behind, got {left}")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return [record for record in records if record["record"] == "case"]


def main():
    fp4cts = sys.argv[1]
    smoke = judge(fp4cts, "", "--level", "smoke", expect=0)
    hard = judge(fp4cts, "", "--filter", "*/pool_past_2_31,*/table_row_stride,*/output_past_2_31",
                 expect=0)
    cases = smoke + hard
    if len(smoke) < 4 or len(hard) != 3 or any(case["verdict"] != "pass" for case in cases):
        raise SystemExit(f"expected passes, got {[case['verdict'] for case in cases]}")
    if any(case["path"] != "numpy_gather" or case["calls"] < 2 for case in cases):
        raise SystemExit("expected two runs of the path numpy_gather")
    wrong = judge(fp4cts, " --fault neg", "--level", "smoke", expect=1)
    named = {case["diagnosis"]["fault_class"] for case in wrong if case["verdict"] == "mismatch"}
    if named != {"enc_negative_zero_lost"}:
        raise SystemExit(f"expected the class enc_negative_zero_lost, got {named}")
    print(f"numpy gather as a program: {len(cases)} cases pass; the lost sign of zero is named")


if __name__ == "__main__":
    main()
