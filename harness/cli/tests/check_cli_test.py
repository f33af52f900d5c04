# SPDX-License-Identifier: Apache-2.0
"""`fp4cts check` and what the other commands make of its results, with the shipped binary.

usage: check_cli_test.py FP4CTS
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FP4CTS = None
GOLDEN = None  # a folder with the sets smoke and elements
ANSWERS = None  # and the right answers to them


def answer(golden, path):
    """Writes what a right program answers: the tensors that the golden file has as expected.NAME."""
    data = golden.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header, out = {}, b""
    for name, tensor in json.loads(data[8:8 + length]).items():
        if name.startswith("expected."):
            begin, end = tensor["data_offsets"]
            header[name.removeprefix("expected.")] = {**tensor, "data_offsets": [len(out), len(out) + end - begin]}
            out += data[8 + length + begin:8 + length + end]
    text = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(len(text).to_bytes(8, "little") + text + out)


def setUpModule():
    global GOLDEN, ANSWERS
    folder = tempfile.TemporaryDirectory(prefix="fp4cts-golden-")
    unittest.addModuleCleanup(folder.cleanup)
    GOLDEN = pathlib.Path(folder.name) / "golden"
    subprocess.run([FP4CTS, "vectors", "generate", "--quiet", "--set", "smoke", "--set", "elements", "--out", GOLDEN],
                   check=True, capture_output=True, timeout=120)
    ANSWERS = pathlib.Path(folder.name) / "answers"
    for golden in GOLDEN.glob("**/*.safetensors"):
        answer(golden, ANSWERS / golden.relative_to(GOLDEN))


class CheckTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-check-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, expect):
        done = subprocess.run([FP4CTS, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=self.folder)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def check(self, name, golden=None, answers=None, *options, expect):
        return self.call("check", golden or GOLDEN / "smoke", answers or ANSWERS / "smoke", "--report", name, *options,
                         expect=expect)

    def records(self, name):
        return [json.loads(line) for line in (self.folder / name / "results.jsonl").read_text().splitlines()]

    def write(self, name, records):
        (self.folder / name).mkdir(exist_ok=True)
        (self.folder / name / "results.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))

    def one_wrong_byte(self):
        answers = self.folder / "answers"
        shutil.copytree(ANSWERS / "smoke", answers)
        file = answers / "nvfp4_gather_index_k" / "exhaustive_page.safetensors"
        data = bytearray(file.read_bytes())
        data[-1] ^= 1
        file.write_bytes(data)
        return answers

    def test_its_results_give_the_same_verdict_again(self):
        self.assertIn("CONFORMS on outside (answers in files)", self.check("right", expect=0))
        self.assertIn("CONFORMS on outside (answers in files)", self.call("report", "right", expect=0))
        self.check("tables", GOLDEN / "elements", ANSWERS / "elements", expect=0)
        self.call("report", "tables", expect=0)

    def test_a_file_that_nothing_asks_for_stays_an_error(self):
        answers = self.folder / "answers"
        shutil.copytree(ANSWERS / "smoke", answers)
        shutil.copy(ANSWERS / "smoke/qmul4/all_pairs.safetensors", answers / "extra.safetensors")
        for text in (self.check("extra", answers=answers, expect=2), self.call("report", "extra", expect=2)):
            self.assertIn("extra.safetensors: no golden file has this path", text)
            self.assertIn("ERROR", text)

    def test_a_mismatch_that_is_called_a_pass_is_refused(self):
        self.check("wrong", answers=self.one_wrong_byte(), expect=1)
        records = self.records("wrong")
        for record in records:
            if record.get("verdict") == "mismatch" and record["record"] == "case":
                record.update(verdict="pass", reason="")
                del record["diagnosis"], record["trespasses"]
        self.write("edited", records)
        self.assertIn("output bytes are not the right ones", self.call("report", "edited", expect=2))
        # Without what was asked nobody can tell: then it is not green.
        for record in records:
            record.pop("asked", None)
        self.write("forgotten", records[:-1])
        self.assertIn("cannot be computed again", self.call("report", "forgotten", expect=4))

    def test_an_end_record_that_does_not_follow_is_refused(self):
        self.check("right", expect=0)
        records = self.records("right")
        records[-1].update(verdict="MISMATCH", exit_code=1)
        self.write("edited", records)
        self.assertIn("the end record says MISMATCH", self.call("report", "edited", expect=2))

    def test_a_run_cannot_pass_for_one(self):
        self.call("run", "--quiet", "--device", "cpu", "--level", "smoke", "--op", "qmul4", "--path", "fp32",
                  "--report", "run", expect=0)
        records = [each for each in self.records("run") if each["record"] in ("header", "case")]
        records[0].update(devices=[], implementations=[], not_run_rows=0)
        records[0]["selection"].update(devices=["outside"], operations=[], paths=[])
        for record in records[1:]:
            record["device"] = "outside"
        self.write("relabelled", records)
        self.call("report", "relabelled", expect=2)

    def test_two_sets_with_the_same_cases_are_told_apart(self):
        both, answers = self.folder / "both", self.folder / "answers"
        for name in ("smoke", "again"):
            shutil.copytree(GOLDEN / "smoke", both / name)
            shutil.copytree(ANSWERS / "smoke", answers / name)
        text = self.check("two", both, answers, expect=0)
        self.assertIn("files/smoke", text)
        self.assertIn("files/again", text)
        self.call("report", "two", expect=0)

    def test_one_call_in_two_files_of_a_set_is_refused(self):
        both, answers = self.folder / "both", self.folder / "answers"
        for name in ("set/a", "set/b"):
            shutil.copytree(GOLDEN / "smoke/qmul4", both / name)
            shutil.copytree(ANSWERS / "smoke/qmul4", answers / name)
        self.assertIn("expected each call of a case in one golden file", self.call("check", both, answers, expect=2))

    def test_golden_files_that_a_manifest_lists_must_be_there(self):
        golden = self.folder / "golden"
        shutil.copytree(GOLDEN, golden)
        (golden / "smoke/qmul4/all_pairs.safetensors").unlink()
        self.assertIn("smoke/qmul4/all_pairs.safetensors that it lists, which is not there",
                      self.call("check", golden, ANSWERS, expect=2))

    def test_checks_by_different_profiles_are_not_identical(self):
        file = "smoke/nvfp4_gather_index_k/layout_page.safetensors"
        self.check("ocp", GOLDEN / file, ANSWERS / file, expect=0)
        self.check("cuda", GOLDEN / file, ANSWERS / file, "--profile", "cuda", expect=0)
        self.assertIn("judged by another profile", self.call("diff", "ocp", "cuda", expect=4))
        self.assertEqual([each["name"] for each in self.records("cuda")[0]["profiles"]], ["cuda"])


if __name__ == "__main__":
    FP4CTS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
