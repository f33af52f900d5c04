# SPDX-License-Identifier: Apache-2.0
"""The tensors of a problem in memory, each between guard zones, where the case asks for them.

A tensor that has the size and place of its predecessor takes its memory, so that the calls of one case
are made on the same buffers.
"""
import numpy as np

GUARD_BYTES = 256  # and the unit of misalignment


def pattern(number, begin, end):
    """Guard bytes at positions [begin, end) from the storage of tensor `number`: of docs/devices.md."""
    at = np.arange(begin, end, dtype=np.int64).astype(np.uint64)
    return (0x80 | ((at * 109 + (at >> np.uint64(7)) * 31 + number * 53) & np.uint64(0x7F))).astype(np.uint8)


class Buffer:
    """Memory of one tensor. `memory` is what a device's allocate() gave."""

    def __init__(self, device, size, misalignment):
        self.size, self.misalignment = size, misalignment
        self.memory = device.allocate(size + 4 * GUARD_BYTES)
        base = device.address(self.memory)
        self.before = GUARD_BYTES + (misalignment - base) % GUARD_BYTES
        self.address = base + self.before

    def fits(self, tensor):
        return self.size == tensor.storage.size and self.misalignment == tensor.misalignment_bytes


def _changed(region, tensor, first, expected, actual):
    """A record of changed bytes as results have them; none where none changed."""
    wrong = np.flatnonzero(expected != actual)
    if wrong.size == 0:
        return []
    at = int(wrong[0])
    return [{"tensor": tensor, "region": region, "byte": first + at, "expected": f"0x{expected[at]:02x}",
             "actual": f"0x{actual[at]:02x}", "count": int(wrong.size)}]


class Guarded:
    """Places problems on a device and says what became of the bytes."""

    def __init__(self, device):
        self.device = device
        self.buffers = {}

    def place(self, problem):
        """Writes guards and storages. Arrays by name, views of the device's memory."""
        arrays = {}
        for number, (name, tensor) in enumerate(problem.tensors.items()):
            buffer = self.buffers.get(name)
            if buffer is None or not buffer.fits(tensor):
                self.buffers.pop(name, None)
                buffer = self.buffers[name] = Buffer(self.device, tensor.storage.size, tensor.misalignment_bytes)
            image = pattern(number, -buffer.before, tensor.storage.size + GUARD_BYTES)
            image[buffer.before:buffer.before + tensor.storage.size] = tensor.storage
            self.device.write(buffer.memory, image)
            arrays[name] = self.device.array(buffer, tensor)
        return arrays

    def outcome(self, problem):
        """After a call: bytes of each output, and what was changed where nothing may be written."""
        outputs, trespasses = {}, []
        for number, (name, tensor) in enumerate(problem.tensors.items()):
            buffer, size = self.buffers[name], tensor.storage.size
            image = self.device.read(buffer.memory, buffer.before + size + GUARD_BYTES)
            storage = image[buffer.before:buffer.before + size]
            trespasses += _changed("guard before", name, -buffer.before,
                                   pattern(number, -buffer.before, 0), image[:buffer.before])
            trespasses += _changed("guard after", name, size,
                                   pattern(number, size, size + GUARD_BYTES), image[buffer.before + size:])
            if tensor.role == "output":
                outputs[name] = storage
            else:
                trespasses += _changed("input", name, 0, tensor.storage, storage)
        return outputs, trespasses
