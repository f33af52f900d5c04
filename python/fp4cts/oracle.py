# SPDX-License-Identifier: Apache-2.0
"""The exact model on NumPy arrays: libfp4cts_oracle.so (include/fp4cts/oracle.h says what each call is).

Codes are unsigned integers: uint8, or uint16 for f16 and bf16, or uint32 for f32. E4M3 is uint8 as well;
arrays of ml_dtypes are taken by their bytes. `profile` is a name, a JSON file (a path with "/" or
".json"), or a dict of such a file; see docs/profiles.md.
"""
import ctypes
import functools
import json
import os
import pathlib

import numpy as np

_STATUS = {1: "invalid_argument", 2: "unknown_name", 3: "not_representable", 4: "wrong_dtype", 5: "wrong_shape",
           6: "wrong_stride", 7: "out_of_range", 8: "too_small", 9: "internal"}
_U8, _I32, _I64, _E4M3, _F16, _BF16, _F32 = 0, 3, 4, 5, 6, 7, 8
# Of a dtype's name: its number in oracle.h and how NumPy holds it.
DTYPES = {"e4m3": (_E4M3, np.uint8), "f32": (_F32, np.float32), "f16": (_F16, np.float16), "bf16": (_BF16, np.uint16)}
_CODES = {1: np.uint8, 2: np.uint16, 4: np.uint32}


