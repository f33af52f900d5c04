# SPDX-License-Identifier: Apache-2.0
"""What is judged in place of the kernels in the box, on the command line."""
import hashlib
import json
import shlex
import sys

import fake_suite
from fake_suite import RunTest


class UnderTestTest(RunTest):
    """What is judged in place of the kernels in the box."""

    def library(self, file, name="right", profile="ocp", device_kinds=("cpu",), build="", **members):
        header = b"\x7fELF" + bytes(12) + (3).to_bytes(2, sys.byteorder) + build.encode()
        text = json.dumps({"name": name, "profile": profile, "device_kinds": device_kinds, **members})
        (self.folder / file).write_bytes(header + text.encode())
        return "--dut", file

    def judged(self, *arguments, expect):
        done = self.run_suite("--json", "--level", "smoke", *arguments, expect=expect)
        records = self.validated(done.stdout.splitlines())
        not_run = [record for record in records if record["record"] == "not_run"]
        return {row["path"]: row for row in records[-1]["rows"]}, not_run, records

    def test_is_judged_alone(self):
        rows, not_run, records = self.judged(*self.library("a.so"), expect=0)
        self.assertEqual(list(rows), ["right"])
        self.assertEqual(not_run, [])  # no GPU is here, and it does not ask for one
        header = records[0]
        self.assertEqual(header["selection"]["libraries"], ["a.so"])
        self.assertEqual(header["implementations"][0]["origin"], "a.so")
        digest = hashlib.sha256((self.folder / "a.so").read_bytes()).hexdigest()
        self.assertEqual(header["implementations"][0]["module_sha256"], digest)

    def test_several_and_their_paths(self):
        arguments = [*self.library("a.so"), *self.library("b.so", "chats"),
                     *self.library("c.so", "crashes")]
        rows, _, _ = self.judged(*arguments, expect=3)
        self.assertEqual({path: row["passed"] for path, row in rows.items()},
                         {"right": 1, "chats": 1, "crashes": 0})
        rows, _, records = self.judged(*arguments, "--path", "r*,chats", expect=4)
        self.assertEqual(set(rows), {"right", "chats"})
        self.assertIn("implementation c.so was asked for, and ran nowhere", records[-1]["reasons"])
        done = self.run_suite(*arguments, "--path", "writes_nothing", expect=2)
        self.assertIn("there are: chats, crashes, right", done.stderr)

    def test_reproduce_command_names_it(self):
        _, _, records = self.judged(*self.library("my plug-in.so", "writes_nothing"),
                                    *self.library("b.so"), expect=1)
        case = next(r for r in records if r["record"] == "case" and r["verdict"] == "mismatch")
        self.assertEqual(case["reproduce"], "fp4cts run --dut 'my plug-in.so' --device cpu --path "
                                            "writes_nothing --level smoke --filter doubling/one")
        again = self.call(*shlex.split(case["reproduce"])[1:], "--no-report", expect=1)
        self.assertIn("MISMATCH doubling/one writes_nothing on cpu", again.stdout)

    def test_what_is_no_library_is_bad_input(self):
        (self.folder / "text.so").write_text("not a library, however long it is")
        (self.folder / "empty.so").write_text("")
        (self.folder / "folder.so").mkdir()
        for file, reason in (("text.so", "expected a shared library"),
                             ("empty.so", "expected a shared library"),
                             ("folder.so", "directory"), ("gone.so", "No such file")):
            for command in ("run", "list"):
                done = self.call(command, "--dut", file, expect=2)
                self.assertRegex(done.stderr, f"^fp4cts: --dut: .*{file}.*{reason}")
        self.assertFalse((self.folder / "results").exists())

    def test_what_cannot_be_opened_is_a_result(self):
        right = self.library("a.so")
        for how, reason in (("fails", "could not be opened: no such device"),
                            ("crashes", "could not be opened: killed by SIGBUS"),
                            ("hangs", "could not be opened: no answer within 0.5 s")):
            rows, not_run, records = self.judged(*self.library("bad.so", open=how), *right,
                                                 "--timeout", "0.5", expect=4)
            self.assertEqual(rows["right"]["passed"], 1)
            self.assertEqual([(r["path"], r["requested"]) for r in not_run], [("bad.so", True)])
            self.assertTrue(not_run[0]["reason"].startswith(reason), not_run[0]["reason"])
            self.assertIn(f"implementation bad.so was asked for, and ran nowhere: bad.so: {reason}",
                          "".join(records[-1]["reasons"]))

    def test_no_device_for_it(self):
        _, not_run, _ = self.judged(*self.library("a.so", device_kinds=["cuda"]), expect=4)
        self.assertEqual([(r["path"], r["device"], r["reason"], r["requested"]) for r in not_run],
                         [("right", "", "runs on cuda, and no device of that kind is selected and "
                                        "here", True),
                          ("", "cuda", "libcuda.so.1 was not found", False)])

    def test_unknown_profile_unless_another_is_asked_for(self):
        arguments = self.library("a.so", profile="mine")
        _, not_run, _ = self.judged(*arguments, expect=4)
        self.assertIn("its declared profile: no profile is named 'mine'; there are: ocp",
                      not_run[0]["reason"])
        self.judged(*arguments, "--profile", "ocp", expect=0)

    def test_two_of_one_name(self):
        done = self.run_suite(*self.library("a.so"), *self.library("b.so"), expect=2)
        self.assertIn("a.so and b.so are both named 'right'", done.stderr)

    def test_resumes_with_what_was_under_test_and_not_with_another(self):
        arguments = self.library("a.so")
        self.call("run", "--quiet", *arguments, "--report", "out", expect=0)
        self.call("run", "--quiet", "--resume", "out", expect=0)
        done = self.call("run", "--resume", "out", *arguments, expect=2)
        self.assertIn("--dut cannot change it", done.stderr)
        self.library("a.so", build="another")
        done = self.call("run", "--resume", "out", expect=2)
        self.assertIn("cannot resume: what is under test was", done.stderr)
        (self.folder / "a.so").unlink()
        done = self.call("run", "--resume", "out", expect=2)
        self.assertIn("a.so", done.stderr)

    def test_merge_and_diff_see_another_file(self):
        def run(name, *arguments):
            self.call("run", "--quiet", *self.library("a.so", build=name), "--report", name,
                      *arguments, expect=0)
        run("s0", "--shard", "0/2")
        run("s1", "--shard", "1/2")
        done = self.call("merge", "s0", "s1", "--report", "merged", expect=2)
        self.assertIn("differ in implementation doubling right cpu", done.stderr)
        run("a")
        run("b")
        done = self.call("diff", "a", "b", expect=0)
        self.assertRegex(done.stdout, r"doubling right cpu module: [0-9a-f]{64} became [0-9a-f]{64}")

    def test_list_shows_what_is_under_test(self):
        arguments = [*self.library("a.so"), *self.library("bad.so", open="fails")]
        done = self.call("list", *arguments, expect=0)
        self.assertRegex(done.stdout, r"\ndoubling +right +cpu +ocp +yes\n")
        self.assertRegex(done.stdout, r"\n\* +bad.so +\* +- +no: could not be opened: no such device\n")
        listed = json.loads(self.call("list", "--json", *arguments, expect=0).stdout)
        self.assertEqual([i["path"] for i in listed["implementations"]], ["right"])
        self.assertEqual(listed["not_opened"], [{"path": "bad.so", "device": "",
                                                 "reason": "could not be opened: no such device"}])


if __name__ == "__main__":
    fake_suite.main()
