# SPDX-License-Identifier: Apache-2.0
"""Statements and their verification, as a person or a script meets them."""
import json

import fake_suite
from fake_suite import FULL, GateTest, manifest, schema


class StatementTest(GateTest):
    def conforming(self):
        self.run_suite("out", *FULL, "--path", "right", expect=0)
        # A tree that is being worked on: as its commit would have made it.
        self.edit("out", lambda records: records[0]["suite"].update(
            commit=records[0]["suite"]["commit"].removesuffix("-dirty")))

    def test_make_and_verify(self):
        self.conforming()
        self.call("statement", "--results", "out", *manifest(), "--out", "s.tar", expect=0)
        done = self.call("statement", "verify", "s.tar", expect=0)
        self.assertIn("level full, profile ocp: CONFORMS on cpu. Judged: doubling (right) on cpu.", done.stdout)
        statement = json.loads(self.call("statement", "verify", "s.tar", "--json", expect=0).stdout)
        schema("statement").validate(statement)
        first = (self.folder / "s.tar").read_bytes()
        self.call("statement", "--results", "out", *manifest(), "--out", "t.tar", expect=0)
        self.assertEqual(first, (self.folder / "t.tar").read_bytes())
        for at in range(100, len(first), 40009):
            damaged = bytearray(first)
            damaged[at] ^= 0x10
            (self.folder / "t.tar").write_bytes(damaged)
            self.call("statement", "verify", "t.tar", expect=1)

    def test_the_binary_carries_the_manifest_of_its_own_runs(self):
        self.conforming()
        self.call("statement", "--results", "out", *manifest(), "--out", "s.tar", expect=0)
        self.call("statement", "--results", "out", "--out", "t.tar", expect=0)
        self.assertEqual((self.folder / "s.tar").read_bytes(), (self.folder / "t.tar").read_bytes())

    def test_a_statement_does_not_take_the_place_of_results(self):
        self.conforming()
        done = self.call("statement", "--results", "out", "--out", "out/results.jsonl", expect=2)
        self.assertIn("holds the results", done.stderr)
        self.call("report", "out", expect=0)

    def test_what_cannot_be_stated(self):
        self.conforming()
        self.edit("out", lambda records: records[0]["suite"].update(commit="c" * 40 + "-dirty"))
        done = self.call("statement", "--results", "out", "--out", "s.tar", expect=2)
        self.assertIn("must be of a clean commit", done.stderr)
        self.edit("out", lambda records: records[0]["suite"].update(commit="c" * 40))
        done = self.call("statement", "--results", "out", "--out", "s.tar", expect=2)
        self.assertIn("it was made by a build of the commit cccc", done.stderr)
        self.run_suite("low", "--path", "right", "--device", "cpu", expect=0)
        self.call("statement", "--results", "low", "--out", "s.tar", expect=2)
        self.run_suite("wrong", *FULL, "--path", "writes_nothing", expect=1)
        self.call("statement", "--results", "wrong", "--out", "s.tar", expect=1)
        self.call("statement", "--results", "nowhere", "--out", "s.tar", expect=2)
        self.call("statement", "--out", "s.tar", expect=2)
        self.call("statement", "verify", "nowhere.tar", expect=2)
        self.assertFalse((self.folder / "s.tar").exists())


if __name__ == "__main__":
    fake_suite.main()
