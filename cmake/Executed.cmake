# SPDX-License-Identifier: Apache-2.0
# Where the machine code of the modules has been executed: the one table from which `fp4cts list` and every report say
# "assembled, never executed" of the rest, and from which the tests take what they execute.

# In AMD's emulator (docs/amd-emulator.md): all modules in each run of the tests; those of the path cvt alone; all of
# them by the preset exhaustive, which has conformed; and what that preset would execute, and has not yet.
set(FP4CTS_EMULATED_ALWAYS gfx942 gfx1100 gfx1200)
set(FP4CTS_EMULATED_CVT gfx950)
set(FP4CTS_EMULATED_ONCE gfx90a gfx950)
set(FP4CTS_EMULATED_NOT_YET gfx1101 gfx1102 gfx1150 gfx1151 gfx1201 gfx9-4-generic gfx11-generic gfx12-generic)

# On a GPU (docs/runs.md).
set(FP4CTS_RUN_ON_CUDA sm_90)
set(FP4CTS_RUN_ON_HIP)

set(FP4CTS_CUDA_EXECUTED ${FP4CTS_RUN_ON_CUDA})
set(FP4CTS_PTX_EXECUTED sm_90 sm_100a)  # as text, by the interpreter in ptx/
set(FP4CTS_HIP_EXECUTED ${FP4CTS_EMULATED_ALWAYS} ${FP4CTS_EMULATED_ONCE} ${FP4CTS_RUN_ON_HIP})
