# SPDX-License-Identifier: Apache-2.0
"""A table kernel with a wrong byte_perm on AMD is a mismatch, in the elements that it spoils.

usage: old_byte_perm_test.py FP4CTS MAP

Its selector's upper half gets into byte 2 (kernels/faulty/old_byte_perm), so that elements 2 and 3 of every eight are wrong: a fault
that only AMD machine code has, since the host's form and NVIDIA's are other branches.
"""
import pathlib
import sys

import conformance_test


def main():
    fp4cts, path = sys.argv[1:]
    conformance_test.require_emulator()
    done, records = conformance_test.judge(fp4cts, "gfx90a", [pathlib.Path(path)], "smoke")
    cases = [record for record in records if record["record"] == "case"]
    wrong = [case for case in cases if case["verdict"] == "mismatch"]
    if done.returncode != 1 or not wrong or len(wrong) != len(cases):
        sys.exit(f"expected a mismatch of every case and exit status 1, got {done.returncode} and "
                 f"{[case['verdict'] for case in cases]}\n{done.stderr[-2000:]}")
    elements = {each["site"]["element"] % 8 for case in wrong for each in case["diagnosis"]["first"]}
    if not elements or not elements <= {2, 3}:
        sys.exit(f"expected wrong bytes in elements 2 and 3 of every eight, got {sorted(elements)}")


if __name__ == "__main__":
    main()
