# SPDX-License-Identifier: Apache-2.0
"""GPUs of one machine from the command line: every one of a kind, side by side, each with its board in the
record. CUDA and NVML are fakes, whose devices are the host's memory.

usage: boards_cli_test.py FP4CTS FAKE_CUDA FAKE_NVML PLUGIN SCHEMA
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema  # Debian's python3-jsonschema

FP4CTS = FAKE_CUDA = FAKE_NVML = PLUGIN = SCHEMA = None


class BoardsCliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-boards-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, out, *arguments, devices=8, nvml=True, level="smoke", **more):
        names = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "CUDA_VISIBLE_DEVICES")
        environment = {**{k: v for k, v in os.environ.items() if k not in names}, **more,
                       "FP4CTS_CUDA_LIBRARY": FAKE_CUDA, "FAKE_CUDA_DEVICES": str(devices)}
        if nvml:
            environment["FP4CTS_NVML_LIBRARY"] = FAKE_NVML
        where = ["--resume", out] if "--resume" in arguments else [
            "--report", out, "--dut", PLUGIN, "--op", "qmul4", "--level", level,
            *(() if "--device" in arguments else ("--device", "cuda"))]
        return subprocess.Popen([FP4CTS, "run", "--no-color", *where, *(a for a in arguments if a != "--resume")],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                env=environment)

    def run_boards(self, out, *arguments, expect, **more):
        with self.start(out, *arguments, **more) as process:
            stdout, stderr = process.communicate(timeout=300)
        self.assertEqual(process.returncode, expect, stdout + stderr)
        return self.records(out), stdout

    def records(self, out):
        lines = (self.folder / out / "results.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        for record in records:
            jsonschema.validate(record, SCHEMA)
        return records

    def cases(self, records):
        return [record for record in records if record["record"] == "case"]

    def test_a_kind_is_each_of_its_gpus(self):
        records, _ = self.run_boards("out", expect=0)
        devices = [f"cuda:{i}" for i in range(8)]
        self.assertEqual([device["name"] for device in records[0]["devices"]], devices)
        self.assertEqual([row["device"] for row in records[-1]["rows"]], devices)
        cases = self.cases(records)
        self.assertEqual([case["index"] for case in cases], list(range(len(cases))))
        self.assertEqual(len(cases) % 8, 0)
        self.assertEqual([board["device"] for board in records[0]["environment"]["boards"]], devices)
        self.assertEqual([r["device"] for r in records if r["record"] == "board"], devices)

    def test_a_kind_of_which_there_is_none_was_asked_for_in_vain(self):
        records, stdout = self.run_boards("out", expect=4, devices=0)
        self.assertIn("device cuda was asked for, and ran nowhere", " ".join(records[-1]["reasons"]))
        self.assertIn("finds no GPU", stdout)

    def test_eight_boards_take_about_the_time_of_one(self):
        def seconds(devices):
            records, _ = self.run_boards(f"of{devices}", expect=0, devices=devices, FAKE_BOARD_MILLISECONDS="150")
            return records[-1]["seconds"]

        one, eight = seconds(1), seconds(8)
        self.assertGreater(one, 0.3)
        self.assertLess(eight, 3 * one, "one after the other they take eight times as long")

    def test_each_board_has_its_own_verdict(self):
        records, stdout = self.run_boards("out", expect=1, FAKE_BOARD_WRONG="3")
        for row in records[-1]["rows"]:
            wrong = row["device"] == "cuda:3"
            self.assertEqual(row["mismatches"], row["planned"] if wrong else 0, row)
        self.assertIn("MISMATCH qmul4/", stdout)

    def test_work_on_another_stream_than_the_calls_comes_too_early(self):
        records, stdout = self.run_boards("out", expect=1, devices=1, FAKE_BOARD_STREAM="default")
        self.assertGreater(records[-1]["rows"][0]["mismatches"], 0)
        self.assertIn("on_boards on cuda:0: 15304 of 16384 output bytes are wrong", stdout)

    def test_an_interrupted_run_goes_on(self):
        whole, _ = self.run_boards("whole", expect=0, level="standard", devices=3)
        process = self.start("cut", level="standard", devices=3, FAKE_BOARD_MILLISECONDS="100")
        results = self.folder / "cut" / "results.jsonl"
        deadline = time.monotonic() + 120
        while not (results.exists() and '"case"' in results.read_text()) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 4, stdout + stderr)
        cut = self.records("cut")
        self.assertTrue(cut[-1]["interrupted"])
        self.assertLess(len(self.cases(cut)), len(self.cases(whole)))
        done, _ = self.run_boards("cut", "--resume", expect=0, devices=3)
        told = [[(case["case"], case["device"], case["output_sha256"]) for case in self.cases(records)]
                for records in (whole, done)]
        self.assertEqual(*told)

    def test_the_board_is_in_the_record_with_the_drivers_number(self):
        records, _ = self.run_boards("out", expect=0, devices=1)
        header = records[0]
        self.assertEqual(header["devices"][0]["facts"]["driver"], self.driver())
        self.assertIn(f"driver {self.driver()}", header["devices"][0]["description"])
        board = header["environment"]["boards"][0]
        self.assertEqual(board["pci"], header["devices"][0]["facts"]["pci"])
        self.assertEqual(board["vbios"], "96.00.A5.00.01")
        self.assertEqual(board["power_limit_watts"], 699.5)
        after = next(record for record in records if record["record"] == "board")
        self.assertEqual(after["before"], board)
        self.assertEqual(after["after"], board)
        self.assertNotIn("ECC", json.dumps(records[-1]))

    # On a machine with a driver of NVIDIA's it is that one's, whatever the fake says.
    def driver(self):
        file = pathlib.Path("/proc/driver/nvidia/version")
        words = file.read_text().split() if file.exists() else []
        return next((word for word in words if word[0].isdigit() and "." in word), "601.22.03")

    def test_without_nvml_each_member_says_why(self):
        records, _ = self.run_boards("out", expect=0, devices=1, nvml=False,
                                     FP4CTS_NVML_LIBRARY="libno_such_nvml.so.1")
        board = records[0]["environment"]["boards"][0]
        for member in ("vbios", "clocks_mhz", "throttle_reasons", "power_limit_watts", "compute_mode"):
            self.assertTrue(board[member].startswith("not available: FP4CTS_NVML_LIBRARY: libno_such"), board)

    def test_a_counter_that_rose_is_in_the_verdict(self):
        tally = {"FAKE_NVML_TALLY": str(self.folder / "tally")}
        records, stdout = self.run_boards("out", expect=0, devices=2, **tally)
        boards = [record for record in records if record["record"] == "board"]
        for board in boards:
            rose = board["after"]["ecc"]["corrected"] - board["before"]["ecc"]["corrected"]
            self.assertGreater(rose, 0)
            word = f"{rose} corrected ECC error{'s' if rose > 1 else ''} during the run"
            self.assertIn(word, " ".join(s for s in records[-1]["scope"] if s.startswith(board["device"])))
            self.assertIn(word, stdout)
        records, stdout = self.run_boards("wrong", expect=1, devices=1, FAKE_BOARD_WRONG="0", **tally)
        self.assertIn("corrected ECC error", " ".join(records[-1]["reasons"]))
        report = subprocess.run([FP4CTS, "report", str(self.folder / "wrong"), "--junit",
                                 str(self.folder / "junit.xml")], capture_output=True, text=True)
        self.assertEqual(report.returncode, 1, report.stderr)
        self.assertIn("corrected ECC error", report.stdout)

    def test_the_system_is_in_the_record(self):
        environment = self.run_boards("out", expect=0, devices=1)[0][0]["environment"]
        self.assertTrue(environment["os_release"])
        self.assertTrue(environment["container"])


if __name__ == "__main__":
    FP4CTS, FAKE_CUDA, FAKE_NVML, PLUGIN = (os.path.abspath(path) for path in sys.argv[1:5])
    SCHEMA = json.loads(pathlib.Path(sys.argv[5]).read_text())
    unittest.main(argv=sys.argv[:1])
