# SPDX-License-Identifier: Apache-2.0
"""An AMD code object: what is in a bundle, and a kernel of it, laid into this process's memory.

LLVM's AMDGPU usage page describes bundle, ELF and kernel descriptor.
"""
import ctypes
import dataclasses
import mmap
import struct

BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
ELF = b"\x7fELF"
PT_LOAD, SHT_RELA, SHT_DYNSYM = 1, 4, 11
EM_AMDGPU = 224
R_AMDGPU_ABS64, R_AMDGPU_RELATIVE64 = 3, 13
PAGE = mmap.PAGESIZE


class BadFile(Exception):
    """What is wrong with a file: what was expected, and what it holds."""


def up(value, multiple):
    return -(-value // multiple) * multiple


def code_objects(data, name):
    """Code objects of a bundle by architecture, "gfx942" or "gfx942:xnack+"."""
    (count,) = struct.unpack_from("<Q", data, len(BUNDLE))
    found, at = {}, len(BUNDLE) + 8
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", data, at)
        target = data[at + 24:at + 24 + length].decode("ascii", "replace")
        at += 24 + length
        if offset + size > len(data):
            raise BadFile(f"{name}: {target} ends at byte {offset + size}, the file at {len(data)}")
        if "amdgcn" in target:
            found[target.split("--", 1)[1]] = data[offset:offset + size]
    return found


def of_architecture(data, name, architecture):
    """The ELF file in `data` for an architecture; a file that is no bundle is taken as it is."""
    if data.startswith(ELF):
        return data
    if not data.startswith(BUNDLE):
        raise BadFile(f"{name}: expected an AMD code object or a bundle of them, "
                      f"got {data[:16].hex(' ')} ...")
    try:
        found = code_objects(data, name)
    except struct.error:
        raise BadFile(f"{name}: the bundle is cut") from None
    for target, code in found.items():
        if target.split(":")[0] == architecture:
            return code
    raise BadFile(f"{name}: expected a code object for {architecture}, got {', '.join(found) or 'none'}")


@dataclasses.dataclass
class Kernel:
    entry: int  # address of its first instruction
    code_bytes: int
    private_bytes: int  # of a thread
    arguments_bytes: int
    lds_bytes: int  # static
    rsrc2: int
    properties: int

    def user_registers(self, arguments_address):
        """What the hardware puts into the first scalar registers."""
        words = []
        for bit, count in ((0, 4), (1, 2), (2, 2)):  # private segment buffer, dispatch, queue
            if self.properties & 1 << bit:
                words += [0] * count
        if self.properties & 1 << 3:
            words += [arguments_address & 0xffffffff, arguments_address >> 32]
        return words


class LoadedObject:
    """An ELF file's segments in one mapping, relocated."""

    def __init__(self, elf, name):
        if elf[:4] != ELF or struct.unpack_from("<H", elf, 18)[0] != EM_AMDGPU:
            raise BadFile(f"{name}: expected an ELF file for amdgcn")
        self._elf, self._name = elf, name
        (ph, sh), (ph_size, ph_count, sh_size, sh_count) = (
            struct.unpack_from("<QQ", elf, 32), struct.unpack_from("<HHHH", elf, 54))
        loads = [program for program in (struct.unpack_from("<IIQQQQQQ", elf, ph + i * ph_size)
                                         for i in range(ph_count)) if program[0] == PT_LOAD]
        self._sections = [struct.unpack_from("<IIQQQQIIQQ", elf, sh + i * sh_size)
                          for i in range(sh_count)]
        size = up(max(program[3] + program[6] for program in loads), PAGE)
        self._memory = mmap.mmap(-1, size)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        for _, _, offset, address, _, in_file, _, _ in loads:
            self._memory[address:address + in_file] = elf[offset:offset + in_file]
        self._symbols = list(self._read_symbols())
        self._relocate()

    def _read_symbols(self):
        for _, kind, _, _, offset, size, link, _, _, entry in self._sections:
            if kind != SHT_DYNSYM:
                continue
            text = self._sections[link][4]
            for at in range(offset, offset + size, entry):
                name, _, _, _, value, length = struct.unpack_from("<IBBHQQ", self._elf, at)
                yield self._elf[text + name:self._elf.index(b"\0", text + name)].decode(), value, length

    def _relocate(self):
        for _, kind, _, _, offset, size, _, _, _, entry in self._sections:
            if kind != SHT_RELA:
                continue
            for at in range(offset, offset + size, entry):
                address, info, addend = struct.unpack_from("<QQq", self._elf, at)
                if info & 0xffffffff == R_AMDGPU_RELATIVE64:
                    value = self.base + addend
                elif info & 0xffffffff == R_AMDGPU_ABS64:
                    value = self.base + self._symbols[info >> 32][1] + addend
                else:
                    raise BadFile(f"{self._name}: relocation of type {info & 0xffffffff} "
                                  "is not known here")
                struct.pack_into("<Q", self._memory, address, value % (1 << 64))

    def kernel(self, name):
        places = {symbol: (value, size) for symbol, value, size in self._symbols}
        if name + ".kd" not in places:
            there = [symbol[:-3] for symbol in places if symbol.endswith(".kd")]
            raise BadFile(f"{self._name}: expected a kernel {name}, got {', '.join(there) or 'none'}")
        at = places[name + ".kd"][0]
        lds, private, arguments = struct.unpack_from("<III", self._memory, at)
        (offset,) = struct.unpack_from("<q", self._memory, at + 16)
        _, _, rsrc2, properties = struct.unpack_from("<IIIH", self._memory, at + 44)
        return Kernel(self.base + at + offset, places[name][1], private, arguments, lds, rsrc2,
                      properties)
