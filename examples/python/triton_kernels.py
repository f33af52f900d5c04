# SPDX-License-Identifier: Apache-2.0
"""Functions on torch tensors for fp4cts.check(..., device="cuda"): a Triton gather, its faulty twin, one
that writes behind its output, and a decode by torch's own operations.

    python3 -c 'import fp4cts, triton_kernels as k; print(fp4cts.check(k.gather, "nvfp4_gather_index_k", device="cuda"))'
"""
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from triton_gather_kernel import gather_kernel  # noqa: E402


def launch(kv_cache, block_table, num_pages, page_offsets, max_num_pages, out, zero_minus):
    if len(num_pages) > 0 and max_num_pages > 0:
        gather_kernel[(len(num_pages) * max_num_pages,)](
            kv_cache, 0, kv_cache.stride(0), block_table, block_table.stride(0), num_pages, page_offsets,
            max_num_pages, out.view(torch.uint8), 0, ZERO_MINUS=zero_minus, num_warps=4)


def gather(kv_cache, block_table, num_pages, page_offsets, max_num_pages, out):
    launch(kv_cache, block_table, num_pages, page_offsets, max_num_pages, out, False)


def gather_zero_minus(kv_cache, block_table, num_pages, page_offsets, max_num_pages, out):
    """Negates as 0 - x, to which some versions of Triton compile -x: it loses the sign of zero."""
    launch(kv_cache, block_table, num_pages, page_offsets, max_num_pages, out, True)


def gather_past_the_table(kv_cache, block_table, num_pages, page_offsets, max_num_pages, out):
    """Takes every request for as long as the longest: follows entries that must not be followed."""
    launch(kv_cache, block_table, torch.full_like(num_pages, max_num_pages), page_offsets, max_num_pages, out, False)


def decode_mxfp4(pages, out):
    """MXFP4 pages by torch: exact in f64, one rounding."""
    table = torch.tensor([0, .5, 1, 1.5, 2, 3, 4, 6], dtype=torch.float64, device=pages.device)
    codes = torch.stack([pages[..., :8192] & 15, pages[..., :8192] >> 4], -1).reshape(*pages.shape[:-1], 128, 128)
    values = table[(codes & 7).long()]
    values = torch.where(codes >= 8, torch.copysign(values, torch.tensor(-1.0, dtype=values.dtype)), values)
    scales = pages[..., 8192:].reshape(*pages.shape[:-1], 128, 4).repeat_interleave(32, -1)
    power = torch.ldexp(torch.ones_like(values), scales.to(torch.int32) - 127)
    product = torch.where(scales == 255, torch.full_like(values, float("nan")), values * power)
    if out.dtype == torch.float8_e4m3fn:
        codes = product.clamp(-448, 448).to(torch.float32).to(torch.float8_e4m3fn).view(torch.uint8)
        out.view(torch.uint8).copy_(torch.where(product.isnan(), torch.full_like(codes, 0x7F), codes))
        return
    nan = {torch.float32: 0x7FC00000, torch.bfloat16: 0x7FC0, torch.float16: 0x7E00}[out.dtype]
    integers = torch.int32 if out.dtype == torch.float32 else torch.int16
    bits = product.to(out.dtype).view(integers)
    out.view(integers).copy_(torch.where(product.isnan(), torch.full_like(bits, nan), bits))
