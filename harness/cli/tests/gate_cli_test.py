# SPDX-License-Identifier: Apache-2.0
"""merge, diff and waivers, as a person or a script meets them."""
import datetime
import json
import shutil

import fake_suite
from fake_suite import FULL, GateTest, schema, without_times_and_places


class MergeTest(GateTest):
    def shards(self, count):
        names = [f"shard-{i}" for i in range(count)]
        for i, name in enumerate(names):
            # A shard may hold only cases that pass.
            self.run_suite(name, *FULL, "--path", "right,chats,writes_nothing", "--shard",
                           f"{i}/{count}", expect=(0, 1))
        return names

    def test_four_shards_merged_equal_one_run(self):
        names = self.shards(4)
        self.run_suite("whole", *FULL, "--path", "right,chats,writes_nothing", expect=1)
        done = self.call("merge", *reversed(names), "--report", "merged", expect=1)
        self.assertIn("\nMISMATCH: Of 12 planned cases 4 gave wrong bytes; 8 passed.\n", done.stdout)
        merged, whole = (without_times_and_places(self.records(name)) for name in ("merged", "whole"))
        self.assertEqual(merged, whole)
        hosts = self.records("merged")[0]["environment"]["shards"]
        self.assertEqual([shard["index"] for shard in hosts], [0, 1, 2, 3])
        self.call("diff", "whole", "merged", expect=0)

    def test_conforming_shards_conform_and_judge_coverage(self):
        for i in range(4):
            self.run_suite(f"s{i}", *FULL, "--path", "right", "--shard", f"{i}/4", expect=0)
        self.call("merge", "s0", "s1", "s2", "s3", "--report", "merged", expect=0)
        records = self.records("merged")
        self.assertTrue(records[-1]["statement"])
        self.assertTrue(all(r["judged"] for r in records if r["record"] == "coverage"))

    def test_any_line_removed_from_any_shard_makes_merge_fail(self):
        names = self.shards(3)
        for name in names:
            lines = self.path(name).read_text().splitlines(keepends=True)
            for i, line in enumerate(lines):
                kind = json.loads(line)["record"]
                self.path(name).write_text("".join(lines[:i] + lines[i + 1:]))
                done = self.call("merge", *names, "--report", "merged",
                                 expect=4 if kind in ("case", "end") else 2)
                self.assertFalse((self.folder / "merged").exists())
                if kind == "case":
                    self.assertIn("3 of 4 planned cases have a record", done.stderr)
                    self.assertRegex(done.stderr, rf"planned case {json.loads(line)['index']} of 12")
            self.path(name).write_text("".join(lines))
        self.call("merge", *names, "--report", "merged", expect=1)

    def test_a_missing_shard_and_one_given_twice(self):
        names = self.shards(3)
        done = self.call("merge", *names[:2], "--report", "merged", expect=4)
        self.assertIn("shards 2 to 2 of 3 are missing", done.stderr)
        done = self.call("merge", *names, names[0], "--report", "merged", expect=2)
        self.assertIn("are both shard 0/3", done.stderr)

    def test_shards_of_other_runs(self):
        names = self.shards(2)
        shutil.rmtree(self.folder / names[1])
        self.run_suite(names[1], *FULL, "--path", "right,chats,writes_nothing", "--shard", "1/2",
                       "--seed", "7", expect=1)
        done = self.call("merge", *names, "--report", "merged", expect=2)
        self.assertIn("differ in plan", done.stderr)

    def test_report_takes_shards_and_refuses_to_mix_runs(self):
        names = self.shards(2)
        done = self.call("report", *names, expect=1)
        self.assertIn("Of 12 planned cases 4 gave wrong bytes", done.stdout)
        self.run_suite("other", *FULL, "--path", "right", expect=0)
        self.call("report", names[0], "other", expect=2)


