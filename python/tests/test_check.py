# SPDX-License-Identifier: Apache-2.0
"""Verdicts on functions: right ones conform, and each fault is what the result says."""
import pathlib
import subprocess
import sys

import kernels_under_test as under_test
import pytest

import fp4cts
from fp4cts import binary

GATHER = "nvfp4_gather_index_k"


def judged(fn, operation=GATHER, level="smoke", **options):
    return fp4cts.check(fn, operation, level, raises=False, **options)


def test_a_right_function_conforms_on_every_case_of_standard():
    result = fp4cts.check(under_test.gather, GATHER)
    assert result and result.verdict == "CONFORMS" and not result.failures
    assert [record["case"] for record in result.cases] == fp4cts.cases(GATHER, "standard")
    assert all(record["verdict"] == "pass" and record["bytes_compared"] for record in result.cases)
    assert "NumPy" in result.ran_on and f"the function ran on {result.ran_on}\n" in result.text


def test_a_returned_output_is_judged():
    assert judged(under_test.encode_returned, "encode_e4m3", "standard")
    result = judged(under_test.encode_returned_too_short, "encode_e4m3")
    assert result.verdict == "ERROR" and "expected shape" in result.failures[0].reason


def test_wrong_bytes_are_named_by_place_and_class():
    result = judged(under_test.gather_without_negative_zero)
    assert not result and result.verdict == "MISMATCH" and result.exit_code == 1
    assert "enc_negative_zero_lost" in result.classes
    failure = result.failures[0]
    assert failure.case == f"{GATHER}/exhaustive_page"
    first = failure.record["diagnosis"]["first"][0]
    assert (first["expected"], first["actual"]) == ("0x80", "0x00")
    assert "kernels_under_test.py gather_without_negative_zero" in failure.reproduce
    assert "{serve}" in failure.reproduce and failure.reproduce in str(failure)


def test_pytest_gets_what_run_prints():
    with pytest.raises(fp4cts.NotConforming) as raised:
        fp4cts.check(under_test.gather_without_negative_zero, GATHER, "smoke")
    text = str(raised.value)
    assert text.startswith("MISMATCH nvfp4_gather_index_k/exhaustive_page") and text.endswith("MISMATCH")
    assert "expected 0x80 (-0), got 0x00 (0)" in text


@pytest.mark.parametrize("fn, region, tensor", [(under_test.gather_beyond, "guard after", "out"),
                                                (under_test.gather_into_input, "input", "num_pages")])
def test_a_write_where_nothing_may_be_written_is_seen(fn, region, tensor):
    result = judged(fn)
    trespass = result.failures[0].record["trespasses"][0]
    assert result.verdict == "MISMATCH" and (trespass["region"], trespass["tensor"]) == (region, tensor)


@pytest.mark.parametrize("fn, reason", [
    (under_test.gather_crashes, "killed by SIGSEGV"),
    (under_test.gather_hangs, "no answer within 2 s"),
    (under_test.gather_raises, "RuntimeError: no such layout (kernels_under_test.py:"),
    (under_test.gather_misnamed, "no argument of nvfp4_gather_index_k is named cache; there are: kv_cache")])
def test_a_function_that_fails_is_a_result(fn, reason):
    result = judged(fn, timeout=2)
    assert result.verdict == "ERROR" and reason in result.failures[0].reason
    assert all(failure.verdict in ("error", "not_run") for failure in result.failures)


def test_a_process_that_exits_is_a_result():
    assert "exited with status 7" in judged(under_test.encode_exits, "encode_e4m3").failures[0].reason


def test_every_dtype_of_convert_reaches_the_function():
    result = judged(under_test.leaves_all, "convert", level="smoke")
    assert {failure.verdict for failure in result.failures} == {"mismatch"}, result


def test_a_check_in_the_file_that_is_judged_is_refused(tmp_path):
    script = tmp_path / "own_file.py"
    script.write_text("import fp4cts\n"
                      "def fn(x, d): pass\n"
                      "print(fp4cts.check(fn, 'encode_e4m3', level='smoke'))\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=100)
    assert "__main__" in done.stdout + done.stderr


def test_results_that_are_not_those_of_the_run_are_an_error(monkeypatch):
    run = binary.run

    def edited(arguments, **options):
        process = run(arguments, **options)
        path = pathlib.Path(arguments[arguments.index("--report") + 1]) / "results.jsonl"
        path.write_text(path.read_text().replace('"exit_code":1', '"exit_code":0').replace("MISMATCH", "CONFORMS"))
        return process

    monkeypatch.setattr(binary, "run", edited)
    assert judged(under_test.leaves_all, "encode_e4m3", level="smoke").verdict == "ERROR"


def test_one_case_can_be_judged_alone():
    case = fp4cts.cases(GATHER, "standard")[3]
    assert [record["case"] for record in judged(under_test.gather, case=case, level="standard").cases] == [case]


def test_a_closure_goes_by_value():
    pytest.importorskip("cloudpickle")
    offset = 0

    def local(kv_cache, block_table, num_pages, page_offsets, out):
        under_test.gather(kv_cache, block_table, num_pages, page_offsets, out)
        out += offset

    assert judged(local)


def test_another_profile_is_another_verdict():
    result = judged(under_test.gather, profile="fnuz")
    assert result.verdict == "MISMATCH"
    assert any(failure.record["diagnosis"]["matching_profile"] == "ocp" for failure in result.failures)


def test_usage_is_an_error_with_the_words_of_the_command():
    with pytest.raises(fp4cts.UsageError, match="nvfp4_gather"):
        fp4cts.check(under_test.gather, "nvfp4_gather")
    with pytest.raises(ValueError, match="expected one of smoke"):
        fp4cts.cases(GATHER, "quick")
    with pytest.raises(ValueError, match="no operation is named 'nothing'"):
        fp4cts.cases("nothing")
    assert GATHER in fp4cts.operations()


@pytest.mark.parametrize("case", fp4cts.cases("encode_e4m3", "smoke"))
def test_cases_are_names_for_parametrize(case):
    fp4cts.check(under_test.encode_returned, "encode_e4m3", case=case)
