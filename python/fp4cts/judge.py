# SPDX-License-Identifier: Apache-2.0
"""A verdict on a function. The judge is the fp4cts binary: it has the expected bytes, and starts a Python
process of its own for the function, so that a crash or a hang is a result of a case."""
import dataclasses
import functools
import json
import os
import pathlib
import shlex
import sys
import tempfile

from . import binary, kernel, target

LEVELS = ("smoke", "standard", "full", "exhaustive")


class NotConforming(AssertionError):
    """Raised by check() in pytest; its text is what `fp4cts run` prints. `result` has the rest."""

    def __init__(self, result):
        super().__init__(str(result))
        self.result = result


@dataclasses.dataclass(frozen=True)
class Failure:
    """One case that does not pass."""
    case: str
    verdict: str  # mismatch, error, not_run
    reason: str
    fault_class: str  # empty where no class accounts for the bytes
    reproduce: str  # a command
    record: dict  # of results.jsonl, after harness/schema/results.schema.json

    def __str__(self):
        lines = [f"{self.verdict.upper()} {self.case}: {self.reason}"]
        diagnosis = self.record.get("diagnosis", {})
        lines += [f"  {mismatch['text']}" for mismatch in diagnosis.get("first", [])[:3]]
        if diagnosis.get("explanation"):
            lines.append(f"  class: {diagnosis['explanation']}")
        if diagnosis.get("matching_profile"):
            lines.append(f"  all bytes agree with the profile {diagnosis['matching_profile']}")
        return "\n".join([*lines, f"  reproduce: {self.reproduce}"])


@dataclasses.dataclass(frozen=True)
class Result:
    """What came of a run. True where it conforms; as text it is what `fp4cts run` prints."""
    verdict: str  # CONFORMS, MISMATCH, ERROR, INCOMPLETE
    exit_code: int
    text: str
    cases: tuple  # records of all cases
    failures: tuple
    reasons: tuple  # why the verdict is not CONFORMS
    ran_on: str = ""  # what the function's process said of itself: the GPU, Python, NumPy or torch

    def __bool__(self):
        return self.exit_code == 0

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<fp4cts.Result {self.verdict}: {len(self.cases)} cases, {len(self.failures)} failures>\n{self.text}"

    @property
    def classes(self):
        """Fault classes of the failures, each once."""
        return sorted({failure.fault_class for failure in self.failures if failure.fault_class})

    def check(self):
        """The result itself. NotConforming where it does not conform."""
        if not self:
            raise NotConforming(self)
        return self


def check(fn, operation, level="standard", *, device=None, profile=None, case=None, cases=None, seed=0, timeout=60,
          raises=None):
    """Judges a function on the cases of an operation, byte by byte.

    fn         gets the operation's arguments by name (docs/python.md); it writes outputs in place, or
               returns those that it does not take
    level      smoke, standard, full or exhaustive
    device     None for NumPy arrays; "cpu", "cuda", "cuda:1" for torch tensors there
    profile    judge by this profile (a name, or a JSON file) instead of ocp
    case(s)    only this case, or these; names as of cases()
    timeout    seconds that one call may take
    raises     whether to raise NotConforming; unless given, in pytest alone

    Returns a Result. UsageError where nothing could be run."""
    if os.environ.get(kernel.inside):
        raise binary.UsageError("fp4cts.check() was called while the file of the function that is judged was loaded: "
                                "put the call behind if __name__ == \"__main__\":")
    chosen = [case] if case is not None else list(cases or [])
    with tempfile.TemporaryDirectory(prefix="fp4cts-") as folder:
        words = [sys.executable, "-m", "fp4cts.kernel", *target.words(fn, folder)]
        if device is not None:
            words += ["--device", str(device)]
        report = pathlib.Path(folder) / "report"
        arguments = ["run", "--op", operation, "--level", level, "--dut-cmd", f"{shlex.join(words)} {{serve}}",
                     "--device", "cpu", "--seed", str(seed), "--timeout", str(timeout), "--report", str(report),
                     "--quiet", "--no-color"]
        for each in chosen:
            arguments += ["--filter", each]
        if profile is not None:
            arguments += ["--profile", os.fspath(profile)]
        process = binary.run(arguments)
        results = report / "results.jsonl"
        if process.returncode == 2 or not results.exists():
            raise binary.UsageError(process.stderr.strip() or process.stdout.strip())
        result = _read(results, process)
    in_pytest = "PYTEST_CURRENT_TEST" in os.environ
    return result.check() if (in_pytest if raises is None else raises) else result


def _read(path, process):
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ends = [record for record in records if record["record"] == "end"]
    found = tuple(record for record in records if record["record"] == "case")
    failures = tuple(
        Failure(record["case"], record["verdict"], record["reason"],
                record.get("diagnosis", {}).get("fault_class", ""), record["reproduce"], record)
        for record in found if record["verdict"] != "pass")
    lines = [line for line in process.stdout.rstrip().splitlines() if not line.startswith("results: ")]
    # A program's device is cpu in results, whatever it computes on: that is said beside the verdict.
    ran_on = next((each["toolkit"] for record in records if record["record"] == "header"
                   for each in record["implementations"] if each["toolkit"]), "")
    if ran_on:
        lines.insert(len(lines) - 1, f"the function ran on {ran_on}")
    text = "\n".join(lines)
    if ends and ends[-1]["exit_code"] != process.returncode:  # of a process, and not of a file
        text += f"\n{process.stderr.strip()}\nfp4cts exited with status {process.returncode}"
        return Result("ERROR", process.returncode or 3, text, found, failures, ("the results are not the run's",), ran_on)
    if not ends:  # the judge itself was killed
        text += f"\n{process.stderr.strip()}\nfp4cts exited with status {process.returncode}"
        return Result("ERROR", process.returncode or 3, text, found, failures, ("no end of the results",), ran_on)
    return Result(ends[-1]["verdict"], process.returncode, text, found, failures, tuple(ends[-1]["reasons"]),
                  ran_on)


@functools.lru_cache(maxsize=None)
def _catalog():
    return json.loads(binary.ask(["list", "--cases", "--json"]))["operations"]


def operations():
    """Names of the operations of this suite."""
    return [operation["name"] for operation in _catalog()]


def cases(operation, level="standard"):
    """Names of an operation's cases at a level, for pytest.mark.parametrize."""
    if level not in LEVELS:
        raise ValueError(f"level: expected one of {', '.join(LEVELS)}; got {level!r}")
    for each in _catalog():
        if each["name"] == operation:
            wanted = LEVELS[:LEVELS.index(level) + 1]
            return [case["id"] for case in each["case_list"] if case["level"] in wanted]
    raise ValueError(f"no operation is named {operation!r}; there are: {', '.join(operations())}")


def conforms(operation, level="standard", **options):
    """A decorator: pytest reports one test for each case of the operation on the function. The function
    is judged in one run; `options` are those of check()."""

    def mark(fn):
        fn.__fp4cts__ = (operation, level, options)
        return fn

    return mark
