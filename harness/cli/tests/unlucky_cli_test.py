# SPDX-License-Identifier: Apache-2.0
"""Hostile and unlucky circumstances, as a person, a scheduler or a broken disk makes them: every one
ends in the exit code and the words that are true. Runs on fake_fp4cts; what needs pages and golden
files runs on the shipped binary.

usage: unlucky_cli_test.py FAKE_FP4CTS [FP4CTS]
"""
import json
import os
import pathlib
import re
import resource
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom

FAKE = None
FP4CTS = None
RIGHT = ("--path", "right", "--level", "smoke", "--quiet")


class UnluckyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-unlucky-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, expect, binary=None, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        names = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX")
        environment = {k: v for k, v in os.environ.items() if k not in names}
        done = subprocess.run([binary or FAKE, *map(str, arguments)], text=True, timeout=120,
                              cwd=self.folder, env=environment, **options)
        self.assertEqual(done.returncode, expect, f"{done.stdout}{done.stderr}")
        return done

    def results(self, name="out"):
        self.call("run", *RIGHT, "--report", name, expect=0)
        return self.folder / name / "results.jsonl"


class NumbersTest(UnluckyTest):
    def test_what_is_no_number_or_does_not_fit_is_refused(self):
        for option, values in {
                "--timeout": ("nan", "inf", "-1", "0", "1e999", "5s", ""),
                "--seed": ("-1", "9223372036854775808", "18446744073709551616", "1e3", "nan", "0x10"),
                "--memory-limit": ("-1", "0", "nan", "1.5GiB", "4 GiB", "9999999999GiB", "GiB", "4XiB"),
                "--max-errors": ("-1", "nan", "18446744073709551616")}.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    done = self.call("run", *RIGHT, "--no-report", f"{option}={value}", expect=2)
                    self.assertIn(option, done.stderr)
                    self.assertEqual(done.stdout, "")
        for option, values in {"--time": ("nan", "inf", "-1s", "0"), "--cases": ("-1", "0", "nan"),
                               "--seed": ("9223372036854775808",), "--shrink-time": ("nan", "-1")}.items():
            for value in values:
                with self.subTest(command="fuzz", option=option, value=value):
                    self.call("fuzz", "--no-save", f"{option}={value}", expect=2)

    def test_the_largest_that_fit_are_taken(self):
        self.call("run", *RIGHT, "--no-report", "--seed=9223372036854775807", "--memory-limit=64GiB",
                  "--timeout=1e9", expect=0)


class OutputTest(UnluckyTest):
    def test_what_could_not_be_printed_is_no_success(self):
        for arguments in (("run", *RIGHT, "--no-report", "--json"), ("run", *RIGHT, "--no-report"),
                          ("list",), ("version",), ("--help",), ("run", "--help")):
            with self.subTest(arguments), open("/dev/full", "w") as full:
                done = self.call(*arguments, expect=3, stdout=full)
                self.assertIn("could not be written to standard output", done.stderr)

    def test_closed_descriptors_do_not_change_a_verdict(self):
        for closed in ((0,), (1,), (2,), (0, 1, 2)):
            with self.subTest(closed):
                self.call("run", *RIGHT, "--no-report", expect=0, stdout=None, stderr=None,
                          preexec_fn=lambda: [os.close(descriptor) for descriptor in closed])

    def test_nothing_that_is_printed_lands_in_a_file(self):
        def close_all():
            for descriptor in (0, 1, 2):
                os.close(descriptor)
        self.call("run", *RIGHT, "--report", "out", expect=0, stdout=None, stderr=None,
                  preexec_fn=close_all)
        for line in (self.folder / "out/results.jsonl").read_text().splitlines():
            json.loads(line)

    @unittest.skipUnless(os.geteuid() == 0, "only root may replace a device")
    def test_a_device_is_written_to_and_not_replaced(self):
        results = self.results()
        for option in ("--html", "--junit"):
            self.call("report", results, option, "/dev/null", expect=0)
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertEqual(list(pathlib.Path("/dev").glob("null.*")), [])
        os.mkfifo(self.folder / "pipe")
        reader = subprocess.Popen(["cat", self.folder / "pipe"], stdout=subprocess.PIPE)
        self.call("report", results, "--junit", self.folder / "pipe", expect=0)
        self.assertIn(b"<testsuites", reader.communicate(timeout=30)[0])

    def test_a_report_does_not_take_the_place_of_its_results(self):
        results = self.results()
        before = results.read_bytes()
        (self.folder / "link").symlink_to(results)
        for target in (results, self.folder / "link", self.folder / "out/../out/results.jsonl"):
            done = self.call("report", results.parent, "--html", target, expect=2)
            self.assertIn("holds the results", done.stderr)
        self.assertEqual(results.read_bytes(), before)

    def test_a_link_stays_a_link(self):
        results = self.results()
        (self.folder / "page.html").write_text("old")
        (self.folder / "link.html").symlink_to("page.html")
        self.call("report", results, "--html", "link.html", expect=0)
        self.assertTrue((self.folder / "link.html").is_symlink())
        self.assertIn("<html", (self.folder / "page.html").read_text())


