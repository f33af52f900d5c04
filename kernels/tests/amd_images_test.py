# SPDX-License-Identifier: Apache-2.0
"""An AMD image has the same bytes whenever it is made: nothing of the run is in it.

usage: amd_images_test.py PYTHON AMD_CODE_OBJECTS SOURCE INCLUDE
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PYTHON = SCRIPT = SOURCE = INCLUDE = None


class AmdImagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-images-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def image(self, name):
        folder = self.folder / name
        folder.mkdir()
        output = folder / f"{name}.hsaco"
        subprocess.run([PYTHON, SCRIPT, "--output", output, "--depfile", folder / "d", "--architectures", "gfx942",
                        "gfx12-generic", "--", "-std=c++20", "-O3", f"-I{INCLUDE}", SOURCE], check=True, cwd=folder,
                       env={**os.environ, "TMPDIR": str(folder)})
        return output.read_bytes()

    def test_two_runs_in_two_folders_give_the_same_bytes(self):
        first, second = self.image("first"), self.image("second")
        self.assertTrue(first.startswith(b"__CLANG_OFFLOAD_BUNDLE__"))
        self.assertEqual(first, second)
        self.assertNotIn(str(self.folder).encode(), first)


if __name__ == "__main__":
    PYTHON, SCRIPT, SOURCE, INCLUDE = sys.argv[1:5]
    unittest.main(argv=sys.argv[:1])
