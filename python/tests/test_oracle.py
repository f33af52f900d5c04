# SPDX-License-Identifier: Apache-2.0
"""The oracle on arrays: against ml_dtypes over whole domains, and its contracts."""
import json

import kernels_under_test as under_test
import ml_dtypes
import numpy as np
import pytest

import fp4cts
from fp4cts import oracle

ML = {"e2m1": ml_dtypes.float4_e2m1fn, "e2m3": ml_dtypes.float6_e2m3fn, "e3m2": ml_dtypes.float6_e3m2fn,
      "e4m3": ml_dtypes.float8_e4m3fn, "e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "e5m2": ml_dtypes.float8_e5m2,
      "e8m0": ml_dtypes.float8_e8m0fnu, "bf16": ml_dtypes.bfloat16}
CODES = {"e2m1": 16, "e2m3": 64, "e3m2": 64, "bf16": 65536}


def pool(pages, page_bytes, seed=1):
    return np.random.default_rng(seed).integers(0, 256, (pages, page_bytes), dtype=np.uint8)


@pytest.mark.parametrize("format", ML)
def test_decode_is_that_of_ml_dtypes_for_every_code(format):
    codes = np.arange(CODES.get(format, 256)).astype(oracle.code_dtype(format))
    with np.errstate(invalid="ignore"):
        theirs = codes.view(ML[format]).astype(np.float64)
    assert np.array_equal(oracle.decode(format, codes), theirs, equal_nan=True)


@pytest.mark.parametrize("format, overflow", [("e4m3", "to_nan"), ("e4m3fnuz", "to_nan"), ("e5m2", "to_inf"),
                                              ("bf16", "to_inf")])
def test_encode_is_that_of_ml_dtypes_at_values_and_midpoints(format, overflow):
    values = oracle.decode(format, np.arange(CODES.get(format, 256)))
    values = np.sort(values[np.isfinite(values)])
    middles = (values[1:] + values[:-1]) / 2
    inputs = np.concatenate([values, middles, np.nextafter(np.float32(middles), np.float32(np.inf)),
                             np.nextafter(np.float32(middles), np.float32(-np.inf))])
    inputs = inputs[np.float32(inputs) == inputs]  # ml_dtypes goes by way of float32
    ours = oracle.encode(format, inputs, rounding="rne", overflow=overflow)
    theirs = inputs.astype(np.float32).astype(ML[format]).view(ours.dtype)
    assert inputs.size > 3 * values.size and np.array_equal(ours, theirs)


def test_gather_is_that_of_numpy_and_ml_dtypes():
    cache = pool(4, 9216 + 64)[:, :9216].reshape(4, 128, 72)  # a page stride of its own
    table = np.array([[3, 1, 7], [0, 7, 7]], np.int32)
    counts, offsets = np.array([2, 1], np.int32), np.array([1, 0], np.int32)
    out = oracle.nvfp4_gather_index_k(cache, table, counts, offsets)
    expected = np.zeros_like(out)
    under_test.gather(cache, table, counts, offsets, expected)
    assert out.shape == (3, 128, 128) and np.array_equal(out, expected)


def test_mxfp4_pages_decode_to_the_products():
    pages = pool(3, 8704)
    codes = np.stack([pages[:, :8192] & 15, pages[:, :8192] >> 4], -1).reshape(3, 128, 128)
    scales = np.repeat(pages[:, 8192:].reshape(3, 128, 4), 32, -1)
    for dtype in oracle.DTYPES:
        products = oracle.multiply("e8m0", codes, scales, dtype=dtype)
        assert oracle.mxfp4_decode_pages(pages, dtype=dtype).tobytes() == products.tobytes()
    with np.errstate(over="ignore", invalid="ignore"):
        f64 = oracle.decode("e2m1", codes) * oracle.decode("e8m0", scales)
        f32 = f64.astype(np.float32)
    assert np.array_equal(oracle.mxfp4_decode_pages(pages), f32, equal_nan=True)


