# SPDX-License-Identifier: Apache-2.0
"""`fp4cts run` as a person or a script meets it: exit codes, words, and results that are valid under
the schema.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import fake_suite
from fake_suite import RunTest, clean_environment, without_times


class VerdictTest(RunTest):
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


class UsageTest(RunTest):
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


class ResultsTest(RunTest):
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
        child = subprocess.Popen([fake_suite.FAKE, "run", "--quiet", *arguments], cwd=self.folder,
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


class ScreenTest(RunTest):
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


if __name__ == "__main__":
    fake_suite.main()
