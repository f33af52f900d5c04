# SPDX-License-Identifier: Apache-2.0
"""That tools/check_host_needs sees what is too much: a newer symbol of glibc, and another library.

usage: host_needs_test.py CHECK_HOST_NEEDS C++
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = COMPILER = None


class HostNeedsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-needs-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def said_of(self, text, *options):
        (self.folder / "a.cpp").write_text(text)
        binary = self.folder / "a"
        subprocess.run([COMPILER, self.folder / "a.cpp", "-o", binary, *options], check=True)
        done = subprocess.run([CHECK, binary], capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_a_newer_symbol_is_named(self):
        # getrandom's kin of glibc 2.36, as the binary once needed it.
        status, text = self.said_of("extern \"C\" unsigned arc4random(); int main() { return arc4random() == 7; }")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"needs arc4random of GLIBC_2\.36, newer than 2\.28")

    def test_another_library_is_named(self):
        status, text = self.said_of("#include <iostream>\nint main() { std::cout << 1; }")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"needs libstdc\+\+\.so\.6")

    def test_a_file_that_is_linked_with_nothing_is_no_proof(self):
        status, text = self.said_of("int main() { return 0; }", "-static")
        self.assertEqual(status, 1)
        self.assertIn("needs no library at all", text)


if __name__ == "__main__":
    CHECK, COMPILER = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
