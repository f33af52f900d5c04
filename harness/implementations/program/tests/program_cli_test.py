# SPDX-License-Identifier: Apache-2.0
"""Programs over files end to end: each that misbehaves gets its own right verdict while the run
completes, and nothing of it is left behind. Runs on fake_fp4cts with programs/doubling.py.

usage: program_cli_test.py FAKE_FP4CTS RESULTS_SCHEMA
"""
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
PROGRAM = pathlib.Path(__file__).resolve().parent / "doubling.py"

# What each does, and what is to be recorded of it: the verdict and a pattern of the reason.
KEEPS = r" \(FP4CTS_KEEP_FILES=DIR keeps its files\)"
BEHAVIOURS = {
    "right": ("pass", "^$"),
    "noise": ("pass", "^$"),
    "litters": ("pass", "^$"),
    "leaves_a_process": ("pass", "^$"),
    "wrong": ("mismatch", "^1 of 80 output bytes are wrong$"),
    "differs": ("mismatch", "^1 of 80 output bytes are wrong in the second run$"),
    "crashes": ("error", f"^the program was killed by SIGSEGV{KEEPS}; its last output: about to crash$"),
    "raises": ("error", f"^the program exited with status 1{KEEPS}; its last output: .*no such layout$"),
    "eats_memory": ("error", f"^the program exited with status 1{KEEPS}; its last output: .*MemoryError$"),
    "no_answer": ("error", f"^the program exited with status 0 and wrote no answer{KEEPS}$"),
    "garbage": ("error", f"^its answer: .*{KEEPS}$"),
    "truncated": ("error", f"^its answer: .*expected .*{KEEPS}$"),
    "wrong_dtype": ("error", r'^its answer: tensor "out": expected U8 \[80\], got I32 \[20\]'),
    "short": ("error", r'^its answer: tensor "out": expected U8 \[80\], got U8 \[79\]'),
    "extra": ("error", '^its answer: tensor "debug": expected no such output'),
    "renamed": ("error", '^its answer: expected a tensor "out", got none'),
    "hangs": ("error", r"^no answer within 8 s; its last output: waiting$"),
}
EXIT_CODES = {"pass": 0, "mismatch": 1, "error": 3}


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-programs-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def environment(self, **more):
        names = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX")
        kept = {k: v for k, v in os.environ.items() if k not in names}
        return {**kept, "TMPDIR": str(self.temporary), **more}

    def call(self, *arguments, expect, **environment):
        done = subprocess.run([FAKE, *arguments], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, env=self.environment(**environment))
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def program(self, behaviour):
        """An option for a program with this name: a script that becomes doubling.py."""
        script = self.folder / f"{behaviour}.sh"
        script.write_text(f'exec {sys.executable} {PROGRAM} {behaviour} "$@"\n')
        return ["--dut-cmd", f"sh ./{behaviour}.sh {{in}} {{out}}"]

    def judge(self, *arguments, expect, **environment):
        done = self.call("run", "--quiet", "--no-report", "--json", "--level", "smoke", "--op",
                         "doubling", *arguments, expect=expect, **environment)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        for record in records:
            SCHEMA.validate(record)
        return records

    def left_behind(self):
        return sorted(path.name for path in self.temporary.rglob("*"))


