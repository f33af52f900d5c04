# SPDX-License-Identifier: Apache-2.0
"""The PTX in every built module is assembled by ptxas for every chip that it claims.

    ptx_test.py PTXAS FOLDER...

A text that names a target claims that capability and all later ones. ptxas holds it to the version that
it states; whether it is legal does not depend on optimization. The version must be one that drivers of CUDA 12.0 have. Each fatbin of FOLDERs that holds PTX counts.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TEXT = re.compile(rb"\.version (\d+)\.(\d+)\n\.target sm_(\d+)\n[^\0]*")


def chips(ptxas):
    said = subprocess.run([ptxas, "--help"], check=True, capture_output=True, text=True).stdout
    return sorted({int(number) for number in re.findall(r"'sm_(\d+)'", said)})


def main(ptxas, *folders):
    known = chips(ptxas)
    assert {90, 100, 107, 110, 120, 121} <= set(known), known
    images = [image for folder in folders for image in sorted(pathlib.Path(folder).glob("*.fatbin"))]
    failures, assembled, texts = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for image in images:
            found = list(TEXT.finditer(image.read_bytes()))
            texts += len(found)
            for text in found:
                version = (int(text[1]), int(text[2]))
                if version > (8, 0):
                    failures.append(f"{image.name}: .version {version[0]}.{version[1]}: expected 8.0 or older")
                source = pathlib.Path(folder, "text.ptx")
                source.write_bytes(text[0])
                for chip in [chip for chip in known if chip >= int(text[3])]:
                    done = subprocess.run([ptxas, "-O0", f"-arch=sm_{chip}", source, "-o", source.with_suffix(".cubin")],
                                          check=False, capture_output=True, text=True)
                    assembled += 1
                    if done.returncode != 0:
                        failures.append(f"{image.name} for sm_{chip}: {done.stderr.strip()}")
    if texts == 0:
        failures.append(f"no PTX in {len(images)} images")
    print(f"{texts} texts assembled {assembled} times for {known}", *failures, sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
