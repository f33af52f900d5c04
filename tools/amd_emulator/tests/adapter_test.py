# SPDX-License-Identifier: Apache-2.0
"""The adapter's parts, without the emulator: files that are wrong, memory, maps, and the modules of this build.

usage: adapter_test.py KERNELS_FOLDER
"""
import json
import os
import pathlib
import signal
import struct
import sys
import tempfile
import types
import unittest

ADAPTER = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ADAPTER))
import amd_emulate  # noqa: E402
import code_object  # noqa: E402
from module_map import ModuleMap  # noqa: E402
from problem import Buffer, Problem, write_answer  # noqa: E402

KERNELS = None


def modules():
    return sorted(KERNELS.glob("*.hsaco"))


class ModulesOfThisBuildTest(unittest.TestCase):
    def test_no_kernel_uses_local_memory_on_any_architecture(self):
        self.assertTrue(modules())
        for module in modules():
            entry = json.loads(module.with_suffix(".json").read_text())["entry"]
            for architecture, elf in code_object.code_objects(module.read_bytes(), module.name).items():
                kernel = code_object.LoadedObject(elf, module.name).kernel(entry)
                self.assertEqual(kernel.private_bytes, 0, f"{entry} for {architecture}")

    def test_each_map_is_that_of_its_module(self):
        for module in modules():
            described = ModuleMap(module.with_suffix(".json"))
            self.assertEqual(described.module, module)
            self.assertTrue(described.entry.startswith(described.operation + "_"), described.entry)


class CodeObjectTest(unittest.TestCase):
    def setUp(self):
        self.data = next(path for path in modules() if path.name == "qmul4_fp32.hsaco").read_bytes()

    def of(self, data, architecture="gfx942"):
        return code_object.of_architecture(data, "x.hsaco", architecture)

    def test_an_architecture_that_is_not_there_is_answered_with_those_that_are(self):
        with self.assertRaisesRegex(code_object.BadFile,
                                    "expected a code object for gfx906, got gfx90a, gfx942, "):
            self.of(self.data, "gfx906")

    def test_files_that_are_wrong(self):
        for data, message in ((b"", "expected an AMD code object or a bundle"),
                              (b"#!/bin/sh", "got 23 21 2f"), (self.data[:40], "the bundle is cut"),
                              (self.data[:5000], "ends at byte .*, the file at 5000")):
            with self.assertRaisesRegex(code_object.BadFile, message):
                self.of(data)

    def test_elf_files_of_other_machines_are_refused(self):
        host = pathlib.Path(sys.executable).read_bytes()
        with self.assertRaisesRegex(code_object.BadFile, "expected an ELF file for amdgcn"):
            code_object.LoadedObject(self.of(host), "python")

    def test_a_kernel_that_is_not_there(self):
        loaded = code_object.LoadedObject(self.of(self.data), "x.hsaco")
        with self.assertRaisesRegex(code_object.BadFile, "expected a kernel nothing, got qmul4_fp32"):
            loaded.kernel("nothing")

    def test_the_descriptor_is_read(self):
        kernel = code_object.LoadedObject(self.of(self.data), "x.hsaco").kernel("qmul4_fp32")
        self.assertEqual(kernel.lds_bytes, 0)
        self.assertGreaterEqual(kernel.arguments_bytes, 32)  # Qmul4Args
        self.assertEqual(kernel.user_registers(0x1_0000_2345)[-2:], [0x2345, 1])

    def test_what_the_emulator_lacks_is_said(self):
        for architecture in ("gfx1030", "gfx1250", "gfx906", "sm_90"):
            with self.assertRaisesRegex(code_object.BadFile, f"{architecture}: the emulator has CDNA"):
                amd_emulate.instruction_set(architecture)