class DiffTest(GateTest):
    def test_the_same_run_twice_is_identical(self):
        for name in ("a", "b"):
            self.run_suite(name, *FULL, "--path", "right,writes_nothing", expect=1)
        done = self.call("diff", "a", "b", expect=0)
        self.assertEqual(done.stdout, "identical: 8 cases, the same verdicts and the same bytes, "
                                      "4 still failing\n")
        document = json.loads(self.call("diff", "a", "b", "--json", expect=0).stdout)
        schema("diff").validate(document)
        self.assertTrue(document["identical"])

    def test_exit_codes(self):
        def changed(a, b, *, expect):
            document = json.loads(self.call("diff", a, b, "--json", expect=expect).stdout)
            schema("diff").validate(document)
            return {k: n for k, n in document["counts"].items() if n}, document["hindrances"]

        self.run_suite("one", *FULL, "--path", "right", expect=0)
        self.run_suite("two", *FULL, "--path", "right,writes_nothing", expect=1)
        self.run_suite("three", *FULL, "--path", "right,chats", expect=0)
        self.run_suite("part", *FULL, "--path", "right,qmul4", expect=4)
        self.run_suite("none", *FULL, "--path", "right", "--filter", "nothing", expect=4)
        self.assertEqual(changed("one", "one", expect=0), ({}, []))
        self.assertEqual(changed("one", "two", expect=1), ({"new_failure": 4}, []))
        self.assertEqual(changed("one", "three", expect=0), ({"added": 4}, []))
        self.assertEqual(changed("three", "one", expect=4), ({"vanished": 4}, []))
        counts, hindrances = changed("one", "part", expect=4)
        self.assertEqual(counts, {})
        self.assertIn("the new run is not complete: path qmul4 was asked for", hindrances[0])
        changed("part", "part", expect=4)
        self.assertIn("no case is in both runs", changed("none", "none", expect=4)[1])
        self.edit("one", lambda records: [records.pop() for _ in range(2)])  # killed before its end
        self.assertEqual(changed("three", "one", expect=4)[0], {"vanished": 4})

    def test_waivers_that_expired_fail_it(self):
        self.run_suite("one", *FULL, "--path", "right", expect=0)
        done = self.call("diff", "one", "one", *self.waivers(expires="2020-01-01"), expect=1)
        self.assertIn("STALE WAIVERS: ", done.stdout)

    def test_a_baseline_of_another_build_is_taken_as_it_is(self):
        self.run_suite("old", *FULL, "--path", "right", expect=0)
        self.run_suite("new", *FULL, "--path", "right", expect=0)
        self.edit("old", lambda records: records[0]["suite"].update(commit="c" * 40))
        done = self.call("diff", "old", "new", expect=0)
        self.assertIn("was made by the suite's commit cccc", done.stdout)

    def test_inputs_that_are_no_baseline(self):
        self.run_suite("shard", *FULL, "--path", "right", "--shard", "0/2", expect=0)
        self.assertIn("merge its shards first", self.call("diff", "shard", "shard", expect=2).stderr)
        self.call("diff", "nowhere", "shard", expect=2)
        self.call("diff", "shard", expect=2)


class WaiverTest(GateTest):
    def test_a_run_with_waivers(self):
        done = self.run_suite("out", *FULL, "--path", "right,writes_nothing", *self.waivers(), expect=0)
        self.assertIn("WAIVED", done.stdout.splitlines()[-1])
        records = self.records("out")
        self.assertEqual(records[-1]["verdict"], "WAIVED")
        self.assertFalse(records[-1]["statement"])
        self.assertEqual([row["waived"] for row in records[-1]["rows"]], [0, 4])
        self.assertEqual([row["passed"] for row in records[-1]["rows"]], [4, 0])
        self.call("report", "out", *self.waivers(), expect=0)
        self.call("statement", "--results", "out", "--out", "s.tar", expect=1)
        # Who may waive is not in the file.
        done = self.call("report", "out", expect=1)
        self.assertIn("4 of the failures in out were waived, and count as failures here", done.stdout + done.stderr)

    def test_a_waiver_that_is_written_into_a_record_covers_nothing(self):
        self.run_suite("out", *FULL, "--path", "right,writes_nothing", expect=1)
        def waive(records):
            for record in records:
                if record["record"] == "case" and record["verdict"] == "mismatch":
                    record["waiver"] = "T-1"
            records.pop()
        self.edit("out", waive)
        self.call("report", "out", expect=1)
        self.call("run", "--quiet", "--resume", "out", expect=1)

    def test_waivers_of_a_run_that_is_resumed(self):
        self.run_suite("out", *FULL, "--path", "right,writes_nothing", expect=1)
        done = self.call("run", "--quiet", "--resume", "out", *self.waivers(), expect=0)
        self.assertIn("WAIVED", done.stdout.splitlines()[-1])
        self.call("report", "out", *self.waivers(), expect=0)
        self.call("report", "out", expect=1)

    def test_without_them_the_same_run_fails(self):
        self.run_suite("out", *FULL, "--path", "right,writes_nothing", expect=1)
        done = self.call("report", "out", *self.waivers(), expect=0)
        self.assertIn("WAIVED on cpu: Of 8 planned cases 4 failed and are waived; 4 passed.", done.stdout)

    def test_expired_unexpected_and_misread(self):
        arguments = (*FULL, "--path", "right,writes_nothing")
        yesterday = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=1)
        self.run_suite("a", *arguments, *self.waivers(expires=str(yesterday)), expect=1)
        self.assertEqual(self.records("a")[-1]["verdict"], "MISMATCH")
        done = self.run_suite("b", *arguments, *self.waivers(path="*"), expect=1)
        self.assertEqual(self.records("b")[-1]["verdict"], "STALE WAIVERS")
        self.assertIn("covers what passes: doubling/one right cpu", done.stdout)
        self.call("report", "b", expect=1)
        (self.folder / "waivers.json").write_text('{"schema": 1, "waivers": [{}]}')
        done = self.run_suite("c", *arguments, "--waivers", "waivers.json", expect=2)
        self.assertIn('waivers.json: /waivers/0: "cases"', done.stderr)
        self.assertFalse((self.folder / "c").exists())

    def test_a_crash_is_not_covered_by_a_waiver_for_wrong_bytes(self):
        # At level standard: a path whose every case crashes hits no bin that level full demands.
        self.run_suite("out", "--path", "right,crashes", *self.waivers(path="crashes"), expect=3)
        self.call("report", "out", *self.waivers(path="crashes", verdicts=["error"]), expect=0)


if __name__ == "__main__":
    fake_suite.main()
