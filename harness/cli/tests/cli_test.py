# SPDX-License-Identifier: Apache-2.0
"""The command line as a person or a script meets it: exit codes, words, and results that are valid
under the schema. Most of it runs on fake_fp4cts, whose implementations misbehave by name.

usage: cli_test.py FAKE_FP4CTS SCHEMA
"""
import hashlib
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema  # Debian's python3-jsonschema

FAKE = None
SCHEMA = None
TIMES = ("seconds", "started", "finished")


def clean_environment(**more):
    names = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "NO_COLOR")
    return {**{k: v for k, v in os.environ.items() if k not in names}, **more}


def without_times(record):
    if isinstance(record, dict):
        return {k: without_times(v) for k, v in record.items() if k not in TIMES}
    if isinstance(record, list):
        return [without_times(item) for item in record]
    return record


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, expect, env=None):
        done = subprocess.run([FAKE, *arguments], capture_output=True, text=True, timeout=120,
                              cwd=self.folder, env=clean_environment(**(env or {})))
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def run_suite(self, *arguments, expect, env=None):
        return self.call("run", "--quiet", "--no-report", *arguments, expect=expect, env=env)

    def records(self, path):
        return self.validated(path.read_text().splitlines())

    def validated(self, lines):
        records = [json.loads(line) for line in lines]
        for record in records:
            SCHEMA.validate(record)
        return records


