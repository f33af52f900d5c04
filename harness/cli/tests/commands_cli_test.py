# SPDX-License-Identifier: Apache-2.0
"""list, explain, version, print, help and the completions, as a person or a script meets them."""
import json
import re
import shutil
import subprocess

import fake_suite
from fake_suite import GateTest, RunTest, schema


class OtherCommandsTest(RunTest):
    def test_list(self):
        done = self.call("list", expect=0)
        for text in ("doubling", "a fake CPU", "libcuda.so.1 was not found",
                     "no: needs a device that does not exist"):
            self.assertIn(text, done.stdout)
        listed = json.loads(self.call("list", "--json", "--cases", expect=0).stdout)
        self.assertEqual(listed["operations"][0]["cases"],
                         {"smoke": 1, "standard": 3, "full": 4, "exhaustive": 4})
        self.assertEqual(len(listed["operations"][0]["case_list"]), 4)
        self.assertEqual(listed["devices"][0]["name"], "cpu")
        unavailable = {i["path"]: i["unavailable"] for i in listed["implementations"]}
        self.assertEqual(unavailable["right"], "")
        self.assertEqual(unavailable["qmul4"], "needs a device that does not exist")

    def explained(self, *arguments):
        return json.loads(self.call("explain", *arguments, "--json", expect=0).stdout)

    def test_explain(self):
        done = self.call("explain", "qmul4", "--code", "0xb", "--scale", "0x7a", expect=0)
        for text in ("0xb = 0b1'01'1", "-1.5", "0x7a", "320", "-480", "0xfe"):
            self.assertIn(text, done.stdout)
        self.assertEqual(self.explained("qmul4", "--code", "0xb", "--scale", "0x7a")["byte"], "0xfe")
        self.assertEqual(self.explained("qmul4", "--code", "2", "--scale", "0b111000")["byte"],
                         "0x38")
        tie = self.explained("qmul4", "--code", "1", "--scale", "1")
        self.assertEqual((tie["byte"], tie["step"], tie["product"]["dyadic"]),
                         ("0x00", "tie, down", "1*2^-10"))
        self.assertEqual(self.explained("qmul4", "--code", "0", "--scale", "0xff")["byte"], "0x7f")
        self.assertEqual(self.explained("qmul4", "--code", "8", "--scale", "0x38")["byte"], "0x80")
        mx = self.explained("mxfp4", "--code", "1", "--scale", "0", "--to", "f32")
        self.assertEqual(mx["bits"], "0x00200000")
        mx = self.explained("mxfp4", "--code", "1", "--scale", "0", "--to", "bf16")
        self.assertEqual(mx["bits"], "0x0020")
        shift = self.explained("mxfp4", "--code", "2", "--scale", "0", "--to", "f32", "--profile",
                               "shift23")
        self.assertEqual((shift["bits"], shift["scale_value"]), ("0x00000000", "0"))

    def test_explain_takes_operations_by_their_names(self):
        arguments = ("--code", "0xb", "--scale", "0x7a")
        self.assertEqual(self.explained("nvfp4_gather_index_k", *arguments)["byte"], "0xfe")
        for name in ("mxfp4_decode_pages", "mxfp4_gather_pages"):
            self.assertEqual(self.explained(name, *arguments, "--to", "f32"),
                             {**self.explained("mxfp4", *arguments, "--to", "f32"), "what": name})
        done = self.call("explain", "nvfp4_gather_index", *arguments, expect=2)
        self.assertIn("did you mean nvfp4_gather_index_k?", done.stderr)

    def test_explain_a_conversion(self):
        done = self.call("explain", "encode_e4m3", "--x", "0x3ff9999a", expect=0)
        for text in ("encode_e4m3: f32 to e4m3, profile ocp", "0x3ff9999a", "0x40"):
            self.assertIn(text, done.stdout)
        carry = self.explained("encode_e4m3", "--x", "0x3ff9999a")
        self.assertEqual((carry["byte"], carry["step"], carry["at_most"]["bits"]),
                         ("0x40", "up", "0x3f"))
        self.assertEqual(self.explained("encode_e4m3", "--x", "0xffc00000")["byte"], "0x7f")
        fnuz = self.explained("encode_e4m3", "--x", "0x80000000", "--profile", "fnuz")
        self.assertEqual(fnuz["byte"], "0x00")

    def test_explain_any_conversion(self):
        self.assertEqual(self.explained("convert", "--from", "f16", "--to", "e5m2", "--x", "0x3c00")["byte"], "0x3c")
        self.assertEqual(self.explained("convert", "--from", "e8m0", "--to", "f32", "--x", "0")["bits"], "0x00400000")
        nan = self.explained("convert", "--from", "f32", "--to", "e2m1", "--x", "0x7fc00000")
        self.assertEqual(nan["byte" if "byte" in nan else "bits"], "0x7")
        same = self.explained("convert", "--from", "f32", "--to", "e4m3", "--x", "0x3ff9999a")
        self.assertEqual(same, {**self.explained("encode_e4m3", "--x", "0x3ff9999a"), "what": "convert"})

    def test_explain_refuses_with_the_range(self):
        for arguments, text in (
                (["qmul4", "--code", "0x10", "--scale", "0"], "--code: expected bits from 0x0 to 0xf"),
                (["qmul4", "--code", "0", "--scale", "256"], "--scale: expected bits from 0x0 to 0xff"),
                (["qmul4", "--code", "0x", "--scale", "0"], "--code"),
                (["qmul4", "--code", "-1", "--scale", "0"], "--code"),
                (["qmul5", "--code", "0", "--scale", "0"], "qmul4, nvfp4, mxfp4"),
                (["mxfp4", "--code", "0", "--scale", "0", "--to", "f64"], "e4m3, f32, bf16, f16"),
                (["qmul4", "--code", "0", "--scale", "0", "--to", "f32"], "qmul4 always gives e4m3"),
                (["qmul4", "--code", "0", "--scale", "0", "--profile", "x"], "there are: ocp"),
                (["qmul4", "--code", "0"], "--scale: qmul4 needs it"),
                (["qmul4", "--code", "0", "--scale", "0", "--x", "1"], "--x: qmul4 has none"),
                (["encode_e4m3", "--code", "0"], "--x: encode_e4m3 needs it"),
                (["encode_e4m3", "--x", "0", "--to", "f32"], "--to: encode_e4m3 has none"),
                (["convert", "--from", "f32", "--to", "f16", "--x", "0"], "got f32_to_f16"),
                (["convert", "--to", "f32", "--x", "0"], "--from: expected one of f32, f16, bf16, e4m3"),
                (["convert", "--from", "e4m3", "--to", "f32", "--x", "0x100"], "expected bits from 0x0 to 0xff"),
                (["encode_e4m3", "--x", "0x100000000"], "expected bits from 0x0 to 0xffffffff")):
            done = self.call("explain", *arguments, expect=2)
            self.assertIn(text, done.stderr)

    def test_version(self):
        done = self.call("version", expect=0)
        self.assertRegex(done.stdout, r"^fp4cts \d+\.\d+\.\d+ \(commit ([0-9a-f]{40}(-dirty)?|unknown)\)")
        self.assertEqual(self.call("--version", expect=0).stdout, done.stdout)
        self.assertEqual(json.loads(self.call("version", "--json", expect=0).stdout)["name"], "fp4cts")

    def test_completions_offer_values(self):
        script = self.call("completion", "bash", expect=0).stdout
        for line, words in (("fp4cts run --level ", "smoke standard full exhaustive"),
                            ("fp4cts run --op ", "doubling"),
                            ("fp4cts run --profile ", "ocp cuda fnuz shift23"),
                            ("fp4cts run --device ", "cpu cuda cuda:0 hip hip:0 ptx all"),
                            ("fp4cts vectors generate --set ", "smoke"),
                            ("fp4cts explain ", "nvfp4_gather_index_k"),
                            ("fp4cts gen ", "qmul4")):
            asked = (f"COMP_WORDS=({line}''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _fp4cts; "
                     "printf '%s ' \"${COMPREPLY[@]}\"")
            offered = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True,
                                     cwd=self.folder, check=True).stdout
            for word in words.split():
                self.assertIn(word, offered.split(), line)


