#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a Triton gather of NVFP4 index-K pages on golden files and asks fp4cts for the verdict.

    fp4cts vectors generate --set standard --seed 1 --out golden
    python3 examples/triton_gather.py golden/standard/nvfp4_gather_index_k answers --fp4cts fp4cts
    python3 examples/triton_gather.py golden/standard/nvfp4_gather_index_k answers --fp4cts fp4cts --fault neg

GOLDEN is a file or a folder of files of nvfp4_gather_index_k; ANSWERS is what is written, of the same
kind. With --fp4cts the exit code is that of `fp4cts check`. --fault neg negates as 0 - x, which is
right for every number but zero, whose sign is lost. (Some versions of Triton compile a unary minus to
that; 3.9 has an instruction for it.)

Needs torch, triton, safetensors and a GPU of compute capability 8.9 or newer.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import torch
import triton
from safetensors import safe_open
from safetensors.torch import save_file

from triton_gather_kernel import gather_kernel


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
        gather_kernel[(requests * max_num_pages,)](
            storage["kv_cache"], kv_cache["origin_bytes"], kv_cache["strides"][0],
            storage["block_table"], table["strides"][0], storage["num_pages"],
            storage["page_offsets"], max_num_pages, storage["out"].view(torch.uint8), out["origin_bytes"],
            ZERO_MINUS=(fault == "neg"), num_warps=4)
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
