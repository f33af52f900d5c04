# SPDX-License-Identifier: Apache-2.0
# fp4cts_warnings: the warnings every target of this project is compiled with. Linked PRIVATE, never
# exported. Arithmetic must not depend on the compiler's freedom: no contraction, no fast-math.
add_library(fp4cts_warnings INTERFACE)
target_compile_options(fp4cts_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -ffp-contract=off
  # In a group of sources a name of one file may be a local name in the next.
  $<$<NOT:$<BOOL:${FP4CTS_UNITY}>>:-Wshadow>
  $<$<BOOL:${FP4CTS_WARNINGS_AS_ERRORS}>:-Werror>)
