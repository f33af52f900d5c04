# SPDX-License-Identifier: Apache-2.0
"""The archive of a release: the same bytes on two runs, and complete by itself. It is unpacked alone into an empty
folder, and used there without an environment.

usage: release_test.py PROJECT BINARY --compiler C++ [--say COMMAND] [--quick]

--say runs a binary for another processor; --quick leaves the run of level full and the statement out.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

OPTIONS = None
SHIPPED = ["bin/fp4cts", "include/fp4cts/dut.h", "include/fp4cts/abi.h", "schema/results.schema.json", "MANIFEST.json",
           "man/man1/fp4cts.1", "completions/fp4cts.bash", "completions/_fp4cts", "completions/fp4cts.fish", "LICENSE",
           "NOTICE", "CHANGELOG.md", "README.md", "SHA256SUMS"]


class ReleaseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="fp4cts-release-")
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.archive = cls.pack(cls.folder / "first", cwd=OPTIONS.project, TZ="UTC")
        (cls.folder / "alone").mkdir()
        with tarfile.open(cls.archive) as archive:
            archive.extractall(cls.folder / "alone")
        cls.root = next((cls.folder / "alone").iterdir())

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @staticmethod
    def pack(output, cwd, umask=0o022, **more):
        done = subprocess.run([OPTIONS.project / "tools" / "pack_release", OPTIONS.binary, "--output", output,
                               "--say", OPTIONS.say], cwd=cwd, umask=umask, env={**os.environ, **more},
                              capture_output=True, text=True)
        if done.returncode == 3:
            print(f"not run: {done.stderr.strip()}")
            sys.exit(77)
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)
        return pathlib.Path(done.stdout.split()[-1])

    # In the unpacked folder, with nothing of this environment, and with nothing beside the archive.
    def call(self, *words, expect=0, timeout=800):
        environment = {"PATH": "/usr/bin:/bin"}
        done = subprocess.run([*shlex.split(OPTIONS.say), "bin/fp4cts", *words], cwd=self.root, env=environment,
                              capture_output=True, text=True, timeout=timeout)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout

    def test_two_runs_give_the_same_bytes(self):
        time.sleep(1.1)  # a time of the clock in it would be another
        again = self.pack(self.folder / "second", cwd=self.folder, umask=0o077, TZ="Asia/Tokyo", LC_ALL="C", USER="other")
        self.assertEqual(self.archive.name, again.name)
        self.assertEqual(self.archive.read_bytes(), again.read_bytes())
        stated = (self.folder / "first" / (self.archive.name + ".sha256")).read_text()
        self.assertEqual(stated, f"{hashlib.sha256(again.read_bytes()).hexdigest()}  {again.name}\n")

    def test_everything_is_in_it_with_its_digest(self):
        names = {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()}
        self.assertEqual(set(SHIPPED) - names, set())
        stated = dict(reversed(line.split("  ")) for line in (self.root / "SHA256SUMS").read_text().splitlines())
        self.assertEqual(set(stated), {name for name in names if name != "SHA256SUMS" and not name.startswith("out")
                                       and not name.endswith((".so", ".tar"))})
        for name, digest in stated.items():
            self.assertEqual(hashlib.sha256((self.root / name).read_bytes()).hexdigest(), digest, name)

    def test_each_library_of_the_notice_has_its_licence(self):
        for name in ("CLI11", "Eigen", "fmt", "nlohmann-json", "OpenSSL", "pugixml", "tl-expected", "Zig", "libcxx",
                     "libunwind", "glibc"):
            self.assertGreater((self.root / "licenses" / f"{name}.txt").stat().st_size, 400, name)

    def test_owners_and_times_say_nothing_of_the_machine(self):
        with tarfile.open(self.archive) as archive:
            members = archive.getmembers()
        self.assertEqual([m.name for m in members], sorted(m.name for m in members))
        self.assertEqual({(m.uid, m.gid, m.uname, m.gname) for m in members}, {(0, 0, "", "")})
        self.assertEqual(len({m.mtime for m in members}), 1)
        self.assertNotIn(str(OPTIONS.project).encode(), (self.root / "bin" / "fp4cts").read_bytes())

    def test_the_binary_carries_what_lies_beside_it(self):
        for name in ("dut.h", "abi.h"):
            self.assertEqual(self.call("print", name), (self.root / "include" / "fp4cts" / name).read_text())
        self.assertEqual(self.call("print", "results.schema.json"),
                         (self.root / "schema" / "results.schema.json").read_text())

    def test_its_own_kernels_conform(self):
        self.call("run", "--device", "cpu", "--level", "smoke", "--no-report", "--quiet")

    def test_it_judges_a_plug_in_of_its_own_header_and_makes_a_statement(self):
        plug_in = self.root / "mine.so"
        subprocess.run([*OPTIONS.compiler, "-std=c++20", "-O2", "-shared", "-fPIC", "-I", "include",
                        "examples/dut/cpu/my_kernels.cpp", "-o", plug_in], cwd=self.root, check=True)
        level = "smoke" if OPTIONS.quick else "full"
        out = f"out_{level}"
        self.call("run", "--device", "cpu", "--dut", "./mine.so", "--level", level, "--report", out, "--quiet")
        records = [json.loads(line) for line in (self.root / out / "results.jsonl").read_text().splitlines()]
        self.assertEqual(records[-1]["verdict"], "CONFORMS")
        self.assertEqual({row["path"] for row in records[-1]["rows"]}, {"my_kernels"})
        if OPTIONS.quick:
            return
        commit = records[0]["suite"]["commit"]
        if len(commit) != 40:  # only a build of a clean commit may state anything
            print(f"a build of '{commit}' makes no statement: that it refuses is what was tried")
            self.call("statement", "--results", out, "--out", "mine.tar", expect=2)
            return
        self.call("statement", "--results", out, "--out", "mine.tar")
        self.call("statement", "verify", "mine.tar")

    def test_a_wrong_plug_in_is_no_conformance(self):
        subprocess.run([*OPTIONS.compiler, "-x", "c", "-std=c99", "-shared", "-fPIC", "-I", "include",
                        "examples/dut/null.c", "-o", "null.so"], cwd=self.root, check=True)
        self.call("run", "--device", "cpu", "--dut", "./null.so", "--level", "smoke", "--no-report", "--quiet", expect=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("project", type=pathlib.Path)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--say", default="")
    parser.add_argument("--quick", action="store_true")
    OPTIONS = parser.parse_args()
    OPTIONS.compiler = [os.path.abspath(OPTIONS.compiler)]
    OPTIONS.project, OPTIONS.binary = OPTIONS.project.resolve(), OPTIONS.binary.resolve()
    unittest.main(argv=sys.argv[:1])
