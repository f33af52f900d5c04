# SPDX-License-Identifier: Apache-2.0
"""Plug-ins end to end, on the binary as it is shipped: those that misbehave get their own right
verdict while everything else completes, and the templates of examples/dut build by the command that
stands in them and do what they say.

usage: plug_ins_test.py FP4CTS PROJECT_FOLDER PLUGIN_FOLDER [COMPILER...]
PLUGIN_FOLDER has misbehaving.so and without_declare.so; a COMPILER is the file of nvcc or hipcc.
"""
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema  # Debian's python3-jsonschema

FP4CTS = None
PROJECT = None
PLUGINS = None
COMPILERS = {}
GATHER = "nvfp4_gather_index_k"


class PlugInTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-plug-ins-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, expect):
        names = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX")
        environment = {k: v for k, v in os.environ.items() if k not in names}
        done = subprocess.run([FP4CTS, *arguments], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, env=environment)
        said = (done.stdout + done.stderr)[-4000:]
        if expect is not None:
            self.assertEqual(done.returncode, expect, said)
        return done

    def judge(self, *arguments, expect, level="smoke", device="cpu"):
        done = self.call("run", "--quiet", "--no-report", "--json", "--level", level, "--device",
                         device, *arguments, expect=expect)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        schema = json.loads((PROJECT / "harness/schema/results.schema.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        for record in records:
            validator.validate(record)
        return records

    def operations(self):
        listed = json.loads(self.call("list", "--json", *self.plug_in("right"), expect=0).stdout)
        return [operation["name"] for operation in listed["operations"]]

    def plug_in(self, behaviour):
        shutil.copy(PLUGINS / "misbehaving.so", self.folder / f"{behaviour}.so")
        return "--dut", f"./{behaviour}.so"

    def build(self, example, compiler=None):
        """By the command in the example's first comment, in a copy of its folder."""
        source = PROJECT / "examples/dut" / example
        text = source.read_text()
        command = re.search(r"^(?://| \*)   ((?:g\+\+|gcc|nvcc|hipcc) (?:.*\\\n)*.*)$", text, re.M).group(1)
        words = shlex.split(re.sub(r"\\\n(?://| \*) +", " ", command))
        words = [f"-I{PROJECT / 'include'}" if word.startswith("-I") else word for word in words]
        if compiler:
            words[0] = compiler
        shutil.copy(source, self.folder)
        subprocess.run(words, cwd=self.folder, check=True, timeout=300)
        library = self.folder / words[words.index("-o") + 1]
        self.assertIn(f"--dut ./{library.name}", text)
        return "--dut", f"./{library.name}"


# What each does, and what is to be recorded of it: the verdict and a pattern of the reason.
IN_A_CALL = {
    "crash": ("error", r"^cpu: invalid write at 0x0$"),
    "raise": ("error", r"^killed by SIGSEGV after \d+\.\d s; its last output: about to raise a signal$"),
    "overflow_stack": ("error", r"^killed by SIGSEGV"),
    "abort": ("error", r"^killed by SIGABRT"),
    "exit": ("error", r"^exited with status 0"),
    "hang": ("error", r"^no answer within 2 s"),
    "throw": ("error", r"^killed by SIGABRT.*; its last output: terminate called after throwing an "
                       r"instance of 'std::runtime_error' what\(\): out of luck$"),
    "exhaust_memory": ("error", r"^killed by SIGABRT.* 'std::bad_alloc'"),
    "return_error": ("error", r"^the plug-in returned 1: no kernel for cpu$"),
    "return_no_text": ("error", r"^the plug-in returned -17: it gave no reason$"),
    "endless_text": ("error", r"^the plug-in returned 1: x{1023}$"),
    "garbage_on_socket": ("error", r'^corrupt answer: expected "fp4cts w", got "Segmentation'),
    "answer_by_guess": ("error", r"^corrupt answer: expected one to this request, got an object"),
    "move_away_when_loaded": ("pass", r"^$"),
    "close_descriptors": ("error", r"^(exited with status 3|the connection was closed)"),
    "read_behind": ("error", r"^cpu: invalid read at 0x[0-9a-f]+, \d+ bytes behind num_pages"),
    "garbage_on_stdout": ("pass", r"^$"),
    "write_behind": ("mismatch", r"^written outside out \(guard after\)"),
    "write_before": ("mismatch", r"^written outside out \(guard before\)"),
    "write_input": ("mismatch", r"kv_cache"),
    "write_nothing": ("mismatch", r"output bytes are wrong"),
    "leave_last_byte": ("mismatch", r"output bytes are wrong"),
    "differ_second_time": ("mismatch", r"in the second run$"),
    "lie_about_profile": ("mismatch", r"output bytes are wrong"),
}
EXIT_CODES = {"pass": 0, "mismatch": 1, "error": 3}

# What cannot be opened, and a pattern of why.
BEFORE_A_CALL = {
    "wrong_version": r"fp4cts_dut_version: expected 1, got 2",
    "newer_header": r"its fp4cts_nvfp4_gather_index_k has \d+ bytes; expected \d+: it was built with "
                    r"another include/fp4cts/dut.h",
    "null_declaration": r"fp4cts_dut_declare returned null",
    "bad_name": r'its declaration: name: expected .*, got "my kernels"',
    "bad_device_kind": r"its declaration: device_kinds: expected .*, got 0x8",
    "no_entry": r"its declaration has no entry",
    "crash_when_loaded": r"killed by SIGBUS",
    "exit_when_loaded": r"exited with status 0",
    "hang_when_declared": r"no answer within 2 s",
    "replace_itself_when_loaded": r"what is under test was changed: its SHA-256 was [0-9a-f]{64}, and is now",
}
LIMITS = ("--timeout", "2", "--memory-limit", "1GiB")


class MisbehaviourTest(PlugInTest):
    def check_row(self, behaviour, records):
        verdict, pattern = IN_A_CALL[behaviour]
        cases = [r for r in records if r["record"] == "case" and r["path"] == behaviour]
        self.assertGreater(len(cases), 0)
        # A case may ask for nothing that this one does wrongly.
        wrong = [case for case in cases if case["verdict"] != "pass"] or cases
        for case in wrong:
            self.assertEqual(case["verdict"], verdict, case)
            self.assertRegex(case["reason"], pattern)
        if behaviour == "differ_second_time":
            self.assertEqual({case["diagnosis"]["fault_class"] for case in wrong}, {"not_repeatable"})

    def test_each_has_its_own_verdict(self):
        for behaviour, (verdict, _) in IN_A_CALL.items():
            with self.subTest(behaviour):
                records = self.judge("--op", GATHER, *self.plug_in(behaviour), *LIMITS,
                                     expect=EXIT_CODES[verdict])
                self.check_row(behaviour, records)
                self.assertEqual(records[-1]["executed"], records[-1]["planned"])

    def test_an_answer_in_the_workers_place_hides_nothing(self):
        """It searches the worker's memory for the request's number. Whether a freed copy is still whole there
        is the allocator's business: with it the judge reads the trampled guard, without it the answer is none."""
        behaviour = "answer_in_its_place"
        done = self.call("run", "--quiet", "--no-report", "--json", "--level", "smoke", "--device", "cpu",
                         "--op", GATHER, *self.plug_in(behaviour), *LIMITS, expect=None)
        self.assertIn(done.returncode, (1, 3))
        records = [json.loads(line) for line in done.stdout.splitlines()]
        cases = [r for r in records if r["record"] == "case" and r["path"] == behaviour]
        self.assertGreater(len(cases), 0)
        reasons = {"mismatch": r"^written outside out \(guard after\) at byte",
                   "error": r"^corrupt answer: expected one to this request"}
        for case in cases:
            self.assertIn(case["verdict"], reasons, case)
            self.assertRegex(case["reason"], reasons[case["verdict"]])

    def test_the_rest_of_the_run_completes(self):
        together = [*IN_A_CALL, "right", *BEFORE_A_CALL]
        arguments = [word for behaviour in together for word in self.plug_in(behaviour)]
        records = self.judge("--op", GATHER, *arguments, *LIMITS, expect=1)
        rows = {row["path"]: row for row in records[-1]["rows"]}
        self.assertEqual(set(rows), {*IN_A_CALL, "right"})
        for row in rows.values():
            self.assertEqual(row["run"], row["planned"])
        self.assertEqual(rows["right"]["passed"], rows["right"]["planned"])
        for behaviour in IN_A_CALL:
            self.check_row(behaviour, records)
        refused = {r["path"] for r in records if r["record"] == "not_run" and r["requested"]}
        self.assertEqual(refused, {f"./{behaviour}.so" for behaviour in BEFORE_A_CALL})

    def test_one_built_with_an_older_header_goes_on_working(self):
        records = self.judge(*self.plug_in("older_header"), *LIMITS, expect=0)
        rows = {row["operation"]: row for row in records[-1]["rows"]}
        self.assertEqual(rows[GATHER]["passed"], rows[GATHER]["planned"])
        reasons = {r["operation"]: r["reason"] for r in records if r["record"] == "not_run"}
        self.assertEqual(reasons["convert"], "the plug-in has no entry for it")

    def test_what_refuses_is_not_run_and_never_green(self):
        for behaviour, pattern in BEFORE_A_CALL.items():
            with self.subTest(behaviour):
                records = self.judge(*self.plug_in(behaviour), *LIMITS, expect=4)
                not_run = [r for r in records if r["record"] == "not_run"]
                self.assertEqual([r["path"] for r in not_run], [f"./{behaviour}.so"])
                self.assertRegex(not_run[0]["reason"], "^could not be opened: .*" + pattern)

    def test_a_library_that_is_no_plug_in(self):
        for name, function in (("without_declare", "fp4cts_dut_declare"),
                               ("no_plug_in", "fp4cts_dut_version")):
            file = self.folder / f"{name}.so"
            if name == "no_plug_in":
                subprocess.run(["gcc", "-shared", "-x", "c", "-", "-o", file], input=b"int x;", check=True)
            else:
                shutil.copy(PLUGINS / file.name, file)
            records = self.judge("--dut", str(file), expect=4)
            self.assertIn(f"could not be opened: it exports no function {function}",
                          records[1]["reason"])

    def test_its_digest_is_that_of_the_file_that_was_loaded(self):
        plug_in = self.plug_in("move_away_when_loaded")
        header = self.judge("--op", GATHER, *plug_in, expect=0)[0]
        digest = hashlib.sha256((self.folder / plug_in[1]).read_bytes()).hexdigest()
        self.assertEqual({each["module_sha256"] for each in header["implementations"]}, {digest})

    def test_lie_about_the_profile_is_seen_through(self):
        records = self.judge("--op", GATHER, *self.plug_in("lie_about_profile"), expect=1)
        exhaustive = next(r for r in records if r.get("case") == f"{GATHER}/exhaustive_page")
        self.assertEqual(exhaustive["diagnosis"]["matching_profile"], "fnuz")
        self.judge("--op", GATHER, *self.plug_in("lie_about_profile"), "--profile", "fnuz", expect=0)

    def test_unknown_profile(self):
        records = self.judge(*self.plug_in("unknown_profile"), expect=4)
        self.assertRegex(records[1]["reason"], "^its declared profile: no profile is named 'mine'; "
                                               "there are: ocp, ")

    def test_a_plug_in_that_refuses_the_device(self):
        records = self.judge(*self.plug_in("refuse_device"), *self.plug_in("right"), "--op", GATHER,
                             expect=4)
        not_run = [r for r in records if r["record"] == "not_run"]
        self.assertEqual([(r["path"], r["reason"], r["requested"]) for r in not_run],
                         [("refuse_device", "needs a left-handed GPU", True)])

    def test_operations_that_it_lacks_are_said(self):
        records = self.judge(*self.plug_in("right"), expect=0)
        not_run = {r["operation"]: r["reason"] for r in records if r["record"] == "not_run"}
        self.assertEqual(set(not_run), set(self.operations()) - {GATHER})
        self.assertEqual(set(not_run.values()), {"the plug-in has no entry for it"})
        self.judge(*self.plug_in("right"), "--op", "qmul4", expect=4)


class TemplateTest(PlugInTest):
    def test_cpu_template_conforms(self):
        arguments = self.build("cpu/my_kernels.cpp")
        records = self.judge(*arguments, level="standard", expect=0)
        rows = {row["operation"]: row for row in records[-1]["rows"]}
        self.assertEqual(set(rows), {GATHER, "qmul4"})
        listed = json.loads(self.call("list", "--json", *arguments, expect=0).stdout)
        info = next(i for i in listed["implementations"] if i["operation"] == GATHER)
        self.assertEqual((info["path"], info["profile"], info["unavailable"]), ("my_kernels", "ocp", ""))
        self.assertRegex(info["toolkit"], r"^g\+\+ \d+")

    def test_null_fails_in_every_operation(self):
        records = self.judge(*self.build("null.c"), expect=1)
        rows = records[-1]["rows"]
        self.assertEqual(sorted(row["operation"] for row in rows), sorted(self.operations()))
        for row in rows:
            self.assertGreater(row["mismatches"], 0)
            self.assertEqual(row["errors"], 0)

    def test_wrong_is_named(self):
        arguments = self.build("wrong.c")
        records = self.judge(*arguments, "--op", "qmul4", expect=1)
        classes = {r["diagnosis"]["fault_class"] for r in records
                   if r["record"] == "case" and r["verdict"] == "mismatch"}
        self.assertEqual(classes - {""}, {"enc_ties_away"})  # a few bytes alone are not named
        wrong = max(r["diagnosis"]["mismatches"] for r in records
                    if r["record"] == "case" and r["verdict"] == "mismatch")
        self.assertEqual(wrong % 188, 0)  # what its comment says of all pairs

    def gpu_template(self, compiler, example, kind):
        if compiler not in COMPILERS:
            self.skipTest(f"{compiler} is not here")
        arguments = self.build(example, COMPILERS[compiler])
        records = self.judge(*arguments, expect=4)  # on the CPU: it is loaded, and does not run there
        self.assertEqual(records[1]["reason"],
                         f"runs on {kind}, and no device of that kind is selected and here")

    def test_cuda_template_builds_and_loads(self):
        self.gpu_template("nvcc", "cuda/my_kernels.cu", "cuda")

    def test_hip_template_builds_and_loads(self):
        self.gpu_template("hipcc", "hip/my_kernels.hip", "hip")


class DocumentTest(PlugInTest):
    def test_the_examples_of_the_page_are_true(self):
        """Every ```console block of docs/plug-ins.md, run. In what is shown, "..." stands for anything,
        and alone in a line for any lines."""
        shutil.copytree(PROJECT / "examples", self.folder / "examples")
        (self.folder / "include").symlink_to(PROJECT / "include")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/fp4cts").symlink_to(FP4CTS)
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        blocks = re.findall(r"^```console\n(.*?)^```", (PROJECT / "docs/plug-ins.md").read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 0)
        commands = 0
        for block in blocks:
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                commands += 1
                done = subprocess.run(["sh", "-c", command], cwd=self.folder / "examples/dut", text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=300)
                lines = [re.escape(" ".join(line.split())).replace(re.escape("..."), ".*")
                         for line in shown.splitlines()]
                pattern = "\n".join("(?s:.*)" if line == ".*" else line for line in lines)
                actual = "\n".join(" ".join(line.split()) for line in done.stdout.splitlines())
                self.assertRegex(actual, f"^{pattern}$", command)
        self.assertGreater(commands, 3)


if __name__ == "__main__":
    FP4CTS = str(pathlib.Path(sys.argv[1]).resolve())
    PROJECT = pathlib.Path(sys.argv[2]).resolve()
    PLUGINS = pathlib.Path(sys.argv[3]).resolve()
    while len(sys.argv) > 4 and pathlib.Path(sys.argv[4]).name in ("nvcc", "hipcc"):
        compiler = pathlib.Path(sys.argv.pop(4))
        COMPILERS[compiler.name] = str(compiler)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
