# SPDX-License-Identifier: Apache-2.0
"""fp4cts: byte-exact conformance of 4-bit KV-cache page kernels.

    fp4cts.check(fn, "nvfp4_gather_index_k", level="standard")   a verdict on a Python function
    fp4cts.cases("nvfp4_gather_index_k", "smoke")                names of cases, for parametrize
    @fp4cts.conforms("nvfp4_gather_index_k")                     one pytest test for each case
    fp4cts.oracle                                                the exact model on NumPy arrays
    fp4cts.load("golden.safetensors")                            a golden file as NumPy arrays
"""
from . import oracle
from .binary import UsageError, version
from .files import Problem, load
from .judge import Failure, NotConforming, Result, cases, check, conforms, operations

__all__ = ["Failure", "NotConforming", "Problem", "Result", "UsageError", "cases", "check", "conforms",
           "load", "operations", "oracle", "version"]
__version__ = "0.1.0"
