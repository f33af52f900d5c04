/* SPDX-License-Identifier: Apache-2.0 */
/* One MXFP4 page to floats, by the C library: code 3 (1.5) under the scale byte 0x80 (2) is 3. */
#include <stdio.h>
#include <string.h>

#include "fp4cts/oracle.h"

int main(void) {
  static uint8_t page[8704];
  static float out[128][128];
  const int64_t page_shape[] = {1, 8704};
  const int64_t out_shape[] = {1, 128, 128};
  const fp4cts_oracle_tensor from = {page, sizeof page, 0, FP4CTS_ORACLE_U8, 2, page_shape, NULL};
  const fp4cts_oracle_tensor to = {out, sizeof out, 0, FP4CTS_ORACLE_F32, 3, out_shape, NULL};
  fp4cts_oracle_profile* ocp = NULL;
  memset(page, 0x33, 8192); /* every code is 3 */
  memset(page + 8192, 0x80, 512);
  if (fp4cts_oracle_profile_open("ocp", &ocp) != FP4CTS_ORACLE_OK ||
      fp4cts_oracle_mxfp4_decode_pages(ocp, &from, &to) != FP4CTS_ORACLE_OK) {
    puts(fp4cts_oracle_error());
    return 1;
  }
  printf("%g\n", out[0][0]);
  fp4cts_oracle_profile_close(ocp);
  return 0;
}
