#!/usr/bin/env python3
"""fp4cts profiles and fp4cts infer, on the binary as it is shipped."""
import json
import pathlib
import subprocess
import sys
import tempfile

BINARY = sys.argv[1]
NAMES = ["ocp", "cuda", "fnuz", "shift23", "vllm_m3", "generic_nvfp4", "aiter", "aiter_dsv4", "ocp_floor", "even", "ceil",
         "deepgemm"]


def run(*words, code=0):
    done = subprocess.run([BINARY, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def profiles():
    assert [each["name"] for each in json.loads(run("profiles", "--json"))] == NAMES
    listed = run("profiles")
    assert all(f"\n{name} " in listed for name in NAMES), listed
    assert json.loads(run("profiles", "deepgemm"))["mxfp4_writer"]["ties"] == "toward_zero"
    assert "no profile is named 'ocpp'" in run("profiles", "ocpp", code=2)
    told = json.loads(run("profiles", "ocp_floor", "even", "--json"))
    assert told["differences"] == [{"member": "mxfp4_writer.mode", "first": "floor", "second": "even"}], told
    # One input shows the difference, and it is of the operation that has the axis.
    assert told["told_apart_by"]["case"].startswith("mxfp4_write_pages/"), told
    assert told["told_apart_by"]["first"] != told["told_apart_by"]["second"]
    assert "no case of level smoke tells ocp and aiter apart" in run("profiles", "ocp", "aiter")


def infers(folder):
    golden = folder / "golden"
    run("vectors", "generate", "--set", "smoke", "--seed", "1", "--quiet", "--out", str(golden))
    for operation in ("nvfp4_write_index_k", "mxfp4_write_pages"):
        file = golden / "smoke" / operation / "recipes_f32.safetensors"
        answer = folder / f"{operation}.safetensors"
        answer.write_bytes(outputs_of(file.read_bytes()))
        says = run("infer", str(file), str(answer))
        assert "agree with ocp" in says, says
        # A kernel of another rule: the profile is named, and judged by it all bytes agree.
        other = "generic_nvfp4" if operation.startswith("nvfp4") else "even"
        says = json.loads(run("infer", str(file), str(answer), "--profile", other, "--json"))
        counts = {each["profile"]: each["agreeing"] for each in says["candidates"]}
        assert counts["ocp"] == says["bytes"] and counts[other] < says["bytes"], counts
        assert says["candidates"][0]["agreeing"] == says["bytes"]
    assert "expected" in run("infer", str(file), str(file), code=2)


def outputs_of(golden):
    """An answer file with the expected outputs of a golden file."""
    length = int.from_bytes(golden[:8], "little")
    header = json.loads(golden[8:8 + length])
    data = golden[8 + length:]
    made, body = {}, b""
    for name, entry in header.items():
        if name.startswith("expected."):
            begin, end = entry["data_offsets"]
            made[name.removeprefix("expected.")] = {**entry, "data_offsets": [len(body), len(body) + end - begin]}
            body += data[begin:end]
    assert made, header.keys()
    text = json.dumps(made).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + body


profiles()
with tempfile.TemporaryDirectory() as temporary:
    infers(pathlib.Path(temporary))
print("profiles and infer: ok")