class MisbehaviourTest(ProgramTest):
    def test_each_has_its_verdict_and_the_run_completes(self):
        options = [word for behaviour in BEHAVIOURS for word in self.program(behaviour)]
        records = self.judge(*options, "--timeout", "8", "--memory-limit", "1GiB", expect=1)
        cases = {record["path"]: record for record in records if record["record"] == "case"}
        self.assertEqual(set(cases), set(BEHAVIOURS))
        for behaviour, (verdict, pattern) in BEHAVIOURS.items():
            with self.subTest(behaviour):
                self.assertEqual(cases[behaviour]["verdict"], verdict, cases[behaviour]["reason"])
                self.assertRegex(cases[behaviour]["reason"], pattern)
        end = records[-1]
        self.assertEqual((end["planned"], end["executed"]), (len(BEHAVIOURS), len(BEHAVIOURS)))
        self.assertEqual(self.left_behind(), [])

    def test_exit_codes(self):
        for behaviour in ("right", "wrong", "differs", "crashes", "no_answer", "extra"):
            self.judge(*self.program(behaviour), expect=EXIT_CODES[BEHAVIOURS[behaviour][0]])

    def test_second_answer_that_differs_is_named(self):
        records = self.judge(*self.program("differs"), expect=1)
        case = next(record for record in records if record["record"] == "case")
        self.assertEqual(case["diagnosis"]["fault_class"], "not_repeatable")

    def test_killed_run_leaves_no_program(self):
        child = subprocess.Popen([FAKE, "run", "--quiet", "--no-report", "--op", "doubling",
                                  *self.program("hangs")], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, env=self.environment())
        deadline = time.monotonic() + 60
        while not self.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue(self.running())
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=60), 4)
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.running(), [])
        self.assertEqual(self.left_behind(), [])

    def running(self):
        """Processes that have a file of this test on their command line."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(self.temporary).encode() in command:
                found.append(command)
        return found


class UseTest(ProgramTest):
    def test_reproduce_command_repeats_the_failure_and_keeps_its_files(self):
        records = self.judge(*self.program("wrong"), expect=1)
        case = next(record for record in records if record["record"] == "case")
        words = shlex.split(case["reproduce"])
        self.assertEqual(words[:2], ["fp4cts", "run"])
        self.call(*words[1:], "--no-report", "--quiet", expect=1, FP4CTS_KEEP_FILES="kept")
        for number in ("0001", "0002"):
            self.assertEqual(sorted(path.name for path in (self.folder / "kept" / number).iterdir()),
                             ["answer.safetensors", "problem.safetensors"])
        self.assertEqual(self.left_behind(), [])

    def test_results_resume_with_the_same_script_alone(self):
        option = self.program("right")
        self.call("run", "--quiet", "--op", "doubling", *option, "--report", "out", expect=0)
        self.call("run", "--quiet", "--resume", "out", expect=0)
        script = self.folder / "right.sh"
        script.write_text(script.read_text() + "# edited\n")
        done = self.call("run", "--quiet", "--resume", "out", expect=2)
        self.assertIn("cannot resume: what is under test was", done.stderr)

    def test_what_cannot_be_run_is_wrong_usage(self):
        for command, message in (
                ("pyhton3 x.py", "--dut-cmd: pyhton3: no program of this name is on the PATH"),
                ("./nothing", "--dut-cmd: ./nothing: no such program"),
                ("sh x | tee log", "--dut-cmd: no shell reads the command, and '|' would need one"),
                ("A=1 sh x", "--dut-cmd: no shell reads the command: write env A=... before"),
                ("sh x {in}", "--dut-cmd: the command has {in} and not {out}"),
                ("sh 'x", "--dut-cmd: the command has an open '"),
                ("", "--dut-cmd: the command is empty")):
            done = self.call("run", "--op", "doubling", "--dut-cmd", command, expect=2)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_operations_must_be_named(self):
        done = self.call("run", *self.program("right"), expect=2)
        self.assertIn("--dut-cmd: --op must name the operations that the program has", done.stderr)

    def test_list_shows_it(self):
        done = self.call("list", *self.program("right"), expect=0)
        self.assertRegex(done.stdout, r"doubling +right +cpu +ocp +yes")
        self.assertEqual(self.left_behind(), [])


def main():
    global FAKE, SCHEMA
    FAKE = sys.argv[1]
    SCHEMA = jsonschema.Draft202012Validator(json.loads(pathlib.Path(sys.argv[2]).read_text()))
    del sys.argv[1:3]
    unittest.main()


if __name__ == "__main__":
    main()
