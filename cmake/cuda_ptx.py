# SPDX-License-Identifier: Apache-2.0
"""Compiles one kernel source by nvcc to PTX text, for the device `ptx`.

    cuda_ptx.py --nvcc NVCC --output X.ptx --depfile X.ptx.d --root FOLDER --target compute_90 -- FLAG... SOURCE

With -lineinfo among the flags the text has the lines of its sources.

The text is the same wherever it is built: .file names a source of FOLDER's kernels/ from FOLDER on, all others by
their name alone, and no time of change.
"""
import argparse
import pathlib
import re
import subprocess
import sys

FILE = re.compile(r'^(\s*\.file\s+\d+) "([^"]*)"[^\n]*$', re.MULTILINE)


def named_from(root, text):
    def shorter(match):
        path = pathlib.Path(match[2])
        named = path.relative_to(root) if path.is_relative_to(root / "kernels") else path.name
        return f'{match[1]} "{named}"'
    return FILE.sub(shorter, text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("nvcc", "output", "depfile", "root"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("words", nargs="+", help="flags and the source, after --")
    asked = parser.parse_args()
    done = subprocess.run([asked.nvcc, "-ptx", "-x", "cu", f"-arch={asked.target}", "-MD", "-MF", asked.depfile,
                           *asked.words, "-o", asked.output], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    asked.output.write_text(named_from(asked.root, asked.output.read_text()))


if __name__ == "__main__":
    main()
