# SPDX-License-Identifier: Apache-2.0
"""fp4cts fuzz as a person or a script meets it: exit codes, words, saved failures, JSON. On
fake_fp4cts, whose implementations misbehave by name.

usage: fuzz_cli_test.py FAKE_FP4CTS SCHEMA_FOLDER
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema  # Debian's python3-jsonschema

FAKE = None
SCHEMAS = None


def schema(name):
    return jsonschema.Draft202012Validator(json.loads((SCHEMAS / name).read_text()))


class FuzzCliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-fuzz-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def fuzz(self, *arguments, expect, path="right", cases=20):
        limits = ["--cases", str(cases)] if cases else []
        done = subprocess.run([FAKE, "fuzz", "--path", path, "--seed", "5", *limits, *arguments],
                              capture_output=True, text=True, timeout=120, cwd=self.folder)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def last_word(self, done):
        return done.stdout.splitlines()[-1]

    def saved(self):
        return sorted(self.folder.glob("fuzz-failures/doubling/saved_*.safetensors"))

    def test_finds_nothing_in_the_right_one(self):
        done = self.fuzz(expect=0)
        self.assertEqual(self.last_word(done), "NO FAILURE FOUND")
        self.assertRegex(done.stdout, r"20 random cases, 20 judged in .* cases/s, .*--seed 5\n")
        self.assertIn("doubling: not hit: calls/3", done.stdout)
        self.assertEqual(self.saved(), [])

    def test_each_misbehaviour_has_its_exit_code(self):
        expected = {1: ["writes_nothing", "writes_outside", "changes_input", "answers_differently"],
                    3: ["fails", "crashes", "garbage", "wrong_size"]}
        for code, paths in expected.items():
            for path in paths:
                with self.subTest(path):
                    done = self.fuzz(path=path, expect=code, cases=3)
                    self.assertEqual(self.last_word(done), {1: "MISMATCH", 3: "ERROR"}[code])

    def test_hang_is_an_error_and_is_given_up(self):
        done = self.fuzz("--timeout", "0.2", "--shrink-time", "0", path="hangs", cases=2, expect=3)
        self.assertIn("no answer within 0.2 s", done.stdout)

    def test_failure_is_small_saved_and_replayed(self):
        done = self.fuzz(path="writes_nothing", expect=1)
        self.assertEqual(done.stdout.count("saved as:"), 1, "one kind of failure")
        self.assertIn('"bytes":1', done.stdout)
        self.assertEqual(len(self.saved()), 1)
        reproduce = re.search(r"reproduce: fp4cts (.*)", done.stdout).group(1).split()
        again = subprocess.run([FAKE, *reproduce], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(again.returncode, 1, again.stdout)
        self.assertIn("saved failures: 1 replayed, 1 still fail", again.stdout)
        self.assertIn("0 random cases", again.stdout)
        # The next run has it first, and it passes where nothing is wrong.
        done = self.fuzz(path="right", expect=0, cases=1)
        self.assertIn("saved failures: 1 replayed, 0 still fail", done.stdout)

    def test_no_save_leaves_nothing(self):
        done = self.fuzz("--no-save", path="writes_nothing", expect=1, cases=2)
        self.assertNotIn("saved as:", done.stdout)
        self.assertFalse((self.folder / "fuzz-failures").exists())

    def test_broken_saved_failure_is_bad_input(self):
        self.fuzz(path="writes_nothing", expect=1, cases=2)
        path = self.saved()[0]
        path.write_bytes(path.read_bytes()[:-1])
        self.assertIn(path.name, self.fuzz(expect=2).stderr)

    def test_same_seed_same_result(self):
        def counts():
            done = self.fuzz("--json", "--no-save", path="answers_differently", expect=1)
            summary = json.loads(done.stdout.splitlines()[-1])
            del summary["seconds"]
            return summary
        self.assertEqual(counts(), counts())

    def test_json_is_valid(self):
        done = self.fuzz("--json", path="writes_nothing", expect=1)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        for line in lines:
            schema("fuzz.schema.json").validate(line)
        self.assertEqual([line["record"] for line in lines], ["failure", "summary"])
        self.assertEqual(lines[0]["case"]["verdict"], "mismatch")
        self.assertEqual(lines[1]["verdict"], "MISMATCH")
        self.assertEqual(lines[1]["seed"], 5)

    def test_nothing_to_run_is_incomplete(self):
        done = self.fuzz(path="qmul4", expect=4)  # known, and not available
        self.assertEqual(self.last_word(done), "INCOMPLETE")
        self.assertIn("not run:", done.stdout)

    def test_bad_usage_names_what_is_wrong(self):
        self.assertIn("no path is named 'nothing'", self.fuzz(path="nothing", expect=2).stderr)
        self.assertIn("--time", self.fuzz("--time", "soon", expect=2).stderr)
        self.assertIn("no_such_file", self.fuzz("--replay", "no_such_file", expect=2).stderr)
        self.assertIn("no_such_profile",
                      self.fuzz("--profile", "no_such_profile", expect=2).stderr)

    def test_time_ends_it(self):
        start = time.monotonic()
        self.fuzz("--time", "1s", cases=0, expect=0)
        self.assertLess(time.monotonic() - start, 60)

    def test_interrupt_ends_it_in_good_order(self):
        process = subprocess.Popen([FAKE, "fuzz", "--path", "right", "--time", "1h", "--seed", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder)
        self.addCleanup(process.kill)
        process.stderr.readline()  # it has begun
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, out)
        self.assertEqual(out.splitlines()[-1], "INCOMPLETE")


if __name__ == "__main__":
    FAKE = str(pathlib.Path(sys.argv[1]).resolve())
    SCHEMAS = pathlib.Path(sys.argv[2])
    os.environ.pop("NO_COLOR", None)
    unittest.main(argv=sys.argv[:1], verbosity=1)
