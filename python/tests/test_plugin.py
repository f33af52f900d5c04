# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: one test for each case, one run for all."""
import pathlib
import re

import fp4cts

pytest_plugins = ["pytester"]
HERE = pathlib.Path(__file__).parent


def suite(pytester, decorated):
    pytester.makepyfile(test_kernel=f"""
        import sys
        sys.path.insert(0, {str(HERE)!r})
        import kernels_under_test as under_test
        import fp4cts

        @fp4cts.conforms("nvfp4_gather_index_k", "standard")
        def gather(kv_cache, block_table, num_pages, page_offsets, out):
            under_test.{decorated}(kv_cache, block_table, num_pages, page_offsets, out)
    """)


def test_a_case_is_a_test(pytester):
    suite(pytester, "gather")
    outcome = pytester.runpytest_subprocess("-v")
    outcome.assert_outcomes(passed=len(fp4cts.cases("nvfp4_gather_index_k", "standard")))
    outcome.stdout.fnmatch_lines(["*gather[[]exhaustive_page[]]*PASSED*"])


def test_the_cases_that_fail_say_why(pytester):
    suite(pytester, "gather_without_negative_zero")
    outcome = pytester.runpytest_subprocess("-k", "exhaustive_page")
    outcome.assert_outcomes(failed=1, deselected=len(fp4cts.cases("nvfp4_gather_index_k", "standard")) - 1)
    text = outcome.stdout.str()
    assert "expected 0x80 (-0), got 0x00 (0)" in text and "class: enc_negative_zero_lost" in text
    assert re.search(r"reproduce: fp4cts run .*test_kernel\.py gather", text)