class HelpTest(GateTest):
    def subcommands(self):
        text = self.call("--help", expect=0).stdout
        return re.findall(r"^  ([a-z]+) ", text[text.index("Subcommands:"):], re.MULTILINE)

    def test_manual_and_completions_know_every_option_of_help(self):
        man = self.call("man", expect=0).stdout.replace("\\-", "-")
        scripts = {shell: self.call("completion", shell, expect=0).stdout
                   for shell in ("bash", "zsh", "fish")}
        self.assertIn("merge", self.subcommands())
        for command in self.subcommands():
            self.assertIn(f".SS fp4cts {command}\n", man)
            for option in re.findall(r"--[a-z][a-z-]+", self.call(command, "--help", expect=0).stdout):
                self.assertIn(option, man)
                self.assertIn(option, scripts["bash"])
                self.assertIn(option, scripts["zsh"])
                self.assertIn(f" -l {option[2:]}", scripts["fish"])
        self.call("completion", "tcsh", expect=2)

    def test_shells_accept_their_scripts(self):
        checked = 0
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell) is None:
                continue
            script = self.call("completion", shell, expect=0).stdout
            done = subprocess.run([shell, "-n", "/dev/stdin"], input=script, text=True,
                                  capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), shell)
            checked += 1
        self.assertGreater(checked, 0)


class PrintTest(GateTest):
    def test_every_file_that_the_binary_carries_is_that_of_the_sources(self):
        names = self.call("print", expect=0).stdout.split()
        project = fake_suite.PROJECT
        places = [project, project / "include" / "fp4cts", project / "harness" / "schema",
                  project / "vectors" / "schema", project / "vectors" / "data"]
        for name in names:
            [file] = [place / name for place in places if (place / name).is_file()]
            with open(self.folder / "printed", "wb") as printed:
                subprocess.run([fake_suite.FAKE, "print", name], check=True, stdout=printed)
            self.assertEqual((self.folder / "printed").read_bytes(), file.read_bytes(), name)
        for needed in ("dut.h", "results.schema.json", "MANIFEST.json", "NOTICE"):
            self.assertIn(needed, names)
        self.assertIn("no file 'nobody'", self.call("print", "nobody", expect=2).stderr)


if __name__ == "__main__":
    fake_suite.main()
