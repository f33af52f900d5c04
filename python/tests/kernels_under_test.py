# SPDX-License-Identifier: Apache-2.0
"""Functions that the tests judge: NumPy and ml_dtypes, an arithmetic that the suite does not share."""
import ctypes
import os
import time

import ml_dtypes
import numpy as np


def e4m3(values):
    codes = np.clip(values, -448, 448).astype(ml_dtypes.float8_e4m3fn).view(np.uint8)
    return np.where(np.isnan(values), np.uint8(0x7F), codes)


def decode_page(page):
    """[128, 72] bytes to [128, 128] E4M3 codes."""
    flat = page.reshape(9216)
    packed = flat[:8192].reshape(128, 64)
    codes = np.stack([packed & 15, packed >> 4], axis=-1).reshape(128, 128).view(ml_dtypes.float4_e2m1fn)
    scales = flat[8192:].view(ml_dtypes.float8_e4m3fn).astype(np.float32).reshape(128, 8)
    with np.errstate(invalid="ignore"):
        return e4m3(codes.astype(np.float32) * np.repeat(scales, 16, axis=1))


def gather(kv_cache, block_table, num_pages, page_offsets, out):
    for request, count in enumerate(num_pages):
        for page in range(count):
            out[page_offsets[request] + page] = decode_page(kv_cache[block_table[request, page]])


def gather_without_negative_zero(kv_cache, block_table, num_pages, page_offsets, out):
    gather(kv_cache, block_table, num_pages, page_offsets, out)
    for request, count in enumerate(num_pages):
        pages = out[page_offsets[request]:page_offsets[request] + count]
        pages[pages == 0x80] = 0


def gather_beyond(kv_cache, block_table, num_pages, page_offsets, out):
    """Right, and then one byte behind the output."""
    gather(kv_cache, block_table, num_pages, page_offsets, out)
    ctypes.c_uint8.from_address(out.ctypes.data + out.nbytes).value ^= 0x41


def gather_into_input(kv_cache, block_table, num_pages, page_offsets, out):
    gather(kv_cache, block_table, num_pages, page_offsets, out)
    num_pages += 1


def gather_crashes(kv_cache, block_table, num_pages, page_offsets, out):
    ctypes.string_at(8)


def gather_hangs(kv_cache, block_table, num_pages, page_offsets, out):
    time.sleep(1000)


def gather_raises(kv_cache, block_table, num_pages, page_offsets, out):
    print("a line that is no answer")
    raise RuntimeError("no such layout")


def gather_misnamed(cache, out):
    pass


def leaves_all(x, d):
    pass


def encode_returned(x):
    """Functional: the output is what is returned."""
    with np.errstate(invalid="ignore"):
        return e4m3(x)


def encode_returned_too_short(x):
    return e4m3(x)[:-1]


def encode_exits(x):
    os._exit(7)