def test_writing_and_quantizing_agree_and_read_back():
    rows = np.random.default_rng(2).standard_normal((5, 128)).astype(np.float32)
    slots = np.array([0, 5, -1, 127, 130], np.int64)
    cache = np.zeros((2, 128, 72), np.uint8)
    oracle.nvfp4_write_index_k(rows, slots, cache)
    codes, scales = oracle.quantize_nvfp4(rows)
    flat = cache.reshape(2, 9216)
    for row, slot in enumerate(slots):
        if slot >= 0:
            page, token = divmod(int(slot), 128)
            assert np.array_equal(flat[page, 64 * token:64 * token + 64], codes[row])
            assert np.array_equal(flat[page, 8192 + 8 * token:8192 + 8 * token + 8], scales[row])
    pages = np.zeros((2, 8704), np.uint8)
    oracle.mxfp4_write_pages(rows, slots, pages)
    codes, scales = oracle.quantize_mxfp4(rows)
    assert np.array_equal(pages[0, :64], codes[0]) and np.array_equal(pages[0, 8192:8196], scales[0])


def test_a_profile_is_a_name_a_dict_or_a_file(tmp_path):
    code, scale = np.array([1], np.uint8), np.array([0xFF], np.uint8)
    file = tmp_path / "mine.json"
    mine = {"fp4cts_profile": 1, "name": "mine", "version": 1, "extends": "ocp", "nan": {"f32": "7fffffff"}}
    file.write_text(json.dumps(mine))
    bits = [int(oracle.multiply("e8m0", code, scale, dtype="f32", profile=profile).view(np.uint32)[0])
            for profile in ("ocp", "cuda", mine, str(file), oracle.Profile(mine))]
    assert bits == [0x7FC00000, 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF]
    assert oracle.multiply("e8m0", code, scale, dtype="f32", profile="shift23")[0] == np.inf
    with pytest.raises(oracle.OracleError, match="expected one of ocp, cuda, fnuz, .*deepgemm; got 'occ'"):
        oracle.multiply("e8m0", code, scale, dtype="f32", profile="occ")
    with pytest.raises(oracle.OracleError, match="nan.f23: no such member"):
        oracle.Profile({"nan": {"f23": "0"}})


def test_contracts_are_errors_that_name_argument_expected_and_actual():
    table, counts, offsets = np.array([[2]], np.int32), np.array([1], np.int32), np.array([0], np.int32)
    cache = np.zeros((2, 128, 72), np.uint8)
    with pytest.raises(oracle.OracleError, match=r"block_table\[0\]\[0\].*from 0 to 1.*2") as raised:
        oracle.nvfp4_gather_index_k(cache, table, counts, offsets)
    assert raised.value.status == "out_of_range"
    with pytest.raises(oracle.OracleError, match="expected int32, got int64"):
        oracle.nvfp4_gather_index_k(cache, table.astype(np.int64), counts, offsets)
    with pytest.raises(oracle.OracleError, match="8704"):
        oracle.mxfp4_decode_pages(np.zeros((1, 100), np.uint8))
    with pytest.raises(oracle.OracleError, match="element 0: encode e2m1"):
        oracle.encode("e2m1", [np.nan], rounding="rne", overflow="satfinite")


def test_packed_arithmetic_and_qmul4_agree():
    a = np.arange(65536, dtype=np.uint16)
    b = (a.astype(np.uint32) * 2654435761).astype(np.uint32)
    d = oracle.qmul4(a, b)
    assert np.array_equal(d, oracle.packed("mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4", a, b))
    x = np.random.default_rng(3).standard_normal(1000).astype(np.float32)
    assert np.array_equal(oracle.encode_e4m3(x), under_test.e4m3(x))


def test_a_golden_file_is_arrays(tmp_path):
    from fp4cts import binary
    binary.ask(["vectors", "generate", "--set", "smoke", "--seed", "1", "--out", str(tmp_path)])
    found = sorted(tmp_path.rglob("*.safetensors"))
    assert found
    for path in found:
        problem = fp4cts.load(path)
        assert problem.expected.keys() == {tensor.name for tensor in problem.outputs}
    golden = fp4cts.load(next(path for path in found if path.name == "exhaustive_page.safetensors"
                              and "nvfp4_gather" in str(path)))
    arguments = golden.arguments
    oracle.nvfp4_gather_index_k(**arguments)
    assert arguments["out"].dtype == np.uint8
    assert np.array_equal(golden.tensors["out"].storage, golden.expected["out"].reshape(-1).view(np.uint8))
