/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plug-in with one small fault, marked below: qmul4 that rounds ties away from zero instead of to
 * even. It must fail, and the fault must be named: enc_ties_away.
 *
 *   gcc -std=c99 -O2 -shared -fPIC -I../../include wrong.c -o wrong.so -lm
 *   fp4cts run --device cpu --dut ./wrong.so
 *
 * Of 4096 pairs of code and scale that changes 188, each in its last bit: within any tolerance.
 */
#include <fp4cts/dut.h>
#include <math.h>

/* 0bSEEEEMMM to its value; NaN is handled by the caller. */
static double e4m3_value(unsigned bits) {
  const int field = (int)(bits >> 3 & 15);
  const double magnitude =
      field == 0 ? ldexp(bits & 7, -9) : ldexp(8 + (double)(bits & 7), field - 10);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

static unsigned multiply(unsigned code, unsigned scale) {
  static const double e2m1[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const unsigned sign = (code << 4 ^ scale) & 0x80;
  if ((scale & 0x7f) == 0x7f) return 0x7f;
  const double product = e2m1[code & 7] * fabs(e4m3_value(scale)); /* exact */
  if (product >= 448) return sign | 0x7e;
  int exponent = product == 0 ? -9 : ilogb(product) - 3; /* of the last bit */
  if (exponent < -9) exponent = -9;
  /* The fault: rint() rounds ties to even, round() does not. */
  int q = (int)round(ldexp(product, -exponent));
  if (q == 16) q = 8, ++exponent;
  const unsigned bits = q < 8 ? (unsigned)q : (unsigned)((exponent + 10) << 3 | (q - 8));
  return sign | (bits > 0x7e ? 0x7e : bits);
}

static int32_t qmul4(const fp4cts_call* call, const fp4cts_qmul4* arguments) {
  (void)call;
  for (int64_t i = 0; i < arguments->count; ++i) {
    uint32_t word = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const unsigned code = arguments->a[i] >> 4 * lane & 15;
      const unsigned scale = arguments->b[i] >> 8 * lane & 255;
      word |= (uint32_t)multiply(code, scale) << 8 * lane;
    }
    arguments->d[i] = word;
  }
  return FP4CTS_OK;
}

uint32_t fp4cts_dut_version(void) { return FP4CTS_DUT_VERSION; }

const fp4cts_dut_declaration* fp4cts_dut_declare(void) {
  static fp4cts_dut_declaration declaration;
  declaration.sizes = fp4cts_dut_sizes_here();
  declaration.name = "wrong";
  declaration.profile = "ocp";
  declaration.device_kinds = FP4CTS_CPU;
  declaration.qmul4 = qmul4;
  return &declaration;
}
