# SPDX-License-Identifier: Apache-2.0
"""Every shipped module with code for an architecture of AMD conforms, executed in the emulator.

usage: conformance_test.py FP4CTS KERNELS_FOLDER ARCHITECTURE [--level LEVEL] [--path PATH]

KERNELS_FOLDER is the build's, with each module and its map. With --path the modules of others are left out. Where no emulator is found the test is
skipped (status 77); with FP4CTS_REQUIRE_AMD_EMULATOR set it fails.
"""
import argparse
import collections
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
ADAPTER = ROOT / "tools" / "amd_emulator" / "amd_emulate.py"
SKIPPED = 77

sys.path.insert(0, str(ADAPTER.parent))
import amd_emulate  # noqa: E402
from code_object import BadFile  # noqa: E402


def require_emulator():
    try:
        amd_emulate.find_emulator()
        amd_emulate.find_clang()
    except BadFile as error:
        print(f"not run: {error}")
        sys.exit(1 if os.environ.get("FP4CTS_REQUIRE_AMD_EMULATOR") else SKIPPED)


def judge(fp4cts, architecture, maps, level):
    """The exit status of a run of these maps, and its records."""
    command = shlex.join([sys.executable, str(ADAPTER), "--architecture", architecture])
    command += "".join(f" --map {shlex.quote(str(path))}" for path in maps) + " {serve}"
    operations = [json.loads(path.read_text())["operation"] for path in maps]
    profiles = {json.loads(path.read_text()).get("profile", "ocp") for path in maps}
    profile = profiles.pop() if len(profiles) == 1 else "ocp"
    words = [fp4cts, "run", "--profile", profile, "--json", "--quiet", "--no-report", "--level", level, "--timeout", "300",
             "--dut-cmd", command]
    for operation in operations:
        words += ["--op", operation]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def shipped_modules(fp4cts, architecture):
    listed = json.loads(subprocess.run([fp4cts, "list", "--json"], capture_output=True, text=True,
                                       check=True).stdout)
    return {each["module"] for each in listed["modules"]
            if each["backend"] == "hip" and each["built"] and
            architecture in each["architectures"].split()}


def maps_of(kernels, modules):
    """The maps of every entry of these modules: some have several."""
    maps = collections.defaultdict(list)
    for path in sorted(kernels.glob("*.json")):
        maps[pathlib.Path(json.loads(path.read_text())["module"]).stem].append(path)
    if unmapped := modules - maps.keys():
        sys.exit(f"no map describes an entry of {', '.join(sorted(unmapped))}")
    return [path for module in sorted(modules) for path in maps[module]]


def by_path(maps):
    """Maps by path, each with one for every operation: a path is what follows the operation's name."""
    groups = collections.defaultdict(list)
    for path in maps:
        described = json.loads(path.read_text())
        groups[described["name"].removeprefix(described["operation"] + "_")].append(path)
    return groups


def check(done, records, operations):
    """That all of it ran, in the emulator, and passed; the number of cases."""
    cases = [record for record in records if record["record"] == "case"]
    bad = [f"{case['case']} {case['path']}: {case['verdict']} {case['reason']}" for case in cases
           if case["verdict"] != "pass"]
    header = records[0] if records else {"implementations": []}
    emulated = {info["operation"] for info in header["implementations"]
                if info["execution"] == "emulated" and info["device"] == "cpu"}
    if done.returncode != 0 or bad or emulated != operations:
        sys.exit("\n".join([f"exit status {done.returncode}; emulated: {sorted(emulated)}", *bad[:10],
                            done.stderr[-2000:]]))
    return len(cases)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fp4cts")
    parser.add_argument("kernels", type=pathlib.Path)
    parser.add_argument("architecture")
    parser.add_argument("--level", default="smoke")
    parser.add_argument("--path")
    options = parser.parse_args()
    require_emulator()
    modules = shipped_modules(options.fp4cts, options.architecture)
    paths = by_path(maps_of(options.kernels, modules))
    if options.path:
        paths = {options.path: paths.get(options.path, [])}
    if not any(paths.values()):
        sys.exit(f"this build has no module for {options.architecture}")
    for path, maps in paths.items():
        start = time.monotonic()
        done, records = judge(options.fp4cts, options.architecture, maps, options.level)
        operations = {json.loads(each.read_text())["operation"] for each in maps}
        count = check(done, records, operations)
        print(f"{options.architecture} {path}: {count} cases of {', '.join(sorted(operations))} "
              f"at {options.level} pass in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
