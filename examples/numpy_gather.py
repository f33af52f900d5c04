#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A gather of NVFP4 index-K pages by NumPy and ml_dtypes: one more witness, and a template.

    fp4cts vectors generate --set smoke --seed 1 --out golden
    python3 examples/numpy_gather.py golden/smoke/nvfp4_gather_index_k answers
    fp4cts check golden/smoke/nvfp4_gather_index_k answers

--fault neg negates as 0 - x, which loses the sign of zero: `check` names it. Needs numpy, ml_dtypes
and safetensors.
"""
import argparse
import json
import pathlib
import sys

import ml_dtypes
import numpy as np
import safetensors
from safetensors.numpy import save_file

# NumPy has no name for E4M3: its bytes are read as they are.
DTYPES = {"U8": np.uint8, "I32": np.int32, "F8_E4M3": np.uint8}


def read(path):
    """Metadata of a problem file, what it says of each tensor, and their storages."""
    with safetensors.safe_open(path, "np") as file:
        metadata = file.metadata()
    about = {tensor["name"]: tensor for tensor in json.loads(metadata["tensors"])}
    storages = {name: np.frombuffer(tensor["data"], DTYPES[tensor["dtype"]]).copy()
                for name, tensor in safetensors.deserialize(path.read_bytes())}
    return metadata, about, storages


def elements(codes, fault):
    """f32 values of E2M1 codes, one code a byte."""
    if fault == "neg":
        magnitudes = (codes & 7).view(ml_dtypes.float4_e2m1fn).astype(np.float32)
        return np.where(codes & 8, np.float32(0) - magnitudes, magnitudes)
    return codes.view(ml_dtypes.float4_e2m1fn).astype(np.float32)


def e4m3(values):
    """E4M3 codes: to nearest even, saturating at 448, NaN is 7f."""
    codes = np.clip(values, -448, 448).astype(ml_dtypes.float8_e4m3fn).view(np.uint8)
    return np.where(np.isnan(values), np.uint8(0x7F), codes)


def decode(page, fault):
    """9216 bytes of a page to [128, 128] E4M3 codes."""
    packed = page[:8192].reshape(128, 64)
    codes = np.stack([packed & 15, packed >> 4], axis=-1).reshape(128, 128)
    scales = page[8192:].view(ml_dtypes.float8_e4m3fn).astype(np.float32).reshape(128, 8)
    return e4m3(elements(codes, fault) * np.repeat(scales, 16, axis=1))


def gather(about, storages, fault):
    """Fills the output's storage, which holds its fill, and touches nothing else of it."""
    kv_cache, table, out = about["kv_cache"], about["block_table"], about["out"]
    for request, count in enumerate(storages["num_pages"]):
        for page in range(count):
            page_id = int(storages["block_table"][request * table["strides"][0] + page])
            # The origin lies before the storage for a pool that begins at a large page id.
            first = kv_cache["origin_bytes"] + page_id * kv_cache["strides"][0]
            to = out["origin_bytes"] + (int(storages["page_offsets"][request]) + page) * 16384
            decoded = decode(storages["kv_cache"][first:first + 9216], fault)
            storages["out"][to:to + 16384] = decoded.reshape(16384)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("golden", type=pathlib.Path, help="a file, or a folder of files")
    parser.add_argument("answers", type=pathlib.Path, help="what is written, of the same kind")
    parser.add_argument("--fault", choices=["neg"])
    options = parser.parse_args()

    pairs = [(options.golden, options.answers)]
    if options.golden.is_dir():
        pairs = [(path, options.answers / path.relative_to(options.golden))
                 for path in sorted(options.golden.rglob("*.safetensors"))]
    if not pairs:
        raise SystemExit(f"{options.golden}: no golden files")
    with np.errstate(invalid="ignore"):  # NaN scales are part of the cases
        for golden, answer in pairs:
            metadata, about, storages = read(golden)
            if metadata["operation"] != "nvfp4_gather_index_k":
                raise SystemExit(f"{golden}: expected nvfp4_gather_index_k, "
                                 f"got {metadata['operation']}")
            gather(about, storages, options.fault)
            answer.parent.mkdir(parents=True, exist_ok=True)
            save_file({"out": storages["out"]}, answer)
    print(f"{len(pairs)} files answered")
    return 0


if __name__ == "__main__":
    sys.exit(main())
