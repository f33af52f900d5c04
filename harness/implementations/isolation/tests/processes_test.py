# SPDX-License-Identifier: Apache-2.0
"""What is judged is kept apart from the judge, and ends with it. Runs on fake_fp4cts with programs
under test that try to read the judge or to live on.

usage: processes_test.py FAKE_FP4CTS
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

FAKE = None

# Answers as it must: every byte of `in` doubled.
ANSWERS = """
import json, struct, sys
data = open(sys.argv[1], "rb").read()
length = struct.unpack("<Q", data[:8])[0]
tensors = json.loads(data[8:8 + length])
def stored(name):
    begin, end = tensors[name]["data_offsets"]
    return data[8 + length:][begin:end]
def answer():
    given = stored("in")
    out = bytes(2 * byte % 256 for byte in given) + stored("out")[len(given):]
    header = json.dumps({"out": {**tensors["out"], "data_offsets": [0, len(out)]}}).encode()
    open(sys.argv[2], "wb").write(struct.pack("<Q", len(header)) + header + out)
"""

# A process in a session of its own, whose parent is gone; its number is left in a file.
LIVES_ON = """
import os, subprocess
subprocess.run(["setsid", "sh", "-c", "sleep 600 & echo $! > PID"], cwd={folder!r})
"""

# The processes above this one, and who of them can be read.
READS_THE_JUDGE = """
import os, pathlib
pid, said = os.getppid(), []
while pid > 1:
    folder = pathlib.Path("/proc") / str(pid)
    command = folder.joinpath("cmdline").read_bytes().split(b"\\0")
    if command[0].endswith(b"fake_fp4cts") and b"run" in command:
        for name in ("mem", "fd/1"):
            try:
                with open(folder / name, "rb") as file:
                    said.append(name + (" read" if file.read(1) else " empty"))
            except OSError as error:
                said.append(name + " " + type(error).__name__)
        break
    pid = int(folder.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1])
pathlib.Path({folder!r}, "said").write_text("; ".join(said))
"""

# The worker and the keeper above this process, and what of them can be opened.
READS_THE_WORKER = """
import os, pathlib
pid, seen, opened = os.getppid(), 0, []
while b"worker" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\\0")[1:2]:
    seen += 1
    for name in ["mem", *(f"fd/{i}" for i in range(16))]:
        try:
            os.close(os.open(f"/proc/{pid}/{name}", os.O_RDWR))
            opened.append(name)
        except (PermissionError, FileNotFoundError):
            pass
    pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
pathlib.Path({folder!r}, "said").write_text(f"{seen} processes; opened: {opened}")
"""


def gone(pid, seconds=10):
    """Whether a process is gone, or ends within that time."""
    for _ in range(int(seconds * 50)):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":  # dead, and whoever is to be told has not asked
            return True
        time.sleep(0.02)
    return False


class ProcessesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-processes-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, body, report=("--no-report",), **options):
        script = self.folder / "program.py"
        script.write_text(ANSWERS + body.replace("{folder!r}", repr(str(self.folder))))
        return subprocess.Popen(
            [FAKE, "run", "--quiet", *report, "--level", "smoke", "--op", "doubling", "--device",
             "cpu", "--dut-cmd", f"{sys.executable} {script} {{in}} {{out}}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder, **options)

    def run_to_the_end(self, body, expect=0, **options):
        process = self.start(body, **options)
        output, _ = process.communicate(timeout=120)
        self.assertIn(process.returncode, expect if isinstance(expect, tuple) else (expect,), output)
        return output

    def wait_for(self, name, seconds=30):
        path = self.folder / name
        for _ in range(int(seconds * 50)):
            if path.exists() and path.read_text().endswith("\n"):
                return path.read_text().split()
            time.sleep(0.02)
        self.fail(f"{name} was not written")

    def test_a_process_in_a_session_of_its_own_does_not_outlive_the_run(self):
        self.run_to_the_end(LIVES_ON + "answer()\n")
        self.assertTrue(gone(int(self.wait_for("PID")[0]), seconds=0.1))

    def test_a_killed_runner_leaves_nothing_running(self):
        runner = self.start(LIVES_ON + """
open("PROGRAM", "w").write(f"{os.getpid()} {os.getppid()}\\n")
import time; time.sleep(600)
""")
        program, worker = self.wait_for("PROGRAM")
        (orphan,) = self.wait_for("PID")
        self.assertFalse(gone(int(orphan), seconds=0.1))
        runner.send_signal(signal.SIGKILL)
        runner.communicate(timeout=60)
        for pid in (program, worker, orphan):
            self.assertTrue(gone(int(pid)), pid)

    def test_who_kills_the_keeper_leaves_nothing_running_either(self):
        output = self.run_to_the_end(LIVES_ON + """
import signal
keeper = int(open(f"/proc/{os.getppid()}/stat").read().rsplit(")", 1)[1].split()[1])
os.kill(keeper, signal.SIGKILL)
import time; time.sleep(600)
""", expect=3)
        self.assertIn("killed by SIGKILL", output)
        self.assertTrue(gone(int(self.wait_for("PID")[0]), seconds=0.1))

    def test_the_judge_cannot_be_read(self):
        self.run_to_the_end(READS_THE_JUDGE + "answer()\n")
        self.assertEqual((self.folder / "said").read_text(),
                         "mem PermissionError; fd/1 PermissionError")

    def test_a_worker_cannot_be_read_by_what_is_judged(self):
        self.run_to_the_end(READS_THE_WORKER + "answer()\n")
        self.assertEqual((self.folder / "said").read_text(), "2 processes; opened: []")

    def test_a_program_that_changes_itself_is_another(self):
        output = self.run_to_the_end("""
with open(__file__, "a") as file:
    file.write("# changed\\n")
answer()
""", expect=3)
        self.assertIn("what is under test was changed", output)

    def test_results_that_what_is_judged_wrote_into_are_an_error(self):
        output = self.run_to_the_end("""
text = open("out/results.jsonl").read().replace("mismatch", "pass    ")
open("out/results.jsonl", "r+").write(text[:20].upper())
answer()
""", report=("--report", "out"), expect=3)
        self.assertIn("was changed by somebody else", output)

    def test_waivers_are_those_of_the_file_before_the_run(self):
        (self.folder / "waivers.json").write_text('{"schema": 1, "waivers": []}')
        output = self.run_to_the_end("""
open("waivers.json", "w").write('{"schema": 1, "waivers": [{"cases": ["*"], "expires": "2999-12-31", "tracker": "t", '
                                '"owner": "o", "comment": "c"}]}')
open(sys.argv[2], "wb").write((2).to_bytes(8, "little") + b"{}")
""", report=("--no-report", "--waivers", "waivers.json"), expect=(1, 3))
        self.assertNotIn("WAIVED", output)

    def test_a_program_gets_the_standard_descriptors_alone(self):
        with open(self.folder / "open", "w") as kept:
            self.run_to_the_end("""
import os
own = os.open("/proc/self/fd", os.O_RDONLY)
open("FDS", "w").write(" ".join(name for name in os.listdir(own) if int(name) < own) + "\\n")
answer()
""", pass_fds=[kept.fileno()])
        self.assertEqual(sorted(self.wait_for("FDS")), ["0", "1", "2"])


if __name__ == "__main__":
    FAKE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
