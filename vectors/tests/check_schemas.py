#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates the committed JSON of vectors/ after its JSON Schemas, and the schemas themselves.

Also proves that the schemas refuse: each document with one member renamed, removed or of another
type must not validate. Needs python3-jsonschema.
"""
import copy
import json
import pathlib
import sys

import jsonschema

vectors = pathlib.Path(__file__).resolve().parent.parent


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def validator(name):
    schema = load(vectors / "schema" / f"{name}.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def walk(value, path=()):
    """The paths of all members of objects in a JSON value."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield path + (key,)
            yield from walk(member, path + (key,))
    elif isinstance(value, list) and value:
        yield from walk(value[0], path + (0,))


def damaged(document, path):
    """Copies of the document in which the member at `path` is gone, renamed, or of another type."""
    for change in ("remove", "rename", "retype"):
        copied = copy.deepcopy(document)
        parent = copied
        for key in path[:-1]:
            parent = parent[key]
        value = parent.pop(path[-1])
        if change == "rename":
            parent["RENAMED!"] = value
        if change == "retype":
            parent[path[-1]] = None
        yield change, copied


def check(schema, path, free):
    """Validates one document, and that damage is refused everywhere but under `free`."""
    document = load(path)
    errors = [f"{path.name}: {error.json_path}: {error.message}"
              for error in schema.iter_errors(document)]
    refused = 0
    for member in walk(document):
        for change, copied in damaged(document, member):
            # A flag's explanation may go or have another name: the loader sees whether it is used.
            if member[:1] == (free,) and len(member) == 2 and change != "retype":
                continue
            # Only one rounding has random bits.
            if member[-1] == "random_bits" and change == "remove":
                continue
            if schema.is_valid(copied):
                errors.append(f"{path.name}: {member}: {change} is not refused")
            refused += 1
    if refused == 0:
        errors.append(f"{path.name}: nothing was tried")
    return errors


def main():
    errors = check(validator("manifest"), vectors / "data" / "MANIFEST.json", None)
    curated = validator("curated")
    files = sorted((vectors / "data" / "curated").glob("*.json"))
    for path in files:
        errors += check(curated, path, "flags")
    if len(files) < 11:
        errors.append(f"data/curated: expected at least 11 files, got {len(files)}")
    print("\n".join(errors) if errors else f"schemas: {len(files) + 1} documents ok")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