class OracleError(ValueError):
    """What the oracle refuses: `status` is a word, the text says argument, expected and actual."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class _Tensor(ctypes.Structure):
    _fields_ = [("storage", ctypes.c_void_p), ("storage_bytes", ctypes.c_size_t), ("origin_bytes", ctypes.c_int64),
                ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64))]


class _Gather(ctypes.Structure):
    _fields_ = [("struct_bytes", ctypes.c_size_t), ("pages", _Tensor), ("block_table", _Tensor),
                ("num_pages", _Tensor), ("page_offsets", _Tensor), ("max_num_pages", ctypes.c_int64), ("out", _Tensor)]


class _Encoding(ctypes.Structure):
    _fields_ = [("struct_bytes", ctypes.c_size_t), ("rounding", ctypes.c_char_p), ("overflow", ctypes.c_char_p),
                ("random_bits", ctypes.c_void_p), ("random_width", ctypes.c_int32), ("has_nan_code", ctypes.c_int32),
                ("nan_code", ctypes.c_uint32), ("keep_nan_sign", ctypes.c_int32),
                ("keep_overflow_sign", ctypes.c_int32), ("negative_by_magnitude", ctypes.c_int32),
                ("tiny_to_smallest", ctypes.c_int32)]


@functools.lru_cache(maxsize=None)
def _library():
    path = os.environ.get("FP4CTS_ORACLE_LIBRARY") or str(pathlib.Path(__file__).parent / "lib" / "libfp4cts_oracle.so")
    library = ctypes.CDLL(path)
    library.fp4cts_oracle_error.restype = ctypes.c_char_p
    library.fp4cts_oracle_version.restype = ctypes.c_uint32
    if library.fp4cts_oracle_version() != 1:
        raise ImportError(f"{path}: expected version 1 of the interface, got {library.fp4cts_oracle_version()}")
    return library


def _call(function, *arguments):
    status = getattr(_library(), f"fp4cts_oracle_{function}")(*arguments)
    if status != 0:
        raise OracleError(_STATUS.get(status, str(status)), _library().fp4cts_oracle_error().decode())


class Profile:
    """A profile, opened: name, JSON file, or dict. What it is given is checked."""

    _shipped = {}

    def __init__(self, source="ocp"):
        described = source
        if isinstance(source, (str, os.PathLike)):
            text = os.fspath(source)
            described = {"extends": text}
            if "/" in text or text.endswith(".json"):
                described = json.loads(pathlib.Path(text).read_text(encoding="utf-8"))
        self._handle = ctypes.c_void_p()
        _call("profile_open", described.get("extends", "ocp").encode(), ctypes.byref(self._handle))
        for member, value in described.items():
            if member not in ("fp4cts_profile", "name", "version", "comment", "extends", "unverified"):
                self._set(member, value)

    def _set(self, member, value):
        if isinstance(value, dict):
            for name, inner in value.items():
                self._set(f"{member}.{name}", inner)
        else:
            _call("profile_set", self._handle, member.encode(), str(value).encode())

    def __del__(self):
        if getattr(self, "_handle", None):
            _library().fp4cts_oracle_profile_close(self._handle)

    @classmethod
    def of(cls, source):
        """The handle for an argument; names are opened once, since the tables of pages are theirs."""
        if isinstance(source, cls):
            return source._handle
        if isinstance(source, str) and "/" not in source and not source.endswith(".json"):
            if source not in cls._shipped:
                cls._shipped[source] = cls(source)
            return cls._shipped[source]._handle
        opened = cls(source)
        handle = ctypes.c_void_p(opened._handle.value)
        handle.opened = opened  # lives as long as the call needs it
        return handle


def _pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def _codes(array, itemsize, what):
    """A contiguous array of codes of so many bytes. Integers of other widths must fit."""
    array = np.asarray(array)
    wanted = _CODES[itemsize]
    if array.dtype.kind in "iu" and array.dtype != wanted:
        if array.size and (array.min() < 0 or array.max() > np.iinfo(wanted).max):
            raise OracleError("out_of_range", f"{what}: expected codes of {itemsize} bytes, got up to {array.max()}")
        array = array.astype(wanted)
    if array.dtype.itemsize != itemsize:
        raise OracleError("wrong_dtype", f"{what}: expected codes of {itemsize} bytes, got {array.dtype}")
    return np.ascontiguousarray(array).view(wanted)


def code_dtype(format):
    """The NumPy dtype that holds codes of a format."""
    size = _library().fp4cts_oracle_code_bytes(format.encode())
    if size == 0:
        _call("decode", format.encode(), ctypes.c_int64(0), None, None)  # refuses, and says which there are
    return np.dtype(_CODES[size])


def decode(format, codes):
    """The exact values of codes as float64; a NaN has the sign of its code."""
    codes = _codes(codes, code_dtype(format).itemsize, "codes")
    values = np.empty(codes.shape, np.float64)
    _call("decode", format.encode(), ctypes.c_int64(codes.size), _pointer(codes), _pointer(values))
    return values


def _encoding(count, rounding, overflow, random_bits=None, random_width=0, nan_code=None, keep_nan_sign=False,
              keep_overflow_sign=False, negative_by_magnitude=False, tiny_to_smallest=False):
    bits = None
    if random_bits is not None:
        bits = np.ascontiguousarray(np.broadcast_to(np.asarray(random_bits, np.uint32), count))
    encoding = _Encoding(ctypes.sizeof(_Encoding), rounding.encode(), overflow.encode(),
                         None if bits is None else bits.ctypes.data, random_width, nan_code is not None,
                         nan_code or 0, keep_nan_sign, keep_overflow_sign, negative_by_magnitude, tiny_to_smallest)
    return encoding, bits


def encode(format, values, *, rounding, overflow, **special):
    """Codes of float values (float64 or narrower, which are exact in it), rounded once.

    rounding   "rne", "rna", "rtz", "rtp", "rtn" or "rs" (with random_bits=, random_width=)
    overflow   "satfinite", "to_inf" or "to_nan"
    special    nan_code=, keep_nan_sign=, keep_overflow_sign=, negative_by_magnitude=, tiny_to_smallest="""
    values = np.ascontiguousarray(values, np.float64)
    codes = np.empty(values.shape, code_dtype(format))
    encoding, kept = _encoding(values.shape, rounding, overflow, **special)
    _call("encode", format.encode(), ctypes.byref(encoding), ctypes.c_int64(values.size), _pointer(values),
          _pointer(codes))
    del kept
    return codes


def convert(source, destination, codes, *, rounding, overflow, **special):
    """Codes of one format as codes of another, rounded once."""
    codes = _codes(codes, code_dtype(source).itemsize, "codes")
    result = np.empty(codes.shape, code_dtype(destination))
    encoding, kept = _encoding(codes.shape, rounding, overflow, **special)
    _call("convert", source.encode(), destination.encode(), ctypes.byref(encoding), ctypes.c_int64(codes.size),
          _pointer(codes), _pointer(result))
    del kept
    return result


def packed(instruction, a, b, c=None):
    """Packed arithmetic on words of four lanes, by its PTX spelling."""
    words = [np.ascontiguousarray(word, np.uint32) for word in np.broadcast_arrays(*(x for x in (a, b, c) if x is not None))]
    d = np.empty(words[0].shape, np.uint32)
    _call("packed", instruction.encode(), ctypes.c_int64(d.size), _pointer(words[0]), _pointer(words[1]),
          _pointer(words[2]) if c is not None else None, _pointer(d))
    return d


def multiply(scale_format, codes, scales, *, dtype, profile="ocp"):
    """e2m1(codes) * scale(scales), element by element, rounded once to `dtype`."""
    codes, scales = np.broadcast_arrays(_codes(codes, 1, "codes"), _codes(scales, 1, "scales"))
    codes, scales = np.ascontiguousarray(codes), np.ascontiguousarray(scales)
    number, held = _dtype(dtype)
    out = np.empty(codes.shape, held)
    _call("multiply", Profile.of(profile), scale_format.encode(), number, ctypes.c_int64(codes.size),
          _pointer(codes), _pointer(scales), _pointer(out))
    return out


def _dtype(name):
    if name not in DTYPES:
        raise OracleError("wrong_dtype", f"dtype: expected one of {', '.join(DTYPES)}; got {name!r}")
    return DTYPES[name]


def _source(rows, what):
    """Rows of floats as an array and the number of their dtype: uint16 is bfloat16."""
    rows = np.asarray(rows)
    kinds = {"float32": _F32, "float16": _F16, "bfloat16": _BF16, "uint16": _BF16}
    if rows.dtype.name not in kinds:
        raise OracleError("wrong_dtype", f"{what}: expected float32, float16 or bfloat16 (or its codes as uint16), "
                                         f"got {rows.dtype}")
    return rows, kinds[rows.dtype.name]


def _quantize(scale_format, block, rows, profile):
    rows, number = _source(rows, "rows")
    if rows.ndim == 0 or rows.shape[-1] % block != 0:
        raise OracleError("wrong_shape", f"rows: expected a last axis of a multiple of {block}, got {list(rows.shape)}")
    rows = np.ascontiguousarray(rows)
    codes = np.empty((*rows.shape[:-1], rows.shape[-1] // 2), np.uint8)
    scales = np.empty((*rows.shape[:-1], rows.shape[-1] // block), np.uint8)
    _call("quantize", Profile.of(profile), scale_format, number, ctypes.c_int64(scales.size), ctypes.c_int64(block),
          _pointer(rows), _pointer(codes), _pointer(scales))
    return codes, scales


def quantize_nvfp4(rows, *, profile="ocp"):
    """(codes [..., n / 2], scales [..., n / 16]) of rows [..., n]: E4M3 scales by the profile's writer."""
    return _quantize(b"e4m3", 16, rows, profile)


