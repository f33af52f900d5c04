# SPDX-License-Identifier: Apache-2.0
"""Reports of a run, and of a hundred thousand failures, as a person or a script meets them."""
import hashlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import xml.etree.ElementTree

import fake_suite
from fake_suite import FULL, GateTest, manifest, schema


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
        own = self.folder / "manifest.json"
        shutil.copyfile(manifest()[1], own)
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
                (["statement", "--results", "a", "--manifest", own, "--out", own], own,
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
        if b"__asan_init" in pathlib.Path(fake_suite.FAKE).read_bytes():
            self.skipTest("the address sanitizer needs all addresses")
        self.make("many")
        self.assertGreater(self.path("many").stat().st_size, 90 << 20)
        done = subprocess.run(
            [fake_suite.FAKE, "report", "many", "--report", "out"], capture_output=True, text=True, timeout=120, cwd=self.folder,
            env={**os.environ, "MALLOC_ARENA_MAX": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (self.LIMIT, self.LIMIT)))
        self.assertEqual(done.returncode, 1, done.stdout[-2000:] + done.stderr)
        self.assertIn("Of 2000 planned cases 2000 gave wrong bytes; 0 passed.", done.stdout)
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        self.assertEqual(len(summary["failures"]), 2000)


if __name__ == "__main__":
    fake_suite.main()
