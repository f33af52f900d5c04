# SPDX-License-Identifier: Apache-2.0
"""Problem and answer files (docs/check-your-kernel.md), and a problem's tensors in memory.

A tensor ends where its pages end, or as near before it as its alignment lets it, and lies between
pages that may not be touched: a kernel that reads or writes there dies of SIGSEGV. What remains of
its last page holds a pattern that must survive, and so must the bytes of inputs.
"""
import ctypes
import json
import mmap
import os
import struct

from code_object import PAGE, BadFile, up

ALIGNMENT = 256
SLACK = 0xA5
PROT_NONE = 0
LIBC = ctypes.CDLL(None, use_errno=True)


class Problem:
    def __init__(self, path):
        data = path.read_bytes()
        try:
            (length,) = struct.unpack_from("<Q", data)
            header = json.loads(data[8:8 + length])
            metadata = header.pop("__metadata__")
            self.tensors = {each["name"]: each for each in json.loads(metadata["tensors"])}
            self.scalars = json.loads(metadata["scalars"])
            self.operation = metadata["operation"]
            self.storages = {}
            for name in self.tensors:
                begin, end = header[name]["data_offsets"]
                self.storages[name] = data[8 + length + begin:8 + length + end]
        except (struct.error, ValueError, KeyError) as error:
            raise BadFile(f"{path}: expected a problem file: {error}") from None


class Buffer:
    """A storage in pages of its own."""

    def __init__(self, data, misalignment):
        room = up(len(data) + misalignment, ALIGNMENT)
        inside = up(max(room, 1), PAGE)
        self._pages = mmap.mmap(-1, inside + 2 * PAGE)
        self._base = ctypes.addressof(ctypes.c_char.from_buffer(self._pages))
        self._begin = PAGE + inside - room + misalignment
        self._end = self._begin + len(data)
        self._before = data
        self._pages[PAGE:PAGE + inside] = bytes([SLACK]) * inside
        self._pages[self._begin:self._end] = data
        for edge in (self._base, self._base + PAGE + inside):
            if LIBC.mprotect(ctypes.c_void_p(edge), ctypes.c_size_t(PAGE), PROT_NONE) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")
        self.address = self._base + self._begin

    def data(self):
        return self._pages[self._begin:self._end]

    def trespasses(self, name, is_input):
        """What was changed and may not be, as results have it."""
        zones = [("guard before", PAGE, self._begin, None),
                 ("guard after", self._end, len(self._pages) - PAGE, None)]
        if is_input:
            zones.append(("input", self._begin, self._end, self._before))
        found = []
        for region, begin, end, before in zones:
            now = self._pages[begin:end]
            before = before if before is not None else bytes([SLACK]) * len(now)
            if now != before:
                changed = [at for at in range(len(now)) if now[at] != before[at]]
                first = changed[0]
                found.append({"tensor": name, "region": region, "byte": begin + first - self._begin,
                              "expected": f"0x{before[first]:02x}", "actual": f"0x{now[first]:02x}",
                              "count": len(changed)})
        return found


def write_answer(path, outputs, trespasses):
    header, at = {"__metadata__": {"trespasses": json.dumps(trespasses)}}, 0
    for name, data in outputs.items():
        header[name] = {"dtype": "U8", "shape": [len(data)], "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text = text.ljust(up(len(text), 8))
    part = path.with_name(path.name + ".part")
    part.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(outputs.values()))
    os.replace(part, path)