class VerdictTest(CliTest):
    def last_word(self, *arguments, expect):
        done = self.run_suite(*arguments, expect=expect)
        return done.stdout.splitlines()[-1]

    def test_conforms(self):
        self.assertEqual(self.last_word("--path", "right", "--level", "full", expect=0),
                         "CONFORMS on cpu")

    def test_lower_level_says_that_it_is_no_statement(self):
        done = self.run_suite("--path", "right", "--level", "smoke", expect=0)
        self.assertIn("level smoke is no conformance statement", done.stdout)
        done = self.run_suite("--path", "right", "--level", "full", expect=0)
        self.assertNotIn("statement", done.stdout)

    def test_each_misbehaviour_has_its_exit_code(self):
        mismatch = ["writes_nothing", "returns_early", "writes_too_much", "writes_outside",
                    "changes_input", "answers_differently", "pretends"]
        error = ["fails", "throws", "wrong_size", "crashes", "aborts", "exits",
                 "hangs_up", "leaves_a_process", "garbage", "huge_answer", "not_json",
                 "other_answer", "crashes_in_second_run"]
        for path in mismatch:
            self.assertEqual(self.last_word("--path", path, expect=1), "MISMATCH", path)
        for path in error:
            self.assertEqual(self.last_word("--path", path, expect=3), "ERROR", path)
        self.assertEqual(self.last_word("--path", "hangs", "--timeout", "0.3", expect=3), "ERROR")
        self.assertEqual(self.last_word("--path", "qmul4", expect=4), "INCOMPLETE")

    def test_second_call_of_a_case_is_compared(self):
        self.run_suite("--path", "wrong_in_second_call", "--level", "full", expect=1)

    def test_misbehaviour_does_not_stop_the_others(self):
        done = self.run_suite("--json", "--timeout", "3", "--level", "smoke", "--memory-limit",
                              "1GiB", expect=1)
        records = self.validated(done.stdout.splitlines())
        rows = {row["path"]: row for row in records[-1]["rows"]}
        self.assertGreater(len(rows), 20)
        self.assertEqual(rows["right"]["passed"], 1)
        self.assertEqual(rows["chats"]["passed"], 1)
        for path, row in rows.items():
            self.assertEqual(row["run"], 1, path)

    def test_requested_path_that_is_not_available_is_named(self):
        done = self.run_suite("--path", "right,qmul4", expect=4)
        self.assertIn("path qmul4 was asked for, and ran nowhere: doubling qmul4 on cpu: needs a device "
                      "that does not exist", done.stdout)

    def test_each_pattern_must_select_something_that_runs(self):
        done = self.run_suite("--path", "[rq]*t,[rq]mul*", expect=4)
        self.assertIn("path [rq]mul* was asked for, and ran nowhere", done.stdout)
        self.run_suite("--path", "[rq]*t,rig*", expect=0)
        done = self.run_suite("--path", "right", "--op", "doubling,trip*", expect=4)
        self.assertIn("operation trip* was asked for, and ran nowhere", done.stdout)
        done = self.run_suite("--path", "right", "--filter", "doubling/one,doubling/noe", expect=4)
        self.assertIn("the filter 'doubling/noe' was given, and selects no case", done.stdout)
        done = self.call("fuzz", "--path", "right,qmul4", "--cases", "3", "--no-save", expect=4)
        self.assertIn("path qmul4 was asked for, and ran nowhere", done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "INCOMPLETE")

    def test_a_gpu_that_nothing_can_use_is_no_conformance_unless_it_was_left_out(self):
        gpu = {"FAKE_GPU": "NVIDIA 10de:2335 at PCI 0000:3b:00.0"}
        done = self.run_suite("--path", "right", expect=4, env=gpu)
        self.assertIn("this machine has a GPU on which nothing ran, NVIDIA 10de:2335 at PCI "
                      "0000:3b:00.0: cuda: libcuda.so.1 was not found (--device cpu leaves it out)",
                      done.stdout)
        self.run_suite("--path", "right", "--device", "cpu", expect=0, env=gpu)
        self.call("fuzz", "--path", "right", "--cases", "3", "--no-save", expect=4, env=gpu)

    def test_missing_gpu_is_said_and_does_not_fail(self):
        done = self.run_suite("--path", "right", expect=0)
        self.assertRegex(done.stdout, r"\* +\* +cuda +not run: libcuda\.so\.1 was not found")
        self.assertRegex(done.stdout, r"\* +\* +hip +not run: libamdhip64\.so was not found")

    def test_requested_device_that_is_missing(self):
        done = self.run_suite("--device", "cpu,cuda:0", "--path", "right", expect=4)
        self.assertIn("device cuda:0 was asked for, and ran nowhere: cuda:0: libcuda.so.1 was not "
                      "found", done.stdout)
        done = self.run_suite("--device", "cuda:0", "--require-device", expect=3)
        self.assertIn("--require-device: nothing runs on cuda:0", done.stderr)
        self.assertIn("libcuda.so.1 was not found", done.stderr)
        self.run_suite("--require-device", expect=3)
        self.run_suite("--device", "cpu", "--path", "right", "--require-device", expect=0)

    def test_a_gpu_that_no_kernel_is_for_is_missed(self):
        old = {"FAKE_OLD_GPU": "1"}
        done = self.run_suite("--path", "right,qmul4", expect=4, env=old)
        self.assertIn("device cuda:0 was asked for, and ran nowhere: doubling qmul4 on cuda:0: needs a "
                      "device that does not exist", done.stdout)
        done = self.run_suite("--path", "right", expect=4, env=old)
        self.assertIn("device cuda:0 was asked for, and ran nowhere", done.stdout)
        done = self.run_suite("--path", "right,qmul4", "--require-device", expect=3, env=old)
        self.assertIn("no GPU on which something runs; cuda:0: doubling qmul4: needs a device",
                      done.stderr)
        self.run_suite("--path", "right", "--device", "cpu", expect=0, env=old)
        (self.folder / "cpu_only.so").write_bytes(
            b"\x7fELF" + bytes(12) + (3).to_bytes(2, sys.byteorder) +
            b'{"name": "right", "profile": "ocp", "device_kinds": ["cpu"]}')
        plug_in = ("--dut", "cpu_only.so", "--device", "cpu,cuda:0")
        done = self.run_suite(*plug_in, "--require-device", expect=3, env=old)
        self.assertIn("--require-device: nothing runs on cuda:0", done.stderr)
        self.run_suite(*plug_in, expect=4, env=old)
        # It says itself that it runs on the CPU: by "all" nothing else is asked of it.
        done = self.run_suite("--dut", "cpu_only.so", expect=0, env=old)
        self.assertEqual(done.stdout.splitlines()[-1], "CONFORMS on cpu")

    def test_empty_plan_is_incomplete(self):
        for arguments in (["--filter", "nothing*"], ["--filter", "doubling"], ["--op", "x*"],
                          ["--path", "x*"], ["--exclude", "*"]):
            done = self.run_suite(*arguments, expect=4)
            self.assertIn("nothing was planned", done.stdout)


