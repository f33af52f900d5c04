# SPDX-License-Identifier: Apache-2.0
"""A program over files that doubles bytes, or misbehaves by name: the implementation under test of
harness/implementations/program/tests/program_test.cpp and dut_cli_test.py.

usage: doubling.py BEHAVIOUR IN OUT
       doubling.py BEHAVIOUR --serve
"""
import json
import os
import signal
import struct
import sys
import time


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__")
    return metadata, {name: data[8 + length + about["data_offsets"][0]:
                                 8 + length + about["data_offsets"][1]]
                      for name, about in header.items()}


def write(path, tensors, dtype="U8", metadata=None):
    header, at = {}, 0
    if metadata:
        header["__metadata__"] = metadata
    for name, data in tensors.items():
        width = {"U8": 1, "I32": 4}[dtype]
        header[name] = {"dtype": dtype, "shape": [len(data) // width],
                        "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(tensors.values()))


def answer_one(behaviour, problem, answer):
    metadata, tensors = read(problem)
    source, out = tensors["in"], bytearray(tensors["out"])
    out[:len(source)] = bytes(2 * byte & 0xFF for byte in source)
    if behaviour == "wrong":
        out[5] ^= 1
    elif behaviour == "differs" and tensors["out"][0] != 0xA5:
        out[7] ^= 0x10  # the fill says which of the two runs this is
    elif behaviour == "crashes":
        print("about to crash", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif behaviour == "raises":
        raise ValueError("no such layout")
    elif behaviour == "hangs":
        with open(answer + ".part", "wb") as file:
            file.write(b"begun")
        print("waiting", flush=True)
        time.sleep(1000)
    elif behaviour == "noise":
        for _ in range(20000):
            print("a line on stdout that nobody asked for")
    elif behaviour == "eats_memory":
        out = bytearray(3 << 30)
    elif behaviour == "leaves_a_process":
        if os.fork() == 0:
            time.sleep(1000)
    elif behaviour == "trespasses":
        guard = {"tensor": "in", "region": "guard after", "byte": 3, "expected": "0xa5", "actual": "0x00",
                 "count": 1}
        write(answer, {"out": bytes(out)}, metadata={"trespasses": json.dumps([guard]), "seconds": "0.5"})
        return
    elif behaviour in ("no_seconds", "strange_trespass"):
        metadata = {"no_seconds": {"seconds": "fast"}, "strange_trespass": {"trespasses": "[{}]"}}
        write(answer, {"out": bytes(out)}, metadata=metadata[behaviour])
        return
    elif behaviour == "litters":
        with open(os.path.join(os.path.dirname(answer), "litter"), "wb") as file:
            file.write(b"left behind")

    if behaviour == "no_answer":
        return
    if behaviour == "garbage":
        with open(answer, "wb") as file:
            file.write(b"Segmentation fault (core dumped)")
        return
    if behaviour == "wrong_dtype":
        write(answer, {"out": bytes(out)}, "I32")
    elif behaviour == "short":
        write(answer, {"out": bytes(out[:-1])})
    elif behaviour == "extra":
        write(answer, {"out": bytes(out), "debug": b"1"})
    elif behaviour == "renamed":
        write(answer, {"output": bytes(out)})
    else:
        write(answer, {"out": bytes(out)})
    if behaviour == "truncated":
        os.truncate(answer, os.path.getsize(answer) - 3)


def serve(behaviour):
    if behaviour == "no_device":
        print("unavailable needs a device that is not here", flush=True)
        return
    if behaviour == "talks":
        print("Loading weights...", flush=True)
    if behaviour == "starts_once":
        os.mkdir(os.path.join(os.environ["TMPDIR"], "started"))  # an error where it is there
    print("ready emulated chip" if behaviour == "emulates" else "ready on Python", flush=True)
    for line in sys.stdin:
        word, problem, answer = line.rstrip("\n").split("\t")
        assert word == "call", line
        if behaviour == "leaves":
            sys.exit(3)
        if behaviour == "refuses":
            print("error cannot do it", flush=True)
            continue
        answer_one(behaviour, problem, answer)
        print("done" if behaviour == "says_done" else "ok", flush=True)


def main():
    if sys.argv[2:] == ["--serve"]:
        serve(sys.argv[1])
    else:
        answer_one(*sys.argv[1:])


if __name__ == "__main__":
    main()
