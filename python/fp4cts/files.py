# SPDX-License-Identifier: Apache-2.0
"""Problem files (docs/check-your-kernel.md): what the suite hands to a program, golden files among them.

They are safetensors files. NumPy has no E4M3 and no bfloat16, so that codes of these are read as what
they are, uint8 and uint16: the reader is a few lines of its own.
"""
import dataclasses
import json
import os

import numpy as np

CODES = {"U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "I32": np.int32, "I64": np.int64,
         "F8_E4M3": np.uint8, "F8_E5M2": np.uint8,
         "F8_E8M0": np.uint8, "E2M1": np.uint8, "F16": np.float16, "BF16": np.uint16, "F32": np.float32}


@dataclasses.dataclass
class Tensor:
    """One argument: `storage` is all its bytes, the rest says where its elements lie in them."""
    name: str
    role: str
    dtype: str
    shape: tuple
    strides: tuple  # elements
    origin_bytes: int
    misalignment_bytes: int
    storage: np.ndarray  # uint8

    def array(self, address=None):
        """The tensor as a view, of its own storage or of memory at `address`. E4M3 is uint8, bfloat16
        uint16. A view whose origin lies outside the storage, as of a pool that begins at a large page,
        is a valid array of which only the stored pages may be touched."""
        start = self.storage.ctypes.data if address is None else address
        dtype = np.dtype(CODES[self.dtype])
        return _at(start + self.origin_bytes, dtype, self.shape,
                   [stride * dtype.itemsize for stride in self.strides], self.storage)


class _Memory:
    """What numpy.asarray makes an array of without looking at the memory."""

    def __init__(self, address, dtype, shape, strides, owner):
        self.owner = owner
        self.__array_interface__ = {"version": 3, "typestr": dtype.str, "shape": tuple(shape),
                                    "strides": tuple(strides), "data": (address, False)}


def _at(address, dtype, shape, strides, owner):
    return np.asarray(_Memory(address, dtype, shape, strides, owner))


@dataclasses.dataclass
class Problem:
    """A call: its tensors by name in the operation's order, its scalars, and of a golden file the bytes
    that outputs have after it."""
    operation: str
    tensors: dict
    scalars: dict
    expected: dict
    metadata: dict

    @property
    def arguments(self):
        """Arrays and scalars by name, as a function takes them. Arrays are views of one copy: an output
        that is written through them is in `tensors[name].storage`."""
        return {**{name: tensor.array() for name, tensor in self.tensors.items()}, **self.scalars}

    @property
    def outputs(self):
        return [tensor for tensor in self.tensors.values() if tensor.role == "output"]


def read(path):
    """Tensors as (dtype, shape, uint8 array) by name, and metadata. ValueError for what is no such file."""
    data = np.fromfile(path, np.uint8)
    try:
        length = int(data[:8].view("<u8")[0])
        header = json.loads(data[8:8 + length].tobytes())
        metadata = header.pop("__metadata__", {})
        tensors = {}
        for name, about in header.items():
            begin, end = about["data_offsets"]
            if not 0 <= begin <= end <= data.size - 8 - length:
                raise ValueError(f"tensor {name} lies outside of the file")
            tensors[name] = (about["dtype"], tuple(about["shape"]), data[8 + length + begin:8 + length + end])
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"{os.fspath(path)}: is no safetensors file: {error}") from None
    return tensors, metadata


def load(path):
    """The problem or golden file at `path`."""
    stored, metadata = read(path)
    if "tensors" not in metadata:
        raise ValueError(f"{os.fspath(path)}: is no problem file of fp4cts: no metadata \"tensors\"")
    tensors = {}
    for about in json.loads(metadata["tensors"]):
        tensors[about["name"]] = Tensor(
            about["name"], about["role"], about["dtype"], tuple(about["shape"]), tuple(about["strides"]),
            about["origin_bytes"], about["misalignment_bytes"], stored[about["name"]][2].copy())
    expected = {name.split(".", 1)[1]: data.view(CODES[dtype]).reshape(shape)
                for name, (dtype, shape, data) in stored.items() if name.startswith("expected.")}
    return Problem(metadata["operation"], tensors, json.loads(metadata.get("scalars", "{}")), expected, metadata)


def write(path, tensors, metadata):
    """Arrays of bytes as U8 tensors, flat: an answer file. It is whole or not there."""
    header, at = {"__metadata__": metadata} if metadata else {}, 0
    for name, data in tensors.items():
        header[name] = {"dtype": "U8", "shape": [data.size], "data_offsets": [at, at + data.size]}
        at += data.size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(f"{path}.part", "wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for data in tensors.values():
            file.write(memoryview(np.ascontiguousarray(data)))
    os.replace(f"{path}.part", path)