class UsageTest(CliTest):
    def test_wrong_names_are_answered_with_the_choices(self):
        for arguments, choices in (
                (["--device", "gpu"], ["all, cpu, cuda, hip, cuda:N, hip:N or ptx", "this machine has: cpu"]),
                (["--device", "gpu:0"], ["cuda:N"]),
                (["--level", "fast"], ["smoke, standard, full, exhaustive"]),
                (["--op", "tripling"], ["there are: doubling"]),
                (["--op", "doublign"], ["did you mean doubling?"]),
                (["--path", "rigth"], ["right", "crashes", "did you mean right?"]),
                (["--profile", "mine"], ["there are: ocp"]),
                (["--shard", "4/4"], ["0/4 to 3/4"]),
                (["--seed", "-1"], ["--seed"]),
                (["--seed", "x"], ["--seed"]),
                (["--timeout", "0"], ["--timeout"]),
                (["--frobnicate"], ["--frobnicate", "fp4cts run --help says what it takes"]),
                (["--levle", "smoke"], ["--levle", "did you mean --level?"]),
                (["--require_device"], ["did you mean --require-device?"]),
                (["stray"], ["stray"]),
                (["--resume", "nowhere"], ["nowhere"]),
                (["--resume", "x", "--op", "doubling"], ["--resume", "--op"]),
                (["--report", "x", "--no-report"], ["--report and --no-report"])):
            done = self.call("run", *arguments, expect=2)
            self.assertEqual(done.stdout, "")
            self.assertTrue(done.stderr.startswith("fp4cts: "), done.stderr)
            for choice in choices:
                self.assertIn(choice, done.stderr)
        self.assertEqual(os.listdir(self.folder), [])  # nothing was begun

    def test_wrong_subcommand(self):
        done = self.call("rnu", expect=2)
        self.assertIn("no subcommand is named 'rnu'; there are: list, run", done.stderr)
        self.assertIn("did you mean run?", done.stderr)
        self.assertIn("no subcommand is named 'rnu'", self.call("help", "rnu", expect=2).stderr)
        # Alone it shows what there is, and is no pass for a gate that lost its words.
        self.assertEqual(self.call(expect=2).stdout, self.call("--help", expect=0).stdout)
        done = self.call("worker", expect=2)
        self.assertIn("started by fp4cts itself", done.stderr)

    def test_help(self):
        done = self.call("--help", expect=0)
        self.assertIn("run", done.stdout)
        self.assertNotIn("worker", done.stdout)
        done = self.call("run", "--help", expect=0)
        for option in ("--device", "--filter", "--shard", "--resume", "--require-device"):
            self.assertIn(option, done.stdout)
        self.assertEqual(self.call("help", "run", expect=0).stdout, done.stdout)
        self.assertEqual(self.call("help", expect=0).stdout, self.call("--help", expect=0).stdout)
        done = self.call("help", "vectors", "generate", expect=0)
        self.assertEqual(done.stdout, self.call("vectors", "generate", "--help", expect=0).stdout)

    def test_half_a_scheduler_environment(self):
        done = self.run_suite(expect=2, env={"JOB_COMPLETION_INDEX": "1"})
        self.assertIn("FP4CTS_SHARD_COUNT", done.stderr)


