# SPDX-License-Identifier: Apache-2.0
"""That every name which the binary takes of glibc is in glibc 2.28, for x86-64 and aarch64: a file that refers to all of
them is linked for that version. So a call of something newer is seen in each run of the tests; the binaries of a
release are built and held to it by .ci/hosts.

usage: host_symbols_test.py PROJECT BINARY
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = BINARY = None
GLIBC = "2.28"
# What the libraries of this system's g++ take, and those of the release's compiler do not.
OF_THE_COMPILER = {"arc4random", "_dl_find_object", "__tls_get_addr"}


class HostSymbolsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-symbols-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.zig = next(iter(sorted(PROJECT.glob("build/zig/lib/python3*/site-packages/ziglang/zig"))), None)
        if self.zig is None:
            print("not run: build/zig has no ziglang; tools/setup fetches it")
            sys.exit(77)

    def linked(self, names, arch):
        (self.folder / "names.s").write_text("  .section .data\n  .balign 8\n" +
                                             "".join(f"  .quad {name}\n" for name in sorted(names)) +
                                             '  .section .note.GNU-stack,"",%progbits\n')
        (self.folder / "main.c").write_text("int main(void) { return 0; }\n")
        cache = {"ZIG_GLOBAL_CACHE_DIR": str(self.folder / "cache"), "ZIG_LOCAL_CACHE_DIR": str(self.folder / "cache"),
                 "PATH": "/usr/bin:/bin"}
        return subprocess.run([self.zig, "cc", "-target", f"{arch}-linux-gnu.{GLIBC}", "main.c", "names.s", "-lm", "-ldl",
                               "-lpthread", "-lrt", "-o", "linked"], cwd=self.folder, env=cache, capture_output=True,
                              text=True)

    def taken(self):
        said = subprocess.run(["readelf", "--wide", "--dyn-syms", BINARY], check=True, capture_output=True, text=True).stdout
        names = set(re.findall(r"UND (\S+?)@GLIBC_", said))
        self.assertIn("mmap", {name.removesuffix("64") for name in names})
        return names - OF_THE_COMPILER

    def test_every_name_is_in_the_oldest_glibc(self):
        for arch in ("x86_64", "aarch64"):
            done = self.linked(self.taken(), arch)
            self.assertEqual(done.returncode, 0, f"{arch}: {done.stderr}")

    def test_a_newer_name_is_seen(self):
        done = self.linked({"malloc", "arc4random"}, "x86_64")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("undefined symbol: arc4random", done.stderr)


if __name__ == "__main__":
    PROJECT, BINARY = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
