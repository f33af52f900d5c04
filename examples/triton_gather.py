#!/usr/bin/env python3
"""Runs a Triton gather of NVFP4 index-K pages on golden files and asks fp4cts for the verdict.

    fp4cts vectors generate --set standard --seed 1 --out golden
    python3 examples/triton_gather.py golden/standard/nvfp4_gather_index_k answers --fp4cts fp4cts
    python3 examples/triton_gather.py golden/standard/nvfp4_gather_index_k answers --fp4cts fp4cts --fault neg

GOLDEN is a file or a folder of files of nvfp4_gather_index_k; ANSWERS is what is written, of the same
kind. With --fp4cts the exit code is that of `fp4cts check`. --fault neg negates by a unary minus,
which Triton compiles to 0 - x: right for every number but zero, whose sign is lost.

Needs torch, triton, safetensors and a GPU of compute capability 8.9 or newer.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import torch
import triton
import triton.language as tl
from safetensors import safe_open
from safetensors.torch import save_file


@triton.jit
def magnitude_of(code):
    """The f32 magnitude of an E2M1 code: 0 .5 1 1.5 2 3 4 6."""
    exponent = (code >> 1) & 3
    mantissa = code & 1
    normal = ((exponent + 126) << 23) | (mantissa << 22)
    half = mantissa * 0x3F000000
    return tl.where(exponent == 0, half, normal).to(tl.float32, bitcast=True)


@triton.jit
def element_of(code, UNARY_MINUS: tl.constexpr):
    """The f32 value of an E2M1 code, bit 3 its sign."""
    magnitude = magnitude_of(code)
    if UNARY_MINUS:
        return tl.where((code & 8) != 0, -magnitude, magnitude)
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
                  page_offsets, out, out_origin, UNARY_MINUS: tl.constexpr):
    request = tl.program_id(0)
    page = tl.program_id(1)
    if page < tl.load(num_pages + request):
        # 64 bits: byte 2^31 falls in page 233,016 of a dense pool.
        page_id = tl.load(block_table + request.to(tl.int64) * table_stride + page).to(tl.int64)
        base = kv_cache + (kv_origin + page_id * page_stride)
        token = tl.arange(0, 128)[:, None]
        byte = tl.arange(0, 64)[None, :]
        packed = tl.load(base + token * 64 + byte).to(tl.int32)
        scale = tl.load(base + 8192 + token * 8 + byte // 8)
        scale = scale.to(tl.float8e4nv, bitcast=True).to(tl.float32)
        even = e4m3_of(element_of(packed & 15, UNARY_MINUS) * scale)
        odd = e4m3_of(element_of(packed >> 4, UNARY_MINUS) * scale)
        first = out_origin + (tl.load(page_offsets + request) + page).to(tl.int64) * 16384
        tl.store(out + first + token * 128 + tl.arange(0, 128)[None, :], tl.interleave(even, odd))


def run(golden, answer, fault):
    """Answers one golden file. The output's storage holds its fill before the call."""
    with safe_open(golden, "pt", device="cuda") as file:
        metadata = file.metadata()
        if metadata["operation"] != "nvfp4_gather_index_k":
            raise SystemExit(f"{golden}: expected nvfp4_gather_index_k, got {metadata['operation']}")
        about = {tensor["name"]: tensor for tensor in json.loads(metadata["tensors"])}
        storage = {name: file.get_tensor(name) for name in about}
    # Where element [0, ..., 0] lies: before the storage for a pool that begins at a large page id.
    kv_cache, table, out = about["kv_cache"], about["block_table"], about["out"]
    requests = about["num_pages"]["shape"][0]
    max_num_pages = json.loads(metadata["scalars"])["max_num_pages"]
    if requests > 0 and max_num_pages > 0:
        gather_kernel[(requests, max_num_pages)](
            storage["kv_cache"], kv_cache["origin_bytes"], kv_cache["strides"][0],
            storage["block_table"], table["strides"][0], storage["num_pages"],
            storage["page_offsets"], storage["out"].view(torch.uint8), out["origin_bytes"],
            UNARY_MINUS=(fault == "neg"), num_warps=4)
    torch.cuda.synchronize()
    answer.parent.mkdir(parents=True, exist_ok=True)
    save_file({"out": storage["out"].cpu()}, answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("golden", type=pathlib.Path)
    parser.add_argument("answers", type=pathlib.Path)
    parser.add_argument("--fault", choices=["neg"])
    parser.add_argument("--fp4cts", help="the suite's binary, to check the answers with")
    options = parser.parse_args()

    if options.golden.is_dir():
        pairs = [(path, options.answers / path.relative_to(options.golden))
                 for path in sorted(options.golden.rglob("*.safetensors"))]
    else:
        pairs = [(options.golden, options.answers)]
    if not pairs:
        raise SystemExit(f"{options.golden}: no golden files")
    for golden, answer in pairs:
        run(golden, answer, options.fault)
    print(f"{len(pairs)} files answered on {torch.cuda.get_device_name()}, "
          f"torch {torch.__version__}, triton {triton.__version__}", file=sys.stderr)
    if options.fp4cts is None:
        return 0
    return subprocess.call([options.fp4cts, "check", options.golden, options.answers])


if __name__ == "__main__":
    sys.exit(main())
