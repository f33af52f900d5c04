#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The committed element tables against ml_dtypes and NumPy, a third implementation of the formats.

What ml_dtypes leaves out is done here as its users do: it does not saturate, so values are clipped
first, and it keeps the sign of a NaN, which the profile ocp drops. Needs numpy, ml_dtypes and
safetensors.
"""
import pathlib
import sys

import ml_dtypes
import numpy as np
import safetensors

elements = pathlib.Path(__file__).resolve().parent.parent / "data" / "elements"
BITS = {"U8": np.uint8, "F8_E4M3": np.uint8, "BF16": np.uint16, "F16": np.uint16, "F32": np.uint32}
E2M1 = ml_dtypes.float4_e2m1fn
E4M3 = ml_dtypes.float8_e4m3fn
E8M0 = ml_dtypes.float8_e8m0fnu


def load(table):
    """The bits of every tensor of a table."""
    data = (elements / f"{table}.safetensors").read_bytes()
    return {name: np.frombuffer(tensor["data"], BITS[tensor["dtype"]])
            for name, tensor in safetensors.deserialize(data)}


def with_nan(bits, values, nan):
    return np.where(np.isnan(values), bits.dtype.type(nan), bits)


def to_e4m3(values):
    return with_nan(np.clip(values, -448, 448).astype(E4M3).view(np.uint8), values, 0x7F)


def to_f32(values):
    return with_nan(values.astype(np.float32).view(np.uint32), values, 0x7FC00000)


def to_bf16(values):
    return with_nan(values.astype(ml_dtypes.bfloat16).view(np.uint16), values, 0x7FC0)


def to_f16(values):
    return with_nan(values.astype(np.float16).view(np.uint16), values, 0x7E00)


def product(tensors, scale_type):
    """Exact: f64 holds every product."""
    return (tensors["code"].view(E2M1).astype(np.float64) *
            tensors["scale"].view(scale_type).astype(np.float64))


def to_e2m1(values):
    """Saturates by itself; a NaN is 6, as CUDA has it."""
    return with_nan(np.clip(values, -6, 6).astype(E2M1).view(np.uint8), values, 7)


def to_e8m0(values, up):
    """By the fields of f32: the exponent, cut or rounded up; 2^-127 or less is 00."""
    bits = values.view(np.uint32) & 0x7FFFFFFF
    field, mantissa = bits >> 23, bits & 0x7FFFFF
    carry = (mantissa != 0) & (field != 0) if up else np.zeros_like(field, bool)
    # A subnormal is below 2^-126: above 2^-127 it rounds up to 01.
    carry |= up & (field == 0) & (mantissa > 0x400000)
    rounded = np.minimum(field + carry, 0xFE)
    return np.where(np.isnan(values), 0xFF, rounded).astype(np.uint8)


CHECKS = {
    "nvfp4_to_e4m3": lambda t: to_e4m3(product(t, E4M3)),
    "mxfp4_to_e4m3": lambda t: to_e4m3(product(t, E8M0)),
    "mxfp4_to_f32": lambda t: to_f32(product(t, E8M0)),
    "mxfp4_to_bf16": lambda t: to_bf16(product(t, E8M0)),
    "mxfp4_to_f16": lambda t: to_f16(product(t, E8M0)),
    "e2m1_to_f32": lambda t: to_f32(t["source"].view(E2M1).astype(np.float64)),
    "e4m3_to_f32": lambda t: to_f32(t["source"].view(E4M3).astype(np.float64)),
    "e8m0_to_f32": lambda t: to_f32(t["source"].view(E8M0).astype(np.float64)),
    "f32_to_e4m3": lambda t: to_e4m3(t["source"].view(np.float32)),
    "f32_to_e2m1": lambda t: to_e2m1(t["source"].view(np.float32)),
    "f32_to_e8m0_rtz": lambda t: to_e8m0(t["source"].view(np.float32), False),
    "f32_to_e8m0_rtp": lambda t: to_e8m0(t["source"].view(np.float32), True),
}


def main():
    faults, compared = [], 0
    tables = sorted(path.stem for path in elements.glob("*.safetensors"))
    if tables != sorted(CHECKS):
        faults.append(f"tables: expected {sorted(CHECKS)}, got {tables}")
    with np.errstate(invalid="ignore", over="ignore"):
        for table in tables:
            tensors = load(table)
            expected = tensors["expected.value"]
            actual = CHECKS[table](tensors)
            compared += expected.size
            for i in np.flatnonzero(actual != expected)[:5]:
                inputs = {name: hex(int(bits[i])) for name, bits in tensors.items()
                          if name in ("code", "scale", "source")}
                faults.append(f"{table} {inputs}: the table has {int(expected[i]):#x}, "
                              f"ml_dtypes gives {int(actual[i]):#x}")
    print("\n".join(faults) if faults else
          f"elements: {compared} values of {len(tables)} tables agree with ml_dtypes "
          f"{ml_dtypes.__version__} and numpy {np.__version__}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
