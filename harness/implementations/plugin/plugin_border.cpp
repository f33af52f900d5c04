// Nothing else belongs here: what is inline in a header would be compiled without unwind tables for
// the whole program.
#include "harness/implementations/plugin/plugin_border.hpp"

namespace harness::border {

std::uint32_t version(decltype(fp4cts_dut_version)* function) { return function(); }

const fp4cts_dut_declaration* declare(decltype(fp4cts_dut_declare)* function) { return function(); }

const char* prepare(const fp4cts_dut_declaration& declaration, const fp4cts_call& call) {
  return declaration.prepare(&call);
}

std::int32_t enter(const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
                   const fp4cts_qmul4& arguments) {
  return declaration.qmul4(&call, &arguments);
}

std::int32_t enter(const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
                   const fp4cts_encode_e4m3& arguments) {
  return declaration.encode_e4m3(&call, &arguments);
}

std::int32_t enter(const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
                   const fp4cts_nvfp4_gather_index_k& arguments) {
  return declaration.nvfp4_gather_index_k(&call, &arguments);
}

std::int32_t enter(const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
                   const fp4cts_mxfp4_decode_pages& arguments) {
  return declaration.mxfp4_decode_pages(&call, &arguments);
}

std::int32_t enter(const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
                   const fp4cts_mxfp4_gather_pages& arguments) {
  return declaration.mxfp4_gather_pages(&call, &arguments);
}

}  // namespace harness::border
