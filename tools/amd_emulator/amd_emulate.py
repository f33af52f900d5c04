#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes a kernel of an AMD code object in an emulator of AMD's instruction sets.

    fp4cts run --op OPERATION --dut-cmd "python3 tools/amd_emulator/amd_emulate.py
        --architecture gfx942 --map MAP {serve}"

MAP is the map of a module file (docs/plug-ins.md). With two paths in place of {serve} it answers one
problem file. The emulator is tinygrad's; FP4CTS_AMD_EMULATOR names a checkout of it.
docs/amd-emulator.md says more.
"""
import argparse
import contextlib
import ctypes
import functools
import hashlib
import json
import os
import pathlib
import shutil
import sys

import code_object
from module_map import ModuleMap
from problem import Buffer, Problem, write_answer

PROJECT = pathlib.Path(__file__).resolve().parents[2]
EMULATOR = "FP4CTS_AMD_EMULATOR"
# Instruction sets of the emulator, by how an architecture's name begins.
INSTRUCTION_SETS = {"gfx90a": "cdna", "gfx94": "cdna", "gfx950": "cdna", "gfx9-4": "cdna",
                    "gfx11": "rdna3", "gfx1200": "rdna4", "gfx1201": "rdna4", "gfx12-": "rdna4"}
EXPECTED = (code_object.BadFile, OSError)  # errors that a user can mend
WAVE32 = 1 << 10  # of a kernel descriptor's properties


def instruction_set(architecture):
    for begin, name in INSTRUCTION_SETS.items():
        if architecture.startswith(begin):
            return name
    raise code_object.BadFile(f"{architecture}: the emulator has CDNA (gfx90a, gfx942, gfx950), "
                              "RDNA3 (gfx11...) and RDNA4 (gfx1200, gfx1201)")


def find_emulator():
    named = os.environ.get(EMULATOR)
    folder = pathlib.Path(named) if named else PROJECT.parent / "shared" / "amd-emulator"
    if not (folder / "test" / "mockgpu" / "amd" / "emu.py").is_file():
        raise code_object.BadFile(f"no emulator in {folder}; {EMULATOR} names a checkout of it")
    return folder


def find_clang():
    """The emulator compiles what it executes."""
    names = ["clang", *(f"clang-{version}" for version in range(30, 13, -1))]
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise code_object.BadFile("the emulator needs clang, and none is on the PATH")
    return found


@functools.cache
def open_emulator():
    folder = find_emulator()
    os.environ["CC"] = find_clang()
    sys.path.insert(0, str(folder))
    sys.modules.pop("test", None)  # Python has a package of this name too
    from test.mockgpu.amd import emu
    # HIP keeps subnormals unless a kernel asks otherwise; the emulator would flush them.
    emu._MXCSRContext = contextlib.nullcontext
    return emu


class Emulation:
    """The kernel of one map."""

    def __init__(self, path, architecture):
        self.map = ModuleMap(path)
        self.set = instruction_set(architecture)
        module = self.map.module
        elf = code_object.of_architecture(module.read_bytes(), str(module), architecture)
        self.digest = hashlib.sha256(elf).hexdigest()
        self._object = code_object.LoadedObject(elf, str(module))
        self._kernel = self._object.kernel(self.map.entry)
        if self.set != "cdna" and not self._kernel.properties & WAVE32:
            raise code_object.BadFile(f"{module}: {self.map.entry} has waves of 64, "
                                      "and the emulator runs waves of 32 there")

    def answer(self, problem, answer_path):
        buffers = {name: Buffer(data, problem.tensors[name]["misalignment_bytes"])
                   for name, data in problem.storages.items()}
        grid = self.map.grid(problem)
        if 0 not in grid:
            self._launch(grid, self.map.arguments(problem, {
                name: buffer.address + problem.tensors[name]["origin_bytes"]
                for name, buffer in buffers.items()}))
        inputs = {name for name in buffers if problem.tensors[name]["role"] == "input"}
        write_answer(answer_path,
                     {name: buffer.data() for name, buffer in buffers.items() if name not in inputs},
                     [each for name, buffer in buffers.items()
                      for each in buffer.trespasses(name, name in inputs)])

    def _launch(self, grid, arguments):
        kernel = self._kernel
        memory = ctypes.create_string_buffer(arguments, max(kernel.arguments_bytes, len(arguments)))
        address = ctypes.addressof(memory)
        lds = code_object.up(kernel.lds_bytes + self.map.shared_bytes, 512) // 512
        open_emulator().run_asm(kernel.entry, kernel.code_bytes, *grid, *self.map.threads, address,
                               kernel.rsrc2 | lds << 15, kernel.private_bytes, self.set,
                               kernel.user_registers(address))


class Program:
    def __init__(self, options):
        self._architecture = options.architecture
        self._emulations = {}
        for path in options.map:
            emulation = Emulation(path, options.architecture)
            if self._emulations.setdefault(emulation.map.operation, emulation) is not emulation:
                raise code_object.BadFile(f"{path}: {emulation.map.operation} has a map already")

    def about(self):
        """For results: what it executes, and how."""
        modules = [f"{each.map.module.name} {each.digest[:16]}" for each in self._emulations.values()]
        return f"emulated {self._architecture}: {', '.join(modules)}"

    def answer(self, problem_path, answer_path):
        problem = Problem(problem_path)
        if problem.operation not in self._emulations:
            raise code_object.BadFile(f"{problem_path}: expected a problem of "
                                      f"{', '.join(self._emulations)}, got {problem.operation}")
        self._emulations[problem.operation].answer(problem, answer_path)


def serve(open_program):
    """A call for each line of the standard input, an answer for each (docs/plug-ins.md)."""
    # What the emulator prints must not get between the answers.
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        program = open_program()
    except EXPECTED as error:
        print(f"unavailable {error}", file=replies)
        return
    print(f"ready {program.about()}", file=replies)
    for line in sys.stdin:
        _, problem, answer = line.rstrip("\n").split("\t")
        try:
            program.answer(pathlib.Path(problem), pathlib.Path(answer))
            print("ok", file=replies)
        except Exception as error:  # whatever a kernel does is the result of its call
            print(f"error {error}".replace("\n", " "), file=replies)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--architecture", required=True, help="gfx942, gfx1100, ...")
    parser.add_argument("--map", required=True, action="append", type=pathlib.Path,
                        help="the map of a module file; again for another operation")
    parser.add_argument("--serve", action="store_true", help="calls come from the standard input")
    parser.add_argument("problem", nargs="?", type=pathlib.Path, help="a problem file")
    parser.add_argument("answer", nargs="?", type=pathlib.Path, help="the file to write")
    options = parser.parse_args()
    if options.serve == (options.answer is not None):
        parser.error("expected PROBLEM and ANSWER, or --serve")

    def open_program():
        find_emulator()
        find_clang()
        return Program(options)

    if options.serve:
        serve(open_program)
        return 0
    try:
        open_program().answer(options.problem, options.answer)
    except EXPECTED as error:
        sys.exit(f"amd_emulate: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