class ForeignTextTest(UnluckyTest):
    EVIL = "evil\x1b[2J\x1b]0;t\x07\nCONFORMS\r\u2028\u202e\uffff<b>"

    def forge(self):
        """Results whose texts try to be more than texts."""
        results = self.results()
        records = [json.loads(line) for line in results.read_text().splitlines()]
        for record in records:
            if record["record"] == "header":
                record["environment"]["cpu"] = self.EVIL
                record["devices"][0]["description"] = self.EVIL
                record["implementations"][0]["toolkit"] = self.EVIL
            if record["record"] == "not_run":
                record["reason"] = self.EVIL
        results.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
        return results

    def check(self, text):
        for forbidden in ("\x1b", "\x07", "\r", "\u2028", "\u202e", "\uffff", "evil\n"):
            self.assertNotIn(forbidden, text)

    def test_reports_of_forged_results_show_them_as_text(self):
        self.call("report", self.forge(), "--report", "reports", expect=0)
        for name in ("summary.txt", "summary.json", "junit.xml", "report.html"):
            with self.subTest(name):
                self.check((self.folder / "reports" / name).read_text())
        xml.dom.minidom.parse(str(self.folder / "reports/junit.xml"))

    def test_a_terminal_shows_them_as_text(self):
        done = self.call("report", self.forge(), expect=0)
        self.check(done.stdout + done.stderr)

    def test_what_a_plug_in_says_is_text_wherever_it_is_shown(self):
        plug_in = self.folder / "evil.so"
        said = {"name": "right", "profile": "ocp\x1b[1m\nCONFORMS", "device_kinds": ["cpu"]}
        plug_in.write_bytes(b"\x7fELF" + bytes(12) + b"\x03\x00" + json.dumps(said).encode())
        done = self.call("run", "--quiet", "--level", "smoke", "--report", "out", "--dut", plug_in,
                         expect=4)
        self.check(done.stdout + done.stderr + (self.folder / "out/results.jsonl").read_text()
                   + (self.folder / "out/report.html").read_text())

    def test_errors_show_names_of_files_as_text(self):
        for name in ("\x1b[2J", "a\nfp4cts: CONFORMS", "\u202ex"):
            done = self.call("report", self.folder / name, expect=2)
            self.check(done.stderr.replace("evil", ""))
            self.assertEqual(len(done.stderr.splitlines()), 1)


