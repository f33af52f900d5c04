# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line share: a folder to work in, fake_fp4cts, whose implementations misbehave by
name, and the schemas that its answers must be valid under.

A test file ends in `fake_suite.main()`; usage: TEST FAKE_FP4CTS PROJECT_FOLDER [TEST_NAME...]
"""
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema  # Debian's python3-jsonschema

FAKE = None
PROJECT = None
SCHEDULERS = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "FP4CTS_SHARD_COUNT", "NO_COLOR")
TIMES = ("seconds", "started", "finished")
FULL = ("--level", "full", "--device", "cpu")


@functools.cache
def schema(name):
    document = json.loads((PROJECT / "harness" / "schema" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def clean_environment(**more):
    """That of this process without a scheduler's words."""
    return {**{k: v for k, v in os.environ.items() if k not in SCHEDULERS}, **more}


def without(names, value):
    if isinstance(value, dict):
        return {k: without(names, v) for k, v in value.items() if k not in names}
    if isinstance(value, list):
        return [without(names, item) for item in value]
    return value


def without_times(value):
    return without(TIMES, value)


def without_times_and_places(value):
    """What two runs of one plan have alike, wherever they ran."""
    return without((*TIMES, "environment", "gigabytes_per_second"), value)


def manifest():
    return "--manifest", str(PROJECT / "vectors" / "data" / "MANIFEST.json")


class FakeSuiteTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, expect, env=None):
        """`expect` is an exit code, or the several that are right."""
        done = subprocess.run([FAKE, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=self.folder, env=clean_environment(**(env or {})))
        self.assertIn(done.returncode, expect if isinstance(expect, tuple) else (expect,),
                      done.stdout + done.stderr)
        return done

    def validated(self, lines):
        records = [json.loads(line) for line in lines]
        for record in records:
            schema("results").validate(record)
        return records


class RunTest(FakeSuiteTest):
    """Runs whose results are on stdout, or nowhere."""

    def run_suite(self, *arguments, expect, env=None):
        return self.call("run", "--quiet", "--no-report", *arguments, expect=expect, env=env)

    def records(self, path):
        return self.validated(path.read_text().splitlines())


class GateTest(FakeSuiteTest):
    """Results in folders, and what is made of them."""

    def run_suite(self, name, *arguments, expect):
        return self.call("run", "--quiet", *arguments, "--report", name, expect=expect)

    def path(self, name):
        return self.folder / name / "results.jsonl"

    def records(self, name):
        return self.validated(self.path(name).read_text().splitlines())

    def edit(self, name, change):
        """Rewrites a results file; `change` gets the list of records and alters it."""
        records = self.records(name)
        change(records)
        self.path(name).write_text("".join(json.dumps(r) + "\n" for r in records))

    def waivers(self, **members):
        waiver = {"cases": ["doubling/*"], "path": "writes_nothing", "expires": "2999-12-31",
                  "tracker": "https://tracker.example/1", "owner": "somebody", "comment": "known"}
        document = {"schema": 1, "waivers": [{**waiver, **members}]}
        schema("waivers").validate(document)
        (self.folder / "waivers.json").write_text(json.dumps(document))
        return ("--waivers", "waivers.json")


def main():
    module = sys.modules["fake_suite"]  # which the test file has, whoever was started
    module.FAKE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    module.PROJECT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(module="__main__", verbosity=2)
