#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges the functions of triton_kernels.py on a GPU and demands the verdicts. Exit code 0: as expected.

    python3 gpu_session.py [--device cuda] [--level standard] [--out FOLDER]

Writes each verdict's text to FOLDER. Needs the wheel, torch and Triton; no network.
"""
import argparse
import pathlib
import sys
import time

import fp4cts

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import triton_kernels  # noqa: E402

# function, operation, verdict, what its text must say
EXPECTED = [
    (triton_kernels.gather, "nvfp4_gather_index_k", "CONFORMS", ""),
    (triton_kernels.gather_zero_minus, "nvfp4_gather_index_k", "MISMATCH", "enc_negative_zero_lost"),
    (triton_kernels.gather_past_the_table, "nvfp4_gather_index_k", None, ""),  # mismatch, or an illegal access
    (triton_kernels.decode_mxfp4, "mxfp4_decode_pages", "CONFORMS", ""),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--level", default="standard")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("gpu-session"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    print(fp4cts.version())
    surprises = 0
    for fn, operation, verdict, says in EXPECTED:
        begin = time.monotonic()
        result = fp4cts.check(fn, operation, options.level, device=options.device, raises=False)
        seconds = time.monotonic() - begin
        (options.out / f"{fn.__name__}.txt").write_text(f"{result}\n", encoding="utf-8")
        right = (result.verdict == verdict if verdict else not result) and says in str(result)
        surprises += not right
        print(f"{fn.__name__:24} {operation:22} {result.verdict:10} {len(result.cases):4} cases {seconds:6.1f} s  "
              f"{'as expected' if right else 'expected ' + (verdict or 'a failure') + ' ' + says}")
        if not right:
            print(str(result)[:3000])
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
