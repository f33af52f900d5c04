# SPDX-License-Identifier: Apache-2.0
"""merge, diff, waivers, report, statement and completions, as a person or a script meets them: on results
that fake_fp4cts made.

usage: gate_cli_test.py FAKE_FP4CTS PROJECT_FOLDER
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import jsonschema  # Debian's python3-jsonschema

FAKE = None
PROJECT = None
TIMES = ("seconds", "started", "finished", "environment", "gigabytes_per_second")
FULL = ("--level", "full", "--device", "cpu")


def schema(name):
    document = json.loads((PROJECT / "harness" / "schema" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    if isinstance(value, list):
        return [without_times(item) for item in value]
    return value


class GateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-gate-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, expect, env=None):
        names = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "NO_COLOR")
        environment = {k: v for k, v in os.environ.items() if k not in names}
        done = subprocess.run([FAKE, *arguments], capture_output=True, text=True, timeout=120,
                              cwd=self.folder, env={**environment, **(env or {})})
        allowed = expect if isinstance(expect, tuple) else (expect,)
        self.assertIn(done.returncode, allowed, done.stdout + done.stderr)
        return done

    def run_suite(self, name, *arguments, expect):
        return self.call("run", "--quiet", *arguments, "--report", name, expect=expect)

    def path(self, name):
        return self.folder / name / "results.jsonl"

    def records(self, name):
        records = [json.loads(line) for line in self.path(name).read_text().splitlines()]
        validator = schema("results")
        for record in records:
            validator.validate(record)
        return records

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
        self.assertEqual(without_times(self.records("merged")), without_times(self.records("whole")))
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


class ReportTest(GateTest):
    def test_a_run_leaves_every_report(self):
        self.run_suite("out", *FULL, "--path", "right,writes_nothing,crashes", expect=1)
        names = {"results.jsonl", "report.html", "junit.xml", "summary.json", "summary.txt"}
        self.assertEqual(set(os.listdir(self.folder / "out")), names)
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        schema("summary").validate(summary)
        self.assertEqual(summary["counts"], {"planned": 12, "passed": 4, "mismatch": 4, "error": 4,
                                             "not_run": 0, "waived": 0})
        suites = xml.etree.ElementTree.parse(self.folder / "out" / "junit.xml").getroot()
        self.assertEqual(suites.get("failures"), "4")
        self.assertEqual(suites.get("errors"), "5")
        self.assertEqual(len(suites.findall("testsuite/testcase")), 13)

    def test_markdown_for_a_jobs_summary(self):
        self.run_suite("out", *FULL, "--path", "right,writes_nothing", expect=1)
        done = self.call("report", "out", "--markdown", expect=1)
        self.assertTrue(done.stdout.startswith("### fp4cts: MISMATCH\n"))
        self.assertEqual(done.stdout.count("\n#### "), 1)
        self.call("report", "out", "--markdown", "--json", expect=2)

    def test_single_files_and_json(self):
        self.run_suite("out", *FULL, "--path", "right", expect=0)
        done = self.call("report", "out", "--json", "--html", "p.html", "--junit", "j.xml",
                         "--report", "again", expect=0)
        schema("summary").validate(json.loads(done.stdout))
        self.assertEqual((self.folder / "p.html").read_text(),
                         (self.folder / "again" / "report.html").read_text())
        self.assertEqual((self.folder / "j.xml").read_text(),
                         (self.folder / "out" / "junit.xml").read_text())

    def test_nothing_that_was_read_is_written_over(self):
        self.run_suite("a", *FULL, "--path", "right", expect=0)
        self.run_suite("b", *FULL, "--path", "right", expect=0)
        waivers = self.folder / "w.json"
        waivers.write_text('{"schema": 1, "waivers": []}')
        manifest = self.folder / "manifest.json"
        shutil.copyfile(MANIFEST[1], manifest)
        in_report = self.folder / "report" / "summary.json"
        in_report.parent.mkdir()
        in_report.write_bytes(waivers.read_bytes())
        diff = ["diff", "a", "b", "--waivers", waivers, "--junit"]
        for command, target, what in (
                (diff + [self.path("a")], self.path("a"), "results: a report"),
                (diff + [self.path("b")], self.path("b"), "results: a report"),
                (diff + [waivers], waivers, "waivers: a report"),
                (["report", "a", "--waivers", waivers, "--junit", waivers], waivers, "waivers: a report"),
                (["report", "a", "--waivers", in_report, "--report", "report"], in_report, "waivers: a report"),
                (["merge", "a", "b", "--waivers", in_report, "--report", "report"], in_report, "waivers: a report"),
                (["statement", "--results", "a", "--out", self.path("a")], self.path("a"), "results: the statement"),
                (["statement", "--results", "a", "--manifest", manifest, "--out", manifest], manifest,
                 "manifest: the statement")):
            with self.subTest(command=command):
                before = target.read_bytes()
                done = self.call(*command, expect=2)
                self.assertIn(f"holds the {what} would be written over it", done.stderr)
                self.assertEqual(target.read_bytes(), before)

    def test_a_cut_file_is_incomplete_whatever_its_end_says(self):
        self.run_suite("out", *FULL, "--path", "right", expect=0)
        lines = self.path("out").read_text().splitlines(keepends=True)
        cut = [line for line in lines if '"index":2' not in line]
        self.assertEqual(len(cut), len(lines) - 1)
        self.path("out").write_text("".join(cut))
        done = self.call("report", "out", expect=2)
        self.assertIn("the end record says CONFORMS, and what follows is INCOMPLETE: 1 of 4 cases did "
                      "not run", done.stderr)
        self.path("out").write_text("".join(cut[:-2]))  # without coverage and end: it was killed
        self.assertIn("INCOMPLETE", self.call("report", "out", expect=4).stdout)

    def test_a_file_that_does_not_add_up_is_refused_by_every_command(self):
        def case(records, path="right"):
            return next(r for r in records if r["record"] == "case" and r["path"] == path)

        def passing(records):
            for record in records:
                if record["record"] == "case" and record["path"] == "writes_nothing":
                    record.update(verdict="pass", reason="")
                    del record["diagnosis"], record["trespasses"]
            for row in records[-1]["rows"]:
                row.update(passed=4, mismatches=0)
            records[-1].update(verdict="CONFORMS", exit_code=0, statement=True, reasons=[])

        def relabelled(records):
            records[0]["selection"]["level"] = "standard"

        def drop(kind):
            def change(records):
                records[:] = [r for r in records if r["record"] != kind]
            return change

        def drifted(records):
            case(records)["output_sha256"] = "0" * 64

        def not_judged(records):
            for record in records:
                if record["record"] == "coverage":
                    record["judged"] = False

        self.run_suite("good", "--level", "full", "--path", "right,writes_nothing", expect=1)
        self.call("report", "good", expect=1)
        text = self.path("good").read_text()
        for change in (passing, relabelled, drop("not_run"), drop("coverage"), drifted, not_judged):
            with self.subTest(change.__name__):
                self.path("good").write_text(text)
                self.edit("good", change)
                for command in (["report", "good"], ["diff", "good", "good"],
                                ["merge", "good", "--report", "merged"], ["run", "--resume", "good"]):
                    before = self.path("good").read_text()
                    done = self.call(*command, expect=2)
                    self.assertIn("does not add up", done.stderr)
                    self.assertEqual(self.path("good").read_text(), before)
                self.call("statement", "--results", "good", "--out", "s.tar", expect=(1, 2))
        self.assertFalse((self.folder / "s.tar").exists())

    def test_a_profile_that_changed_is_not_resumed_and_not_the_same(self):
        profile = {"fp4cts_profile": 1, "extends": "ocp", "name": "mine", "version": 1, "comment": "one"}
        (self.folder / "mine.json").write_text(json.dumps(profile))
        arguments = (*FULL, "--path", "right", "--profile", "./mine.json")
        self.run_suite("a", *arguments, expect=0)
        (self.folder / "mine.json").write_text(json.dumps({**profile, "e8m0_00": "zero"}))
        self.assertIn("cannot resume: what the profile ./mine.json says",
                      self.call("run", "--resume", "a", expect=2).stderr)
        self.run_suite("b", *arguments, expect=0)
        self.assertIn("judged by another profile", self.call("diff", "a", "b", expect=4).stdout)

    def test_inputs_that_are_no_results(self):
        (self.folder / "x.jsonl").write_text("{}\n")
        for arguments in (["nowhere"], ["x.jsonl"], []):
            self.call("report", *arguments, expect=2)


MANIFEST = ["--manifest", ""]


class StatementTest(GateTest):
    def conforming(self):
        self.run_suite("out", *FULL, "--path", "right", expect=0)
        # A tree that is being worked on: as its commit would have made it.
        self.edit("out", lambda records: records[0]["suite"].update(
            commit=records[0]["suite"]["commit"].removesuffix("-dirty")))

    def test_make_and_verify(self):
        self.conforming()
        self.call("statement", "--results", "out", *MANIFEST, "--out", "s.tar", expect=0)
        done = self.call("statement", "verify", "s.tar", expect=0)
        self.assertIn("level full, profile ocp: CONFORMS on cpu. Judged: doubling (right) on cpu.", done.stdout)
        statement = json.loads(self.call("statement", "verify", "s.tar", "--json", expect=0).stdout)
        schema("statement").validate(statement)
        first = (self.folder / "s.tar").read_bytes()
        self.call("statement", "--results", "out", *MANIFEST, "--out", "t.tar", expect=0)
        self.assertEqual(first, (self.folder / "t.tar").read_bytes())
        for at in range(100, len(first), 40009):
            damaged = bytearray(first)
            damaged[at] ^= 0x10
            (self.folder / "t.tar").write_bytes(damaged)
            self.call("statement", "verify", "t.tar", expect=1)

    def test_the_binary_carries_the_manifest_of_its_own_runs(self):
        self.conforming()
        self.call("statement", "--results", "out", *MANIFEST, "--out", "s.tar", expect=0)
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


class HelpTest(GateTest):
    def subcommands(self):
        text = self.call("--help", expect=0).stdout
        return re.findall(r"^  ([a-z]+) ", text[text.index("Subcommands:"):], re.MULTILINE)

    def test_manual_and_completions_know_every_option_of_help(self):
        man = self.call("man", expect=0).stdout.replace("\\-", "-")
        scripts = {shell: self.call("completion", shell, expect=0).stdout
                   for shell in ("bash", "zsh", "fish")}
        self.assertIn("merge", self.subcommands())
        for command in self.subcommands():
            self.assertIn(f".SS fp4cts {command}\n", man)
            for option in re.findall(r"--[a-z][a-z-]+", self.call(command, "--help", expect=0).stdout):
                self.assertIn(option, man)
                self.assertIn(option, scripts["bash"])
                self.assertIn(option, scripts["zsh"])
                self.assertIn(f" -l {option[2:]}", scripts["fish"])
        self.call("completion", "tcsh", expect=2)

    def test_shells_accept_their_scripts(self):
        checked = 0
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell) is None:
                continue
            script = self.call("completion", shell, expect=0).stdout
            done = subprocess.run([shell, "-n", "/dev/stdin"], input=script, text=True,
                                  capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), shell)
            checked += 1
        self.assertGreater(checked, 0)


class ManyFailuresTest(GateTest):
    """2,000 failing records of 64 wrong elements each, in memory that does not hold them."""

    LIMIT = 128 << 20
    ROWS = 500

    def make(self, name):
        self.run_suite("one", *FULL, "--path", "writes_nothing", expect=1)
        header, *others = self.records("one")
        cases = [r for r in others if r["record"] == "case"]
        [info] = header["implementations"]
        paths = [f"copy{i:03}" for i in range(self.ROWS)]
        header["selection"]["paths"] = []
        header["implementations"] = [{**info, "path": path} for path in paths]
        digest = hashlib.sha256()
        lines = []
        for case in cases:
            first = case["diagnosis"]["first"]
            long = {**first[0], "text": first[0]["text"] + " and so on" * 60}
            case["diagnosis"]["first"] = [long] * 64
            case["reproduce"] = ""
            for path in paths:
                digest.update(f"{case['case']} {path} cpu {case['case_sha256']}\n".encode())
                lines.append(json.dumps({**case, "index": len(lines), "path": path}) + "\n")
        header["plan"].update(total=len(lines), planned=len(lines), sha256=digest.hexdigest())
        (self.folder / name).mkdir()
        self.path(name).write_text(json.dumps(header) + "\n" + "".join(lines))

    def test_report_in_bounded_memory(self):
        if b"__asan_init" in pathlib.Path(FAKE).read_bytes():
            self.skipTest("the address sanitizer needs all addresses")
        self.make("many")
        self.assertGreater(self.path("many").stat().st_size, 90 << 20)
        done = subprocess.run(
            [FAKE, "report", "many", "--report", "out"], capture_output=True, text=True, timeout=120, cwd=self.folder,
            env={**os.environ, "MALLOC_ARENA_MAX": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (self.LIMIT, self.LIMIT)))
        self.assertEqual(done.returncode, 1, done.stdout[-2000:] + done.stderr)
        self.assertIn("Of 2000 planned cases 2000 gave wrong bytes; 0 passed.", done.stdout)
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        self.assertEqual(len(summary["failures"]), 2000)


class PrintTest(GateTest):
    def test_every_file_that_the_binary_carries_is_that_of_the_sources(self):
        names = self.call("print", expect=0).stdout.split()
        places = [PROJECT, PROJECT / "include" / "fp4cts", PROJECT / "harness" / "schema",
                  PROJECT / "vectors" / "schema", PROJECT / "vectors" / "data"]
        for name in names:
            [file] = [place / name for place in places if (place / name).is_file()]
            with open(self.folder / "printed", "wb") as printed:
                subprocess.run([FAKE, "print", name], check=True, stdout=printed)
            self.assertEqual((self.folder / "printed").read_bytes(), file.read_bytes(), name)
        for needed in ("dut.h", "results.schema.json", "MANIFEST.json", "NOTICE"):
            self.assertIn(needed, names)
        self.assertIn("no file 'nobody'", self.call("print", "nobody", expect=2).stderr)


if __name__ == "__main__":
    FAKE = os.path.abspath(sys.argv.pop(1))
    PROJECT = pathlib.Path(sys.argv.pop(1)).resolve()
    MANIFEST[1] = str(PROJECT / "vectors" / "data" / "MANIFEST.json")
    unittest.main()