def quantize_mxfp4(rows, *, profile="ocp"):
    """(codes [..., n / 2], scales [..., n / 32]) of rows [..., n]: E8M0 scales by the profile's writer."""
    return _quantize(b"e8m0", 32, rows, profile)


def qmul4(a, b, *, profile="ocp"):
    """d[i] = four lanes of e2m1 (uint16) times four of e4m3 (uint32), rounded to e4m3."""
    a, b = np.broadcast_arrays(_codes(a, 2, "a"), _codes(b, 4, "b"))
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    d = np.empty(a.shape, np.uint32)
    _call("qmul4", Profile.of(profile), ctypes.c_int64(a.size), _pointer(a), _pointer(b), _pointer(d))
    return d


def encode_e4m3(x, *, profile="ocp"):
    """float32 values rounded once to e4m3, as the profile has it."""
    x = np.asarray(x)
    if x.dtype != np.float32:
        raise OracleError("wrong_dtype", f"x: expected float32, got {x.dtype}")
    x = np.ascontiguousarray(x)
    d = np.empty(x.shape, np.uint8)
    _call("encode_e4m3", Profile.of(profile), ctypes.c_int64(x.size), _pointer(x), _pointer(d))
    return d


def _tensor(array, number, what):
    """A tensor struct over an array with any strides, and what must live with it."""
    size = array.dtype.itemsize
    if any(step % size for step in array.strides):
        raise OracleError("wrong_stride", f"{what}: expected strides of whole elements, got {array.strides} bytes")
    ends = [(extent - 1) * step for extent, step in zip(array.shape, array.strides)]
    empty = array.size == 0
    low = 0 if empty else sum(end for end in ends if end < 0)
    high = 0 if empty else sum(end for end in ends if end > 0) + size
    rank = array.ndim
    shape = (ctypes.c_int64 * max(rank, 1))(*array.shape)
    strides = (ctypes.c_int64 * max(rank, 1))(*(step // size for step in array.strides))
    return _Tensor(array.ctypes.data + low, high - low, -low, number, rank, shape, strides)


def _bytes(array, what):
    array = np.asarray(array)
    if array.dtype.itemsize != 1:
        raise OracleError("wrong_dtype", f"{what}: expected bytes (uint8), got {array.dtype}")
    return array


def _ids(array, dtype, what):
    array = np.asarray(array)
    if array.dtype != dtype:
        raise OracleError("wrong_dtype", f"{what}: expected {np.dtype(dtype)}, got {array.dtype}")
    return array


def _out(out, shape, dtype):
    number, held = _dtype(dtype)
    if out is None:
        return np.zeros(shape, held), number
    if out.dtype.itemsize != np.dtype(held).itemsize or not out.flags.writeable:
        raise OracleError("wrong_dtype", f"out: expected a writable array of {np.dtype(held)} for {dtype}, got {out.dtype}")
    return out, number


def _gather(function, pages, heads, block_table, num_pages, page_offsets, max_num_pages, out, dtype, profile):
    pages = _bytes(pages, "pages")
    block_table, num_pages, page_offsets = (
        _ids(array, np.int32, name) for array, name in
        ((block_table, "block_table"), (num_pages, "num_pages"), (page_offsets, "page_offsets")))
    if max_num_pages is None:
        max_num_pages = int(num_pages.max(initial=0))
    rows = int((num_pages.astype(np.int64) + page_offsets).max(initial=0))
    out, number = _out(out, (rows, *heads, 128, 128), dtype)
    arguments = _Gather(ctypes.sizeof(_Gather), _tensor(pages, _U8, "pages"), _tensor(block_table, _I32, "block_table"),
                        _tensor(num_pages, _I32, "num_pages"), _tensor(page_offsets, _I32, "page_offsets"),
                        max_num_pages, _tensor(out, number, "out"))
    _call(function, Profile.of(profile), ctypes.byref(arguments))
    return out


def nvfp4_gather_index_k(kv_cache, block_table, num_pages, page_offsets, max_num_pages=None, out=None, *, profile="ocp"):
    """kv_cache [num_blocks, 128, 72] gathered to out [pages, 128, 128] of E4M3 codes (docs/layouts.md)."""
    return _gather("nvfp4_gather_index_k", kv_cache, (), block_table, num_pages, page_offsets, max_num_pages, out,
                   "e4m3", profile)


def mxfp4_gather_pages(pages, block_table, num_pages, page_offsets, max_num_pages=None, out=None, *, dtype="f32",
                       profile="ocp"):
    """pages [num_blocks, (heads,) 8704] gathered to out [pages, (heads,) 128, 128] of `dtype`."""
    return _gather("mxfp4_gather_pages", pages, np.asarray(pages).shape[1:-1], block_table, num_pages, page_offsets,
                   max_num_pages, out, dtype, profile)


def mxfp4_decode_pages(pages, out=None, *, dtype="f32", profile="ocp"):
    """pages [..., 8704] decoded to [..., 128, 128] of `dtype`."""
    pages = _bytes(pages, "pages")
    out, number = _out(out, (*pages.shape[:-1], 128, 128), dtype)
    source, destination = _tensor(pages, _U8, "pages"), _tensor(out, number, "out")
    _call("mxfp4_decode_pages", Profile.of(profile), ctypes.byref(source), ctypes.byref(destination))
    return out


def _write(function, rows, slot_mapping, pages, name, profile):
    rows, number = _source(rows, "rows")
    pages = _bytes(pages, name)
    if not pages.flags.writeable:
        raise OracleError("invalid_argument", f"{name}: expected a writable array")
    source, slots, destination = (_tensor(rows, number, "rows"), _tensor(_ids(slot_mapping, np.int64, "slot_mapping"),
                                                                       _I64, "slot_mapping"), _tensor(pages, _U8, name))
    _call(function, Profile.of(profile), ctypes.byref(source), ctypes.byref(slots), ctypes.byref(destination))
    return pages


def nvfp4_write_index_k(rows, slot_mapping, kv_cache, *, profile="ocp"):
    """Quantizes rows [n, 128] into slots (page * 128 + token, -1: none) of kv_cache [blocks, 128, 72], in place."""
    return _write("nvfp4_write_index_k", rows, slot_mapping, kv_cache, "kv_cache", profile)


def mxfp4_write_pages(rows, slot_mapping, pages, *, profile="ocp"):
    """Quantizes rows [n, (heads,) 128] into slots of pages [blocks, (heads,) 8704], in place."""
    return _write("mxfp4_write_pages", rows, slot_mapping, pages, "pages", profile)
