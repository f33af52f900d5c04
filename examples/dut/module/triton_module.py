#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a Triton kernel to a module file and writes the map with which fp4cts launches it.

    python3 triton_module.py --capability 90 --out .
    fp4cts run --device cuda:0 --dut-module triton_gather.json
    fp4cts run --device ptx --dut-module triton_gather_ptx.json

The second executes the PTX text without a GPU (docs/ptx.md). Compiling needs triton and no GPU. The signature gives every pointer and integer its type and no
divisibility, so that the kernel may be given any address and stride. --fault neg compiles the kernel
that loses the sign of zero (triton_gather.py).
"""
import argparse
import json
import pathlib
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from triton_gather_kernel import gather_kernel

# Of each parameter the type for Triton, and for the map where its value comes from. The tensors'
# pointers are those of element [0, ..., 0] already: the origins are 0.
ZERO = {"constant": 0, "type": "i64"}
PARAMETERS = {
    "kv_cache": ("*u8", {"tensor": "kv_cache"}),
    "kv_origin": ("i64", ZERO),
    "page_stride": ("i64", {"stride": ["kv_cache", 0], "unit": "bytes", "type": "i64"}),
    "block_table": ("*i32", {"tensor": "block_table"}),
    "table_stride": ("i32", {"stride": ["block_table", 0], "unit": "elements", "type": "i32"}),
    "num_pages": ("*i32", {"tensor": "num_pages"}),
    "page_offsets": ("*i32", {"tensor": "page_offsets"}),
    "max_num_pages": ("i32", {"scalar": "max_num_pages", "type": "i32"}),
    "out": ("*u8", {"tensor": "out"}),
    "out_origin": ("i64", ZERO),
}
# Triton adds two pointers to scratch memory behind them.
SCRATCH = [{"constant": 0, "type": "u64"}] * 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--capability", type=int, default=90, help="compute capability, 90 for 9.0")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--fault", choices=["neg"])
    options = parser.parse_args()

    signature = {name: kind for name, (kind, _) in PARAMETERS.items()}
    source = ASTSource(fn=gather_kernel, signature={**signature, "ZERO_MINUS": "constexpr"},
                       constexprs={"ZERO_MINUS": options.fault == "neg"})
    kernel = triton.compile(source, target=GPUTarget("cuda", options.capability, 32),
                            options={"num_warps": 4})
    about = kernel.metadata
    if about.global_scratch_size or about.profile_scratch_size:
        raise SystemExit("the kernel needs scratch memory, which a module file cannot be given")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "triton_gather.cubin").write_bytes(kernel.asm["cubin"])
    (options.out / "triton_gather.ptx").write_text(kernel.asm["ptx"])
    write_map(options.out / "triton_gather.json", "triton_gather.cubin", about)
    write_map(options.out / "triton_gather_ptx.json", "triton_gather.ptx", about)


def write_map(path, module, about):
    path.write_text(json.dumps({
        "schema": 1,
        "module": module,
        "operation": "nvfp4_gather_index_k",
        "name": "triton",
        "profile": "ocp",
        "entry": about.name,
        "threads": 32 * about.num_warps,
        "grid": [{"product": [{"size": ["block_table", 0]}, {"scalar": "max_num_pages"}]}],
        "shared_bytes": about.shared,
        "parameters": [place for _, place in PARAMETERS.values()] + SCRATCH,
    }, indent=2) + "\n")
    print(path)


if __name__ == "__main__":
    main()
