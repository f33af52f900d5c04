# SPDX-License-Identifier: Apache-2.0
"""Compiles one kernel source with the clang of PyPI's ziglang to a bundle of AMD code objects.

    amd_code_objects.py --output X.hsaco --depfile X.hsaco.d --architectures gfx942 ... -- FLAG... SOURCE

Neither ROCm nor its device library is needed: kernels/portability/amd.hpp has the words of HIP. The
bundle is the one that hipcc --genco writes (Clang Offload Bundler, "bundled code objects").
"""
import argparse
import concurrent.futures
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import ziglang

# Of clang itself: stddef.h and its like.
HEADERS = pathlib.Path(ziglang.__file__).parent / "lib" / "include"
ALIGNMENT = 4096  # of each code object in the bundle, as clang has it


class CompilerError(Exception):
    """It has said why."""


def zig(*words):
    done = subprocess.run([sys.executable, "-m", "ziglang", *map(str, words)], check=False)
    if done.returncode != 0:
        raise CompilerError(done.returncode)


def code_object(architecture, flags, source, folder):
    # Code objects of version 4 load in every ROCm from 4.1 on; a generic target needs version 6.
    version = f"-mcode-object-version={6 if architecture.endswith('-generic') else 4}"
    depfile, machine_code, linked = (folder / f"{architecture}.{end}" for end in ("d", "o", "elf"))
    # Without -fuse-cuid=none there is a symbol in it that is named by a digest of these words, and
    # the folder's name, another at each run, is among them.
    # -S keeps the driver from linking, for which it would look for a lld beside itself.
    zig("clang", "-x", "hip", "--offload-device-only", "--no-gpu-bundle-output", "-nogpulib",
        "-nogpuinc", "-fuse-cuid=none", "-isystem", HEADERS, f"--offload-arch={architecture}",
        version, *flags, "-Xclang",
        "-dependency-file", "-Xclang", depfile, "-Xclang", "-MT", "-Xclang", "image", "-S",
        "-Xclang", "-emit-obj", "-o", machine_code, source)
    zig("ld.lld", "-shared", "--no-undefined", "-o", linked, machine_code)
    return linked.read_bytes()


def bundle(code_objects):
    """The host has an entry too, an empty one."""
    entries = [("host-x86_64-unknown-linux-gnu-", b"")]
    entries += [(f"hipv4-amdgcn-amd-amdhsa--{name}", code) for name, code in code_objects.items()]
    head = 24 + 8 + sum(24 + len(target) for target, _ in entries)
    table, body, at = b"", b"", -(-head // ALIGNMENT) * ALIGNMENT
    start = at
    for target, code in entries:
        table += struct.pack("<QQQ", at, len(code), len(target)) + target.encode()
        body += code.ljust(-(-len(code) // ALIGNMENT) * ALIGNMENT, b"\0")
        at = start + len(body)
    header = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries)) + table
    return header.ljust(start, b"\0") + body


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--depfile", type=pathlib.Path, required=True)
    parser.add_argument("--architectures", nargs="+", required=True)
    parser.add_argument("words", nargs="+", help="flags, and the source last")
    options = parser.parse_args()
    *flags, source = options.words
    with tempfile.TemporaryDirectory(prefix="fp4cts-amd-") as name:
        folder = pathlib.Path(name)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            compiled = pool.map(lambda name: code_object(name, flags, source, folder),
                                options.architectures)
            objects = dict(zip(options.architectures, compiled))
        # The headers are the same for every architecture.
        dependencies = folder / f"{options.architectures[0]}.d"
        _, _, files = dependencies.read_text().partition(":")
        options.depfile.write_text(f"{options.output}:{files}")
        options.output.write_bytes(bundle(objects))


if __name__ == "__main__":
    try:
        main()
    except CompilerError as error:
        sys.exit(error.args[0])
