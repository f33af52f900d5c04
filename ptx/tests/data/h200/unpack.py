#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unpack.py OPS.json.gz OUTPUTS.json.gz FILE: writes, for each form, its entry, its name, its inputs and outputs.

All little-endian: lengths of entry and name (u32 each), both texts, the number of rows (u32), four u64 of input
for each row, then one u64 of output for each.
"""
import gzip
import json
import struct
import sys


def main():
    with gzip.open(sys.argv[1]) as ops, gzip.open(sys.argv[2]) as outputs, open(sys.argv[3], "wb") as file:
        answers = json.load(outputs)["outputs"]
        for form in json.load(ops):
            entry, name, rows = form["entry"].encode(), form["name"].encode(), form["inputs"]
            assert len(answers[form["entry"]]) == len(rows), form["entry"]
            file.write(struct.pack("<II", len(entry), len(name)) + entry + name + struct.pack("<I", len(rows)))
            for row in rows:
                file.write(struct.pack("<4Q", *[word % 2**64 for word in (row + [0, 0, 0, 0])[:4]]))
            file.write(struct.pack(f"<{len(rows)}Q", *answers[form["entry"]]))


main()
