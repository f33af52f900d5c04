# SPDX-License-Identifier: Apache-2.0
"""Compiles one kernel source by nvcc to a fatbin: machine code, and PTX that old drivers can assemble.

    cuda_fatbin.py --nvcc NVCC --output X.fatbin --depfile X.fatbin.d --targets sm_90 compute_90 ... -- FLAG... SOURCE

nvcc stamps its own version on PTX, and a driver refuses text that is newer than itself: that of CUDA
13.5 works nowhere but there. The version is lowered to PTX_VERSION, the oldest that the kernels'
instructions need, and ptxas, which holds a text to the version that it states, must assemble it.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

PTX_VERSION = "8.0"  # CUDA 12.0; compute_90 itself needs 7.8
STATED = re.compile(r"^\.version \d+\.\d+$", re.MULTILINE)


def call(*words):
    done = subprocess.run([str(word) for word in words], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)


def lowered(text):
    text, count = STATED.subn(f".version {PTX_VERSION}", text)
    if count != 1:
        sys.exit(f"cuda_fatbin: expected one .version in the PTX, got {count}")
    return text


def main():
    parser = argparse.ArgumentParser()
    for name in ("nvcc", "output", "depfile"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--targets", nargs="+", required=True)
    parser.add_argument("words", nargs="+", help="flags and the source, after --")
    asked = parser.parse_args()
    tools = asked.nvcc.parent
    images = []
    with tempfile.TemporaryDirectory() as folder:
        for target in asked.targets:
            kind, _, number = target.partition("_")
            generation = ("-gencode", f"arch=compute_{number},code={target}")
            made = pathlib.Path(folder, target)
            if kind == "sm":
                call(asked.nvcc, "-cubin", "-x", "cu", *generation, *asked.words, "-o", made)
                images.append(f"--image3=kind=elf,sm={number},file={made}")
            else:
                call(asked.nvcc, "-ptx", "-x", "cu", f"-arch={target}", *asked.words, "-o", made)
                made.write_text(lowered(made.read_text()))
                call(tools / "ptxas", f"-arch=sm_{number}", made, "-o", made.with_suffix(".cubin"))
                images.append(f"--image3=kind=ptx,sm={number},file={made}")
        first = asked.targets[0].partition("_")[2]
        call(asked.nvcc, "-M", "-x", "cu", "-arch", f"compute_{first}", *asked.words, "-MF", asked.depfile,
             "-MT", asked.output)
        asked.output.unlink(missing_ok=True)
        call(tools / "fatbinary", f"--create={asked.output}", "-64", "-compress=false", *images)


if __name__ == "__main__":
    main()
