# SPDX-License-Identifier: Apache-2.0
"""The shipped profiles against their schema, and files that it must refuse."""
import copy
import json
import pathlib
import sys

import jsonschema

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
files = sorted(pathlib.Path(sys.argv[2]).glob("*.json"))
assert [file.stem for file in files] == [
    "aiter", "aiter_dsv4", "ceil", "cuda", "deepgemm", "even", "fnuz", "generic_nvfp4", "ocp", "ocp_floor", "shift23", "vllm_m3"], files
for file in files:
    profile = json.loads(file.read_text())
    validator.validate(profile)
    for key in profile:
        if key == "comment":
            continue
        without = copy.deepcopy(profile)
        del without[key]
        assert not validator.is_valid(without), f"{file.name} without {key}"
    assert not validator.is_valid({**profile, "e8m0_01": "zero"})
    assert not validator.is_valid({**profile, "e8m0_00": "one"})
    assert not validator.is_valid({**profile, "fp4cts_profile": 2})
small = {"fp4cts_profile": 1, "name": "mine", "version": 1, "extends": "ocp", "e8m0_00": "zero"}
validator.validate(small)
assert not validator.is_valid({**small, "extends": "mine"})
