# SPDX-License-Identifier: Apache-2.0
"""The schema of module maps: it takes the example, which stands in the documentation as it is, and
refuses what the suite refuses.

usage: module_schema_test.py SCHEMA MAP PAGE
"""
import copy
import json
import pathlib
import sys

import jsonschema

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
example = json.loads(pathlib.Path(sys.argv[2]).read_text())
validator.validate(example)
assert f"```json\n{pathlib.Path(sys.argv[2]).read_text()}```" in pathlib.Path(sys.argv[3]).read_text()


def with_parameter(parameter):
    changed = copy.deepcopy(example)
    changed["parameters"][1] = parameter
    return changed


for key in example:
    without = copy.deepcopy(example)
    del without[key]
    assert not validator.is_valid(without), key
for change in ({"schema": 2}, {"moduel": "x"}, {"entry": ""}, {"operation": 7}, {"threads": 0},
               {"threads": [1, 1, 65]}, {"threads": [1, 1, 1, 1]}, {"grid": []}, {"grid": "pages"},
               {"grid": [{"size": ["block_table", 0], "type": "i32"}]},
               {"grid": [{"product": [2, {"stride": ["out", 0]}]}]}, {"shared_bytes": -1},
               {"parameters": []}):
    assert not validator.is_valid({**example, **change}), change
size = {"size": ["block_table", 0], "type": "i32"}
for parameter in (size, {**size, "divide_up": 4}, {**size, "rank": 3, "otherwise": 1},
                  {"constant": 7, "type": "u64"}, {"scalar": "max_num_pages", "type": "u32"},
                  {"dtype": "out", "values": {"F32": 1}, "type": "i32"},
                  {"product": [{"size": ["block_table", 0]}, 2], "type": "i64"}):
    validator.validate(with_parameter(parameter))
for parameter in ({"tensor": "kv_cache", "type": "i64"}, {"constant": 1}, {**size, "type": "int"},
                  {"stride": ["kv_cache", 0], "type": "i64"},
                  {"stride": ["kv_cache", 0], "unit": "rows", "type": "i64"},
                  {"size": ["kv_cache", -1], "type": "i64"}, {**size, "scalar": "max_num_pages"},
                  {**size, "otherwise": 1}, {**size, "rank": 3}, {**size, "divide_up": 0},
                  {**size, "unit": "bytes"}, {"type": "i32"}, {"product": [size], "type": "i64"},
                  {"constant": 1, "type": "i32", "rank": 1, "otherwise": 0},
                  {"dtype": "out", "values": {"FP8": 0}, "type": "i32"}):
    assert not validator.is_valid(with_parameter(parameter)), parameter