class BufferTest(unittest.TestCase):
    def test_addresses_are_aligned_and_misaligned_as_asked(self):
        for size in (0, 1, 255, 256, 4096, 9216):
            for misalignment in (0, 8, 255):
                buffer = Buffer(bytes(size), misalignment)
                self.assertEqual(buffer.address % 256, misalignment)
                self.assertEqual(buffer.data(), bytes(size))
                self.assertEqual(buffer.trespasses("x", True), [])

    def poke(self, buffer, offset):
        import ctypes
        ctypes.c_ubyte.from_address(buffer.address + offset).value ^= 0xFF

    def test_trespasses_are_named(self):
        for offset, is_input, region in ((100, False, "guard after"), (-1, False, "guard before"),
                                         (7, True, "input"), (7, False, None)):
            buffer = Buffer(bytes(100), 64)
            self.poke(buffer, offset)
            before = "0x00" if region == "input" else "0xa5"
            actual = "0xff" if region == "input" else "0x5a"
            expected = [{"tensor": "x", "region": region, "byte": offset, "expected": before,
                         "actual": actual, "count": 1}]
            self.assertEqual(buffer.trespasses("x", is_input), expected if region else [])

    def test_pages_beside_it_may_not_be_touched(self):
        buffer = Buffer(bytes(256), 0)
        for offset in (256, 256 - code_object.PAGE - 1):
            child = os.fork()
            if child == 0:
                self.poke(buffer, offset)
                os._exit(0)
            self.assertEqual(os.waitpid(child, 0)[1] & 0x7F, signal.SIGSEGV)


class MapTest(unittest.TestCase):
    problem = types.SimpleNamespace(
        scalars={"max_num_pages": 3},
        tensors={"pages": {"dtype": "U8", "shape": [5, 8704], "strides": [9000, 1]},
                 "block_table": {"dtype": "I32", "shape": [2, 4], "strides": [7, 1]},
                 "out": {"dtype": "BF16", "shape": [6, 128, 128], "strides": [16384, 128, 1]}})

    def map(self, **changes):
        described = {"schema": 1, "module": "m", "operation": "mxfp4_gather_pages", "name": "n", "profile": "ocp",
                     "entry": "e", "threads": 64, "grid": 1, "parameters": [], **changes}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "map.json"
            path.write_text(json.dumps({k: v for k, v in described.items() if v is not None}))
            return ModuleMap(path)

    def value(self, quantity):
        return self.map(grid=quantity).grid(self.problem)[0]

    def test_quantities(self):
        heads = {"size": ["pages", 1], "rank": 3, "otherwise": 1}
        for quantity, value in (
                (4, 4), ({"constant": 8192}, 8192), ({"scalar": "max_num_pages"}, 3),
                ({"size": ["out", 0]}, 6), (heads, 1), ({**heads, "rank": 2}, 8704),
                ({"stride": ["block_table", 0], "unit": "bytes"}, 28),
                ({"stride": ["block_table", 0], "unit": "elements"}, 7),
                ({"dtype": "out", "values": {"F32": 1, "BF16": 2}}, 2),
                ({"product": [{"size": ["block_table", 0]}, {"scalar": "max_num_pages"}, heads]}, 6),
                ({"argument": "num_heads"}, 1), ({"argument": "head_stride_bytes"}, 0),
                ({"argument": "page_stride_bytes"}, 9000), ({"argument": "num_reqs"}, 2),
                ({"argument": "block_table_stride_elements"}, 7), ({"argument": "out_dtype"}, 2),
                ({"argument": "out_pages"}, 6), ({"argument": "max_num_pages"}, 3),
                ({"size": ["pages", 0], "divide_up": 2}, 3)):
            self.assertEqual(self.value(quantity), value, quantity)

    def test_parameters_lie_at_multiples_of_their_size(self):
        described = self.map(parameters=[{"scalar": "max_num_pages", "type": "i32"}, {"tensor": "out"},
                                         {"constant": -1, "type": "i64"}])
        self.assertEqual(described.arguments(self.problem, {"out": -16}),
                         struct.pack("<i4xQq", 3, 2**64 - 16, -1))

    def test_a_value_that_does_not_fit(self):
        described = self.map(parameters=[{"constant": 2**31, "type": "i32"}])
        with self.assertRaisesRegex(code_object.BadFile, "parameter 0: expected a value that fits in i32"):
            described.arguments(self.problem, {})

    def test_a_member_that_is_missing(self):
        with self.assertRaisesRegex(code_object.BadFile, "expected members grid, got none"):
            self.map(grid=None)


class FilesTest(unittest.TestCase):
    def test_an_answer_is_read_back_and_another_file_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "answer.safetensors"
            write_answer(path, {"out": b"\1\2\3", "d": b"\4"}, [])
            data = path.read_bytes()
            (length,) = struct.unpack_from("<Q", data)
            header = json.loads(data[8:8 + length])
            self.assertEqual(header["out"], {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]})
            self.assertEqual(data[8 + length:], b"\1\2\3\4")
            with self.assertRaisesRegex(code_object.BadFile, "expected a problem file"):
                Problem(path)


def main():
    global KERNELS
    KERNELS = pathlib.Path(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