class ResultsFolderTest(UnluckyTest):
    def test_a_run_that_was_killed_at_once_is_begun_again(self):
        for left in ("", '{"record":"head'):
            with self.subTest(left):
                file = self.folder / "shard/results.jsonl"
                file.parent.mkdir(exist_ok=True)
                file.write_text(left)
                done = self.call("run", "--quiet", "--resume", "shard", expect=2)
                self.assertIn("nothing of a run is in it", done.stderr)
                self.call("run", *RIGHT, "--report", "shard", expect=0)
                self.call("report", "shard", expect=0)
                file.unlink()

    def test_two_runs_on_one_folder(self):
        slow = subprocess.Popen(
            [FAKE, "run", "--quiet", "--path", "hangs,right", "--level", "standard", "--timeout", "3",
             "--report", "out"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        file = self.folder / "out/results.jsonl"
        for _ in range(500):
            if file.exists() and file.stat().st_size:
                break
            time.sleep(0.02)
        for arguments in (("--resume", "out"), (*RIGHT, "--report", "out")):
            done = self.call("run", "--quiet", *arguments, expect=2)
            self.assertIn("is being written by another run", done.stderr)
        slow.communicate(timeout=60)
        records = [json.loads(line) for line in file.read_text().splitlines()]
        self.assertEqual([r["record"] for r in records].count("end"), 1)

    def test_runs_that_begin_in_one_second_have_a_folder_each(self):
        runs = [subprocess.Popen([FAKE, "run", *RIGHT], cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True) for _ in range(6)]
        for run in runs:
            output = run.communicate(timeout=120)[0]
            self.assertEqual(run.returncode, 0, output)
        self.assertEqual(len(list((self.folder / "results").glob("*/results.jsonl"))), 6)


class ScarcityTest(UnluckyTest):
    def test_little_memory_is_an_error_in_words(self):
        for mebibytes in (24, 48, 96):
            with self.subTest(mebibytes):
                limit = mebibytes << 20
                done = subprocess.run(
                    [FAKE, "run", *RIGHT, "--no-report"], cwd=self.folder, capture_output=True, text=True,
                    timeout=120,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                # Loaders have words and an exit code of their own.
                self.assertIn(done.returncode, (0, 3, 4, 127), done.stdout + done.stderr)
                self.assertTrue(done.stdout + done.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "limits of processes do not count for root, who becomes another")
    def test_no_more_processes_is_an_error_in_words(self):
        nobody = 65534

        def become_nobody():
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
            os.setgid(nobody)
            os.setuid(nobody)

        self.folder.chmod(0o777)
        binary = pathlib.Path(FAKE)
        copy = self.folder / "fp4cts"
        copy.write_bytes(binary.read_bytes())
        copy.chmod(0o755)
        for arguments in (("run", *RIGHT, "--no-report"), ("fuzz", "--no-save"), ("list",)):
            done = self.call(*arguments, expect=3, binary=str(copy), preexec_fn=become_nobody)
            self.assertIn("cannot start a worker: fork: Resource temporarily unavailable", done.stderr)


class OneCommandTest(UnluckyTest):
    def test_a_second_subcommand_does_not_replace_the_first(self):
        for second in ("version", "list"):
            done = self.call("run", *RIGHT, "--no-report", second, expect=2)
            self.assertIn(second, done.stderr)

    def test_a_limit_of_file_sizes_is_an_error_in_words(self):
        done = subprocess.run(
            [FAKE, "run", *RIGHT, "--quiet", "--report", "out"], cwd=self.folder, capture_output=True, text=True,
            timeout=120, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)))
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("File too large", done.stderr)


class ShippedBinaryTest(UnluckyTest):
    def setUp(self):
        super().setUp()
        if FP4CTS is None:
            self.skipTest("the shipped binary is not built")

    def sparse(self, path, metadata):
        """A small file that states 60 GiB."""
        size = 60 << 30
        header = json.dumps({"__metadata__": metadata,
                             "out": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(header)) + header)
            file.truncate(8 + len(header) + size)

    def test_seeds_of_sets_are_what_was_written(self):
        for seed in ("-1", "18446744073709551616", "0x10"):
            self.call("vectors", "generate", "--set", "smoke", "--seed", seed, "--out", "set", expect=2, binary=FP4CTS)

    def test_a_line_without_an_end_is_not_awaited(self):
        with open("/dev/zero", "rb") as endless:
            done = self.call("ver", "qmul4", expect=2, binary=FP4CTS, stdin=endless)
        self.assertIn("at most 1024 bytes", done.stderr)

    def test_results_are_computed_again_in_the_memory_that_there_is(self):
        self.call("run", "--quiet", "--device", "cpu", "--level", "full", "--op", "qmul4", "--path", "fp32", "--report",
                  "results", expect=0, binary=FP4CTS)
        for megabytes in (150, 250, 350, 450, 550):
            limit = megabytes << 20
            done = subprocess.run(
                [FP4CTS, "report", "results"], cwd=self.folder, capture_output=True, text=True, timeout=120,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assertIn(done.returncode, (0, 3, 127), done.stdout + done.stderr)

    def test_a_sparse_file_that_states_more_than_there_is(self):
        answer = self.folder / "answer.safetensors"
        self.sparse(answer, {})
        failures = self.folder / "failures"
        failures.mkdir()
        self.sparse(failures / "qmul4-0.safetensors", {"format": "fp4cts problem 1", "operation": "qmul4"})
        for arguments in (("check", answer, answer),
                          ("fuzz", "--device", "cpu", "--time", "1s", "--failures", failures)):
            with self.subTest(arguments):
                done = self.call(*arguments, expect=2, binary=FP4CTS)
                self.assertRegex(done.stderr, "64424509440 bytes of tensors; .* has memory for [0-9]+ left")


if __name__ == "__main__":
    FAKE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        FP4CTS = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