class ResultsTest(CliTest):
    def results(self, name="out"):
        return self.folder / name / "results.jsonl"

    def test_records_are_valid_and_complete(self):
        self.call("run", "--path", "right,writes_*,crashes,changes_input", "--level", "full",
                  "--report", "out", expect=1)
        records = self.records(self.results())
        kinds = [record["record"] for record in records]
        self.assertEqual(kinds[0], "header")
        self.assertEqual(kinds[-1], "end")
        header, end = records[0], records[-1]
        cases = [record for record in records if record["record"] == "case"]
        self.assertEqual(len(cases), header["plan"]["planned"])
        self.assertEqual([case["index"] for case in cases], list(range(header["plan"]["total"])))
        self.assertEqual(end["planned"], end["executed"])
        self.assertEqual(end["exit_code"], 1)
        self.assertEqual({record["device"] for record in records if record["record"] == "not_run"},
                         {"cuda", "hip"})

    def test_default_folder_and_no_report(self):
        self.call("run", "--path", "right", expect=0)
        self.assertEqual(len(list(self.folder.glob("results/*/results.jsonl"))), 1)

    def test_results_are_never_overwritten(self):
        self.call("run", "--path", "right", "--report", "out", expect=0)
        before = self.results().read_bytes()
        done = self.call("run", "--path", "right", "--report", "out", expect=2)
        self.assertIn("--resume", done.stderr)
        self.assertEqual(self.results().read_bytes(), before)

    def test_same_run_same_records(self):
        for name in ("a", "b"):
            self.call("run", "--path", "right,returns_early", "--report", name, expect=1)
        first, second = (self.records(self.results(name)) for name in ("a", "b"))
        self.assertEqual(without_times(first), without_times(second))

    def test_json_on_stdout_is_what_is_in_the_file(self):
        done = self.call("run", "--json", "--path", "right", "--report", "out", expect=0)
        self.assertEqual(done.stdout, self.results().read_text())

    def test_shards_together_are_the_whole(self):
        def cases(*arguments, env=None):
            done = self.run_suite("--json", "--level", "full", "--path", "right,chats", *arguments,
                                  expect=0, env=env)
            records = self.validated(done.stdout.splitlines())
            return {without_times(r)["index"]: without_times(r) for r in records
                    if r["record"] == "case"}
        whole = cases()
        parts = [cases("--shard", f"{i}/3") for i in range(3)]
        self.assertEqual(sum(len(part) for part in parts), len(whole))
        self.assertEqual({**parts[0], **parts[1], **parts[2]}, whole)
        slurm = {"SLURM_ARRAY_TASK_ID": "11", "SLURM_ARRAY_TASK_MIN": "10",
                 "SLURM_ARRAY_TASK_COUNT": "3"}
        self.assertEqual(cases(env=slurm), parts[1])

    def start(self, *arguments):
        child = subprocess.Popen([FAKE, "run", "--quiet", *arguments], cwd=self.folder,
                                 stdout=subprocess.PIPE, text=True, env=clean_environment())
        self.addCleanup(child.stdout.close)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.results().exists() and '"record":"case"' in self.results().read_text():
                return child
            time.sleep(0.02)
        child.kill()
        self.fail("no case was recorded within 60 s")

    def workers(self):
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                if command[1:2] == [b"worker"] and (entry / "cwd").resolve() == self.folder.resolve():
                    found.append(entry.name)
            except OSError:
                continue
        return found

    def finish_by_resuming(self):
        kept = [r for r in self.records_of_cut_file() if r["record"] in ("header", "case")]
        done = self.call("run", "--quiet", "--resume", "out", "--timeout", "0.2", expect=3)
        self.assertIn("ERROR", done.stdout)
        records = self.records(self.results())
        self.assertEqual([r for r in records if r["record"] in ("header", "case")][:len(kept)], kept)
        cases = [r for r in records if r["record"] == "case"]
        self.assertEqual([c["index"] for c in cases], list(range(records[0]["plan"]["total"])))
        self.assertEqual(records[-1]["record"], "end")
        self.assertEqual(sum(r["record"] == "end" for r in records), 1)

    def records_of_cut_file(self):
        text = self.results().read_text()
        return self.validated(text[:text.rfind("\n") + 1].splitlines())

    # "hangs" comes after "chats" in the order of the paths: it is in flight when the signal comes.
    ARGUMENTS = ("--report", "out", "--path", "chats,hangs", "--level", "full")

    def test_interrupted_run_leaves_valid_results_and_resumes(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                child = self.start(*self.ARGUMENTS)
                child.send_signal(number)
                self.assertEqual(child.wait(timeout=30), 4)
                said = child.stdout.read()
                self.assertEqual(said.splitlines()[-1], "INCOMPLETE")
                self.assertIn("go on with: fp4cts run --resume out/results.jsonl\n", said)
                self.assertNotIn("coverage:", said)
                end = self.records(self.results())[-1]
                self.assertTrue(end["interrupted"])
                self.assertEqual(self.workers(), [])
                self.finish_by_resuming()
                self.results().unlink()

    def test_killed_run_leaves_no_worker_and_resumes(self):
        child = self.start(*self.ARGUMENTS)
        child.kill()
        child.wait(timeout=30)
        deadline = time.monotonic() + 10
        while self.workers() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(self.workers(), [])
        with self.results().open("a") as file:
            file.write('{"record":"case","index":1,')  # as if it had died while it wrote
        self.finish_by_resuming()

    def test_another_plan_is_not_resumed(self):
        self.call("run", "--path", "right", "--report", "out", expect=0)
        text = self.results().read_text()
        self.results().write_text(text.replace('"level":"standard"', '"level":"smoke"'))
        before = self.results().read_text()
        done = self.call("run", "--resume", "out", expect=2)
        self.assertIn("out: does not add up: the header says that", done.stderr)
        self.assertEqual(self.results().read_text(), before)

    def test_finished_run_resumes_to_the_same(self):
        self.call("run", "--path", "right", "--level", "full", "--report", "out", expect=0)
        before = self.records(self.results())
        self.call("run", "--resume", "out", expect=0)
        self.assertEqual(without_times(self.records(self.results())), without_times(before))


class ScreenTest(CliTest):
    def test_mismatch_says_where_what_and_how_to_repeat(self):
        done = self.run_suite("--path", "writes_outside", "--level", "smoke", expect=1)
        self.assertIn("MISMATCH doubling/one writes_outside on cpu: written outside out (guard "
                      "after) at byte 80: 0xc5 became 0x00, 3 bytes in all", done.stdout)
        command = re.search(r"reproduce: fp4cts (.*)", done.stdout).group(1)
        again = self.call(*command.split(), "--no-report", expect=1)
        self.assertIn("MISMATCH doubling/one writes_outside on cpu", again.stdout)

    def test_errors_are_capped_and_counted(self):
        done = self.run_suite("--path", "writes_nothing", "--level", "full", "--max-errors", "1",
                              expect=1)
        self.assertEqual(done.stdout.count("MISMATCH doubling/"), 1)
        self.assertIn("3 more are not shown (--max-errors 1)", done.stdout)

    def test_table_has_a_row_for_each_implementation(self):
        done = self.run_suite("--path", "right,fails", "--level", "full", expect=3)
        self.assertRegex(done.stdout, r"\noperation +path +device +planned +run +compared ")
        self.assertRegex(done.stdout, r"\ndoubling +right +cpu +4 +4 +201 kB +0 +0 +200\n")
        self.assertRegex(done.stdout, r"\ndoubling +fails +cpu +4 +4 +0 B +0 +4 +-\n")

    def test_no_escape_codes_without_a_terminal(self):
        done = self.call("run", "--no-report", "--path", "writes_nothing", expect=1)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_quiet_is_quiet(self):
        self.assertEqual(self.run_suite("--path", "crashes", expect=3).stderr, "")


class UnderTestTest(CliTest):
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


class OtherCommandsTest(CliTest):
    def test_list(self):
        done = self.call("list", expect=0)
        for text in ("doubling", "a fake CPU", "libcuda.so.1 was not found",
                     "no: needs a device that does not exist"):
            self.assertIn(text, done.stdout)
        listed = json.loads(self.call("list", "--json", "--cases", expect=0).stdout)
        self.assertEqual(listed["operations"][0]["cases"],
                         {"smoke": 1, "standard": 3, "full": 4, "exhaustive": 4})
        self.assertEqual(len(listed["operations"][0]["case_list"]), 4)
        self.assertEqual(listed["devices"][0]["name"], "cpu")
        unavailable = {i["path"]: i["unavailable"] for i in listed["implementations"]}
        self.assertEqual(unavailable["right"], "")
        self.assertEqual(unavailable["qmul4"], "needs a device that does not exist")

    def explained(self, *arguments):
        return json.loads(self.call("explain", *arguments, "--json", expect=0).stdout)

    def test_explain(self):
        done = self.call("explain", "qmul4", "--code", "0xb", "--scale", "0x7a", expect=0)
        for text in ("0xb = 0b1'01'1", "-1.5", "0x7a", "320", "-480", "0xfe"):
            self.assertIn(text, done.stdout)
        self.assertEqual(self.explained("qmul4", "--code", "0xb", "--scale", "0x7a")["byte"], "0xfe")
        self.assertEqual(self.explained("qmul4", "--code", "2", "--scale", "0b111000")["byte"],
                         "0x38")
        tie = self.explained("qmul4", "--code", "1", "--scale", "1")
        self.assertEqual((tie["byte"], tie["step"], tie["product"]["dyadic"]),
                         ("0x00", "tie, down", "1*2^-10"))
        self.assertEqual(self.explained("qmul4", "--code", "0", "--scale", "0xff")["byte"], "0x7f")
        self.assertEqual(self.explained("qmul4", "--code", "8", "--scale", "0x38")["byte"], "0x80")
        mx = self.explained("mxfp4", "--code", "1", "--scale", "0", "--to", "f32")
        self.assertEqual(mx["bits"], "0x00200000")
        mx = self.explained("mxfp4", "--code", "1", "--scale", "0", "--to", "bf16")
        self.assertEqual(mx["bits"], "0x0020")
        shift = self.explained("mxfp4", "--code", "2", "--scale", "0", "--to", "f32", "--profile",
                               "shift23")
        self.assertEqual((shift["bits"], shift["scale_value"]), ("0x00000000", "0"))

    def test_explain_takes_operations_by_their_names(self):
        arguments = ("--code", "0xb", "--scale", "0x7a")
        self.assertEqual(self.explained("nvfp4_gather_index_k", *arguments)["byte"], "0xfe")
        for name in ("mxfp4_decode_pages", "mxfp4_gather_pages"):
            self.assertEqual(self.explained(name, *arguments, "--to", "f32"),
                             {**self.explained("mxfp4", *arguments, "--to", "f32"), "what": name})
        done = self.call("explain", "nvfp4_gather_index", *arguments, expect=2)
        self.assertIn("did you mean nvfp4_gather_index_k?", done.stderr)

    def test_explain_a_conversion(self):
        done = self.call("explain", "encode_e4m3", "--x", "0x3ff9999a", expect=0)
        for text in ("encode_e4m3: f32 to e4m3, profile ocp", "0x3ff9999a", "0x40"):
            self.assertIn(text, done.stdout)
        carry = self.explained("encode_e4m3", "--x", "0x3ff9999a")
        self.assertEqual((carry["byte"], carry["step"], carry["at_most"]["bits"]),
                         ("0x40", "up", "0x3f"))
        self.assertEqual(self.explained("encode_e4m3", "--x", "0xffc00000")["byte"], "0x7f")
        fnuz = self.explained("encode_e4m3", "--x", "0x80000000", "--profile", "fnuz")
        self.assertEqual(fnuz["byte"], "0x00")

    def test_explain_any_conversion(self):
        self.assertEqual(self.explained("convert", "--from", "f16", "--to", "e5m2", "--x", "0x3c00")["byte"], "0x3c")
        self.assertEqual(self.explained("convert", "--from", "e8m0", "--to", "f32", "--x", "0")["bits"], "0x00400000")
        nan = self.explained("convert", "--from", "f32", "--to", "e2m1", "--x", "0x7fc00000")
        self.assertEqual(nan["byte" if "byte" in nan else "bits"], "0x7")
        same = self.explained("convert", "--from", "f32", "--to", "e4m3", "--x", "0x3ff9999a")
        self.assertEqual(same, {**self.explained("encode_e4m3", "--x", "0x3ff9999a"), "what": "convert"})

    def test_explain_refuses_with_the_range(self):
        for arguments, text in (
                (["qmul4", "--code", "0x10", "--scale", "0"], "--code: expected bits from 0x0 to 0xf"),
                (["qmul4", "--code", "0", "--scale", "256"], "--scale: expected bits from 0x0 to 0xff"),
                (["qmul4", "--code", "0x", "--scale", "0"], "--code"),
                (["qmul4", "--code", "-1", "--scale", "0"], "--code"),
                (["qmul5", "--code", "0", "--scale", "0"], "qmul4, nvfp4, mxfp4"),
                (["mxfp4", "--code", "0", "--scale", "0", "--to", "f64"], "e4m3, f32, bf16, f16"),
                (["qmul4", "--code", "0", "--scale", "0", "--to", "f32"], "qmul4 always gives e4m3"),
                (["qmul4", "--code", "0", "--scale", "0", "--profile", "x"], "there are: ocp"),
                (["qmul4", "--code", "0"], "--scale: qmul4 needs it"),
                (["qmul4", "--code", "0", "--scale", "0", "--x", "1"], "--x: qmul4 has none"),
                (["encode_e4m3", "--code", "0"], "--x: encode_e4m3 needs it"),
                (["encode_e4m3", "--x", "0", "--to", "f32"], "--to: encode_e4m3 has none"),
                (["convert", "--from", "f32", "--to", "f16", "--x", "0"], "got f32_to_f16"),
                (["convert", "--to", "f32", "--x", "0"], "--from: expected one of f32, f16, bf16, e4m3"),
                (["convert", "--from", "e4m3", "--to", "f32", "--x", "0x100"], "expected bits from 0x0 to 0xff"),
                (["encode_e4m3", "--x", "0x100000000"], "expected bits from 0x0 to 0xffffffff")):
            done = self.call("explain", *arguments, expect=2)
            self.assertIn(text, done.stderr)

    def test_version(self):
        done = self.call("version", expect=0)
        self.assertRegex(done.stdout, r"^fp4cts \d+\.\d+\.\d+ \(commit ([0-9a-f]{40}(-dirty)?|unknown)\)")
        self.assertEqual(self.call("--version", expect=0).stdout, done.stdout)
        self.assertEqual(json.loads(self.call("version", "--json", expect=0).stdout)["name"], "fp4cts")

    def test_completions_offer_values(self):
        script = self.call("completion", "bash", expect=0).stdout
        for line, words in (("fp4cts run --level ", "smoke standard full exhaustive"),
                            ("fp4cts run --op ", "doubling"),
                            ("fp4cts run --profile ", "ocp cuda fnuz shift23"),
                            ("fp4cts run --device ", "cpu cuda cuda:0 hip hip:0 ptx all"),
                            ("fp4cts vectors generate --set ", "smoke"),
                            ("fp4cts explain ", "nvfp4_gather_index_k"),
                            ("fp4cts gen ", "qmul4")):
            asked = (f"COMP_WORDS=({line}''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _fp4cts; "
                     "printf '%s ' \"${COMPREPLY[@]}\"")
            offered = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True,
                                     cwd=self.folder, check=True).stdout
            for word in words.split():
                self.assertIn(word, offered.split(), line)


if __name__ == "__main__":
    FAKE = str(pathlib.Path(sys.argv[1]).resolve())
    schema = json.loads(pathlib.Path(sys.argv[2]).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    SCHEMA = jsonschema.Draft202012Validator(schema)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
