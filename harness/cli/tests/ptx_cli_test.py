# SPDX-License-Identifier: Apache-2.0
"""The device `ptx` as a person meets it: modules of PTX text, right and broken in one place, and what results say.

usage: ptx_cli_test.py FP4CTS PROJECT RESULTS_SCHEMA [KERNELS]

KERNELS is the folder of this build with the PTX text of the kernels in the box; without it their tests are not run.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema  # Debian's python3-jsonschema

FP4CTS = PROJECT = SCHEMA = KERNELS = None
QMUL4 = "mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4"


class PtxTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-ptx-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *words, expect):
        done = subprocess.run([FP4CTS, *map(str, words)], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout

    # The records of a run, by their kind, and the last line that it prints.
    def judge(self, *words, expect, level="smoke"):
        report = pathlib.Path(tempfile.mkdtemp(dir=self.folder), "report")
        out = self.call("run", "--device", "ptx", "--level", level, "--quiet", "--report", report, *words,
                        expect=expect)
        records = {}
        for line in (report / "results.jsonl").read_text().splitlines():
            record = json.loads(line)
            SCHEMA.validate(record)
            records.setdefault(record["record"], []).append(record)
        return records, out.splitlines()[-1]

    def failures(self, *words, expect, level="smoke"):
        records, _ = self.judge(*words, expect=expect, level=level)
        return [case for case in records["case"] if case["verdict"] != "pass"]


def triton(name):
    return PROJECT / "ptx/tests/data/triton" / f"{name}.json"


class TritonTest(PtxTest):
    # A gather of Triton with one text in the place of another, everywhere.
    def broken(self, name, *replacements):
        text = triton(name).with_suffix(".ptx").read_text()
        for old, new in replacements:
            self.assertIn(old, text)
            text = text.replace(old, new)
        about = json.loads(triton(name).read_text())
        about["module"] = "broken.ptx"
        (self.folder / "broken.ptx").write_text(text)
        path = self.folder / "broken.json"
        path.write_text(json.dumps(about))
        return path

    def classes(self, path, level="smoke"):
        cases = self.failures("--dut-module", path, expect=1, level=level)
        # Some inputs do not tell one class from another, and none is named.
        return {case["diagnosis"]["fault_class"] for case in cases} - {""}

    def test_a_gather_conforms_at_standard_and_is_no_statement(self):
        records, last = self.judge("--dut-module", triton("fp32_one_axis.w4.sm_90"), expect=0, level="standard")
        self.assertEqual(last, "CONFORMS on ptx (simulated, PTX text)")
        self.assertGreater(len(records["case"]), 60)
        executions = {info["execution"] for info in records["header"][0]["implementations"]}
        self.assertEqual(executions, {"simulated"})
        self.assertFalse(records["end"][0]["statement"])

    # A grid of requests by pages cannot have more than 65,535 pages along y; all else is right.
    def test_gathers_with_pages_along_y_end_at_65535_and_nowhere_else(self):
        for name in ("fp32.w4.sm_90", "fp32_neg.w4.sm_90", "reshape.w4.sm_90", "qmul4.w4.sm_100"):
            with self.subTest(name):
                cases = self.failures("--dut-module", triton(name), expect=3, level="standard")
                self.assertEqual([case["case"] for case in cases],
                                 ["nvfp4_gather_index_k/extent_max_num_pages_65543"])
                self.assertEqual(cases[0]["verdict"], "error")
                self.assertIn("grid axis 1 (max_num_pages): expected blocks in [0, 65535], got 65543",
                              cases[0]["reason"])

    # Triton 3.9 has an instruction for a unary minus, which keeps the sign of zero; 0.0 - x loses it.
    def test_zero_minus_loses_the_sign_of_the_code_of_minus_zero_and_of_nothing_else(self):
        cases = self.failures("--dut-module", triton("fp32_zero_minus.w4.sm_90"), expect=1, level="standard")
        self.assertGreater(len(cases), 5)
        self.assertIn("enc_negative_zero_lost", {case["diagnosis"]["fault_class"] for case in cases})
        for case in cases:
            for wrong in case["diagnosis"]["first"]:
                self.assertRegex(wrong["text"], r"code 0x8 \(-0\) .*: expected 0x[08]0 \(-?0\), got 0x[08]0 \(-?0\)$")

    def test_lanes_in_another_order_are_named(self):
        swapped = self.broken("qmul4.w4.sm_100", ("lo, hi, 0x6420", "lo, hi, 0xEVEN"), ("lo, hi, 0x7531", "lo, hi, 0x6420"),
                              ("0xEVEN", "0x7531"))
        self.assertEqual(self.classes(swapped), {"nibble_order_swapped"})

    def test_a_selector_of_other_codes_is_named(self):
        self.assertIn("code_from_elsewhere",
                      self.classes(self.broken("qmul4.w4.sm_100", ("{clo, chi}", "{chi, clo}"))))

    def test_another_format_of_the_scale_is_named(self):
        self.assertEqual(self.classes(self.broken("qmul4.w4.sm_100", (QMUL4, QMUL4[:-6] + "e5m2x4"))),
                         {"scale_format_confused"})

    def test_a_barrier_that_is_missing_is_a_race_with_both_lines(self):
        cases = self.failures("--dut-module", self.broken("reshape.w4.sm_90", ("bar.sync \t0;", "")), expect=3)
        for case in cases:
            self.assertEqual(case["verdict"], "error")
            self.assertRegex(case["reason"], r"shared_race: .*broken\.ptx:\d+ .*triton_variants\.py:\d+\); before that .*"
                                             r"broken\.ptx:\d+ .*triton_variants\.py:\d+\)")
            self.assertIn("missing_barrier_after_async_copy", case["reason"])

    def test_an_offset_that_leaves_its_tensor_is_named_with_its_lines(self):
        text = triton("qmul4.w4.sm_100").with_suffix(".ptx").read_text()
        store = re.search(r"st\.global\.b8 \[ %rd\d+ \+ 0 \]", text)[0]
        cases = self.failures("--dut-module", self.broken("qmul4.w4.sm_100", (store, store.replace("+ 0", "+ 1048576"))),
                              expect=3)
        for case in cases:
            self.assertRegex(case["reason"], r"ptx: launch of gather_qmul4: out_of_bounds: writes 1 byte at offset \d+ of "
                                             r"out, which has \d+ bytes: block .* at broken\.ptx:\d+ `.*` \(.*\.py:\d+\)")

    def test_what_does_not_end_is_an_error_with_its_line(self):
        path = self.broken("qmul4.w4.sm_100", ("\tret;", "\tbra \t$L__func_begin0;"))
        cases = self.failures("--dut-module", path, "--filter", "*/exhaustive_page", expect=3)
        for case in cases:
            self.assertIn("budget_exhausted: a warp executed", case["reason"])

    def test_what_a_module_lacks_is_listed_with_its_lines_and_never_green(self):
        path = self.broken("qmul4.w4.sm_100", ("mov.u32 \t%r4, %ctaid.x;", "mov.u32 %r4, %ctaid.x; ex2.approx.f32 %r4, %r4;"))
        listed = self.call("list", "--device", "ptx", "--dut-module", path, expect=0)
        self.assertRegex(listed, r"no: could not be opened: broken.ptx: 1 instruction of gather_qmul4 is not executed by "
                                 r"the interpreter: line \d+: `ex2\.approx\.f32 %r4, %r4;`: ")
        self.call("run", "--device", "ptx", "--dut-module", path, "--quiet", "--no-report", expect=4)


class SelectionTest(PtxTest):
    def test_it_runs_where_it_is_asked_for_by_its_name(self):
        listed = json.loads(self.call("list", "--json", expect=0))
        self.assertIn("ptx", [device["name"] for device in listed["devices"]])
        self.assertNotIn("ptx", [each["device"] for each in listed["implementations"]])
        out = self.call("run", "--device", "cpu", "--dut-module", triton("qmul4.w4.sm_100"), "--level", "smoke", "--no-report",
                        "--quiet", expect=4)
        self.assertIn("--device ptx executes it without a GPU", out)

    def test_it_is_no_gpu_that_a_gate_requires(self):
        listed = json.loads(self.call("list", "--json", expect=0))
        if any(device["name"] not in ("cpu", "ptx") for device in listed["devices"]):
            self.skipTest("not run: this machine has a GPU")
        done = subprocess.run([FP4CTS, "run", "--device", "all,ptx", "--require-device", "--level", "smoke", "--no-report", "--quiet"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("this machine has no GPU on which something runs", done.stderr)

    def test_it_is_not_timed(self):
        done = subprocess.run([FP4CTS, "bench", "--device", "ptx"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("ptx", done.stderr)


class ShippedTest(PtxTest):
    def setUp(self):
        super().setUp()
        if KERNELS is None:
            self.skipTest("not run: this build has no PTX text (no nvcc)")

    def broken(self, name, operation, pattern, to):
        text, count = re.subn(pattern, to, (KERNELS / f"{name}.ptx").read_text())
        self.assertNotEqual(count, 0)
        about = (PROJECT / f"kernels/maps/fp4cts_{operation}.json.in").read_text()
        for word, value in {"@module@.hsaco": "broken.ptx", "@module@": "broken", "@profile@": "ocp", "@entry@": name,
                            "@operation@": operation, "@threads@": "256"}.items():
            about = about.replace(word, value)
        (self.folder / "broken.ptx").write_text(text)
        path = self.folder / "broken.json"
        path.write_text(about)
        return path

    def test_every_path_is_executed(self):
        listed = json.loads(self.call("list", "--json", "--device", "ptx", expect=0))
        paths = {(each["operation"], each["path"]) for each in listed["implementations"] if not each["unavailable"]}
        built = {each["module"] for each in listed["modules"] if each["backend"] == "ptx" and each["built"]}
        # One module holds both gathers of K and V.
        self.assertEqual({"_".join(path) for path in paths} - {"nvfp4_gather_kv_swizzled_fp32"}, built)
        self.assertIn(("nvfp4_gather_kv_swizzled", "fp32"), paths)
        self.assertIn("nvfp4_gather_index_k_qmul4", built)
        reasons = {each["unavailable"] for each in listed["implementations"] if each["unavailable"]}
        self.assertEqual(reasons, {"has no PTX form"})

    # Level full has all that a statement takes, and is none all the same.
    def test_a_simulated_row_is_no_statement_of_a_processor(self):
        out = self.call("run", "--device", "ptx", "--op", "qmul4", "--path", "fp32", "--level", "full", "--quiet",
                        "--no-report", expect=0)
        self.assertIn("is simulated, which says nothing about a processor: no conformance statement", out)

    def test_codes_of_the_wrong_half_of_a_word_are_named(self):
        path = self.broken("nvfp4_gather_index_k_qmul4", "nvfp4_gather_index_k", r"mov\.b32 \t\{_, (%rs\d+)\}, (%r\d+);",
                           r"cvt.u16.u32 \1, \2;")
        cases = self.failures("--dut-module", path, expect=1)
        self.assertEqual({case["diagnosis"]["fault_class"] for case in cases}, {"code_from_elsewhere"})

    # The gathers of K and V read their parameters by an address in a register.
    def test_a_parameter_that_is_read_behind_its_end_is_named(self):
        path = self.broken("nvfp4_gather_kv_fp32", "nvfp4_gather_kv", r"(ld\.param\.u64 \t%rd\d+, \[%rd\d+)\+-?\d+\];",
                           r"\1+136];")
        for case in self.failures("--dut-module", path, expect=3):
            self.assertRegex(case["reason"], r"out_of_bounds: reads 8 bytes at offset \d+ of parameter "
                                             r"nvfp4_gather_kv_fp32_param_0, which has 136 bytes: .*gather_kv\.hpp:\d+\)")

    def test_scales_of_half_a_group_are_named(self):
        path = self.broken("nvfp4_gather_index_k_qmul4", "nvfp4_gather_index_k", "16843009;", "257;")
        cases = self.failures("--dut-module", path, expect=1)
        self.assertTrue(all(case["diagnosis"]["mismatches"] > 0 for case in cases))


# All of them: fp4cts faults --device ptx, two and a half minutes.
class FaultyTest(PtxTest):
    def setUp(self):
        super().setUp()
        if KERNELS is None:
            self.skipTest("not run: this build has no PTX text (no nvcc)")

    def test_faulty_kernels_die_and_are_named(self):
        for operation, count in (("encode_e4m3", 16), ("nvfp4_gather_kv*", 4), ("mxfp4_decode_pages", 11)):
            with self.subTest(operation):
                rows = [json.loads(line) for line in
                        self.call("faults", "--device", "ptx", "--op", operation, "--json", expect=0).splitlines()]
                self.assertEqual(len(rows), count)
                for row in rows:
                    self.assertEqual((row["not_run"], row["named"]), ("", row["class"]), row)

    # What a GPU shows now and then, and compute-sanitizer where it looks.
    def test_the_race_dies_a_hundred_times_of_a_hundred(self):
        operation = "nvfp4_gather_index_k"
        name = f"{operation}_missing_barrier_after_async_copy"
        about = (PROJECT / f"kernels/maps/fp4cts_{operation}.json.in").read_text()
        for word, value in {"@module@.hsaco": "race.ptx", "@module@": "race", "@profile@": "ocp", "@entry@": name,
                            "@threads@": "256"}.items():
            about = about.replace(word, value)
        (self.folder / "race.json").write_text(about)
        (self.folder / "race.ptx").write_text((KERNELS / "faulty/faulty_nvfp4_race.ptx").read_text())
        for _ in range(100):
            case, = self.failures("--dut-module", self.folder / "race.json", "--filter", "*/exhaustive_page", expect=3)
            self.assertRegex(case["reason"], r"(shared_race|async_not_waited): .*; before that .* 5 other findings\. "
                                             r"missing_barrier_after_async_copy")


if __name__ == "__main__":
    FP4CTS, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
    SCHEMA = jsonschema.Draft202012Validator(json.loads(pathlib.Path(sys.argv[3]).read_text()))
    KERNELS = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
    unittest.main(argv=sys.argv[:1])
