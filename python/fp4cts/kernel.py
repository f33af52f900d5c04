# SPDX-License-Identifier: Apache-2.0
"""A Python function as a program under test:

    fp4cts run --op nvfp4_gather_index_k --dut-cmd "python3 -m fp4cts.kernel my_kernels.py my_gather {serve}"

The function gets the operation's arguments by name, those that it takes: arrays and integers. Outputs
hold a fill and are written in place; an output that is no parameter of the function is what it returns.
"""
import argparse
import inspect
import json
import os
import sys
import traceback

from . import devices, files, guards, target


# Set in the processes that this module is the program of: no judge may be started there.
inside = "FP4CTS_INSIDE_KERNEL"


class Kernel:
    """A function with the device that its arguments lie on."""

    def __init__(self, fn, device):
        self.fn = fn
        self.device = device
        self.guarded = guards.Guarded(device)
        parameters = inspect.signature(fn).parameters.values()
        self.takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
        self.names = {parameter.name for parameter in parameters
                      if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)}
        self.needed = [parameter.name for parameter in parameters if parameter.default is parameter.empty
                       and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)]

    def takes(self, name):
        return self.takes_all or name in self.names

    def call(self, problem_path, answer_path):
        problem = files.load(problem_path)
        arrays = self.guarded.place(problem)
        given = {**arrays, **problem.scalars}
        strange = [name for name in self.needed if name not in given]
        if strange:
            raise TypeError(f"no argument of {problem.operation} is named {', '.join(strange)}; "
                            f"there are: {', '.join(given)}")
        result, seconds = self.device.timed(
            lambda: self.fn(**{name: value for name, value in given.items() if self.takes(name)}))
        self.put_returned(problem, arrays, result)
        outputs, trespasses = self.guarded.outcome(problem)
        metadata = {"seconds": repr(float(seconds))}
        if trespasses:
            metadata["trespasses"] = json.dumps(trespasses)
        files.write(answer_path, outputs, metadata)

    def put_returned(self, problem, arrays, result):
        returned = [tensor.name for tensor in problem.outputs if not self.takes(tensor.name)]
        if not returned:
            return
        values = list(result) if len(returned) > 1 and isinstance(result, (tuple, list)) else [result]
        if len(values) != len(returned) or any(value is None for value in values):
            raise TypeError(f"it takes no {', '.join(returned)} and returned {type(result).__name__}: expected "
                            "to write into it, or to return it")
        for name, value in zip(returned, values):
            self.device.fill(arrays[name], value, name)


def describe(error):
    """One line: what was raised, and where last in a file that is not this package's."""
    here = os.path.dirname(os.path.abspath(__file__))
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if not os.path.abspath(frame.filename).startswith(here):
            place = f" ({os.path.basename(frame.filename)}:{frame.lineno})"
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:2000]}{place}"


def serve(make_kernel):
    """Answers calls until the input ends. What the function prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(line):
        answers.write(line + "\n")
        answers.flush()

    try:
        kernel = make_kernel()
    except Exception as error:  # noqa: BLE001 a user's module may raise anything
        say("unavailable " + describe(error))
        return 1
    say("ready " + " ".join(kernel.device.about.split()))
    for line in sys.stdin:
        _, problem, answer = line.rstrip("\n").split("\t")
        try:
            kernel.call(problem, answer)
        except Exception as error:  # noqa: BLE001
            say("error " + describe(error))
        else:
            say("ok")
    return 0


def main():
    parser = argparse.ArgumentParser(prog="python3 -m fp4cts.kernel", description=__doc__.split("\n")[0])
    parser.add_argument("file", help="a Python file")
    parser.add_argument("function", help="the name of a function in it")
    parser.add_argument("paths", nargs="*", metavar="PROBLEM ANSWER", help="one call, without --serve")
    parser.add_argument("--device", help="torch tensors on this device (cpu, cuda, cuda:1); NumPy arrays unless given")
    parser.add_argument("--serve", action="store_true", help="stay, and be told of calls on the input")
    options = parser.parse_args()
    if options.serve == bool(options.paths) or len(options.paths) not in (0, 2):
        parser.error("expected --serve, or the paths of a problem and an answer")

    os.environ[inside] = "1"

    def make_kernel():
        return Kernel(target.load(options.file, options.function), devices.open_device(options.device))

    if options.serve:
        return serve(make_kernel)
    make_kernel().call(*options.paths)
    return 0


if __name__ == "__main__":
    sys.exit(main())
