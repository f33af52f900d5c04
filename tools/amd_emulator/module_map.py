# SPDX-License-Identifier: Apache-2.0
"""The map of a module file (docs/plug-ins.md, "A module file"): how its kernel is launched."""
import json
import math
import struct

from arguments import WIDTHS, named_integers
from code_object import BadFile, up

INTEGERS = {"i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q"}


class ModuleMap:
    def __init__(self, path):
        try:
            self._map = json.loads(path.read_text())
        except ValueError as error:
            raise BadFile(f"{path}: {error}") from None
        missing = {"module", "operation", "name", "profile", "entry", "threads", "grid",
                   "parameters"} - set(self._map)
        if missing:
            raise BadFile(f"{path}: expected members {', '.join(sorted(missing))}, got none")
        self.module = path.parent / self._map["module"]
        self.operation = self._map["operation"]
        self.entry = self._map["entry"]
        self.name = self._map["name"]
        self.profile = self._map["profile"]
        self.threads = _axes(self._map["threads"])
        self.shared_bytes = self._map.get("shared_bytes", 0)

    def grid(self, problem):
        return _axes([self._value(each, problem) for each in _list(self._map["grid"])])

    def arguments(self, problem, addresses):
        """The bytes of all parameters, each at a multiple of its size."""
        data = b""
        for number, parameter in enumerate(self._map["parameters"]):
            if "tensor" in parameter:
                code, value = "<Q", addresses[parameter["tensor"]] % (1 << 64)
            else:
                code, value = INTEGERS[parameter["type"]], self._value(parameter, problem)
            data = data.ljust(up(len(data), struct.calcsize(code)), b"\0")
            try:
                data += struct.pack(code, value)
            except struct.error:
                raise BadFile(f"parameter {number}: expected a value that fits in "
                              f"{parameter['type']}, got {value}") from None
        return data

    def _argument(self, name, problem):
        integers = named_integers(self.operation, problem)
        if name not in integers:
            raise BadFile(f"{self.operation} has no argument \"{name}\"; there are: "
                          f"{', '.join(integers)}")
        return integers[name]

    def _value(self, quantity, problem):
        """An integer, as the document has the quantities."""
        if isinstance(quantity, int):
            return quantity
        if "constant" in quantity:
            value = quantity["constant"]
        elif "scalar" in quantity:
            value = problem.scalars[quantity["scalar"]]
        elif "argument" in quantity:
            value = self._argument(quantity["argument"], problem)
        elif "product" in quantity:
            value = math.prod(self._value(factor, problem) for factor in quantity["product"])
        elif "dtype" in quantity:
            value = quantity["values"][problem.tensors[quantity["dtype"]]["dtype"]]
        else:
            value = _along_an_axis(quantity, problem)
        return -(-value // quantity["divide_up"]) if "divide_up" in quantity else value


def _list(value):
    return value if isinstance(value, list) else [value]


def _axes(value):
    return tuple(_list(value) + [1, 1])[:3]


def _along_an_axis(quantity, problem):
    name, axis = quantity["size"] if "size" in quantity else quantity["stride"]
    tensor = problem.tensors[name]
    if quantity.get("rank", len(tensor["shape"])) != len(tensor["shape"]):
        return quantity["otherwise"]
    if "size" in quantity:
        return tensor["shape"][axis]
    return tensor["strides"][axis] * (WIDTHS[tensor["dtype"]] if quantity["unit"] == "bytes" else 1)
