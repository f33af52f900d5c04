# SPDX-License-Identifier: Apache-2.0
"""A Triton gather of NVFP4 index-K pages: one program for each (request, logical page).

Run by triton_gather.py, and compiled to a module file by dut/module/triton_module.py.
"""
import triton
import triton.language as tl


@triton.jit
def magnitude_of(code):
    """The f32 magnitude of an E2M1 code: 0 .5 1 1.5 2 3 4 6."""
    exponent = (code >> 1) & 3
    mantissa = code & 1
    normal = ((exponent + 126) << 23) | (mantissa << 22)
    half = mantissa * 0x3F000000
    return tl.where(exponent == 0, half, normal).to(tl.float32, bitcast=True)


@triton.jit
def element_of(code, ZERO_MINUS: tl.constexpr):
    """The f32 value of an E2M1 code, bit 3 its sign."""
    magnitude = magnitude_of(code)
    if ZERO_MINUS:
        return tl.where((code & 8) != 0, 0.0 - magnitude, magnitude)
    sign = (code & 8) << 28
    return (magnitude.to(tl.int32, bitcast=True) | sign).to(tl.float32, bitcast=True)


@triton.jit
def e4m3_of(value):
    """f32 to E4M3 bits: to nearest even, saturating; a NaN stays a NaN."""
    limited = tl.minimum(value, 448.0, propagate_nan=tl.PropagateNan.ALL)
    limited = tl.maximum(limited, -448.0, propagate_nan=tl.PropagateNan.ALL)
    return limited.to(tl.float8e4nv).to(tl.uint8, bitcast=True)


@triton.jit
def gather_kernel(kv_cache, kv_origin, page_stride, block_table, table_stride, num_pages,
                  page_offsets, max_num_pages, out, out_origin, ZERO_MINUS: tl.constexpr):
    # All along one axis: a grid ends at 65,535 along the others.
    request = tl.program_id(0) // max_num_pages
    page = tl.program_id(0) % max_num_pages
    if page < tl.load(num_pages + request):
        # 64 bits: byte 2^31 falls in page 233,016 of a dense pool.
        page_id = tl.load(block_table + request.to(tl.int64) * table_stride + page).to(tl.int64)
        base = kv_cache + (kv_origin + page_id * page_stride)
        token = tl.arange(0, 128)[:, None]
        byte = tl.arange(0, 64)[None, :]
        packed = tl.load(base + token * 64 + byte).to(tl.int32)
        scale = tl.load(base + 8192 + token * 8 + byte // 8)
        scale = scale.to(tl.float8e4nv, bitcast=True).to(tl.float32)
        even = e4m3_of(element_of(packed & 15, ZERO_MINUS) * scale)
        odd = e4m3_of(element_of(packed >> 4, ZERO_MINUS) * scale)
        first = out_origin + (tl.load(page_offsets + request) + page).to(tl.int64) * 16384
        tl.store(out + first + token * 128 + tl.arange(0, 128)[None, :], tl.interleave(even, odd))
