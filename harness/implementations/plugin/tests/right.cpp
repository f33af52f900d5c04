// The template for the CPU, its two functions under other names, so that a library can hold it and
// functions of its own.
#define fp4cts_dut_version template_dut_version
#define fp4cts_dut_declare template_dut_declare
#include "examples/dut/cpu/my_kernels.cpp"
