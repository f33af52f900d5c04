# SPDX-License-Identifier: Apache-2.0
"""The path `cvt` of MXFP4 is gfx950's instruction: 16 elements in two words of codes, two elements at a time, 4 pieces
to a thread and 4 destinations are 128 of V_CVT_SCALEF32_PK_F32_FP4.

usage: instructions_test.py KERNELS_FOLDER
"""
import collections
import ctypes
import pathlib
import sys

import conformance_test
from amd_emulate import open_emulator
from code_object import LoadedObject, of_architecture

INSTRUCTION = "V_CVT_SCALEF32_PK_F32_FP4"


def instructions(module, entry):
    from tinygrad.renderer.amd import decode_inst
    loaded = LoadedObject(of_architecture(module.read_bytes(), module.name, "gfx950"), module.name)
    kernel = loaded.kernel(entry)
    code, at, names = ctypes.string_at(kernel.entry, kernel.code_bytes), 0, collections.Counter()
    while at < len(code):
        instruction = decode_inst(code[at:], "cdna")
        names[instruction.op.name] += 1
        at += instruction.size()
    return names


def main():
    folder = pathlib.Path(sys.argv[1])
    conformance_test.require_emulator()
    open_emulator()
    for name in ("mxfp4_gather_pages_cvt", "mxfp4_decode_pages_cvt"):
        count = instructions(folder / f"{name}.hsaco", name)[INSTRUCTION]
        if count != 128:
            sys.exit(f"{name}: expected 128 of {INSTRUCTION}, got {count}")


if __name__ == "__main__":
    main()
