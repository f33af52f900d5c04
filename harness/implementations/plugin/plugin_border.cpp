// Nothing else belongs here: what is inline in a header would be compiled without unwind tables for
// the whole program.
#include "harness/implementations/plugin/plugin_border.hpp"

#include "harness/implementations/plugin/plugin_entries.hpp"

namespace harness::border {

std::uint32_t version(decltype(fp4cts_dut_version)* function) { return function(); }

const fp4cts_dut_declaration* declare(decltype(fp4cts_dut_declare)* function) { return function(); }

const char* prepare(const fp4cts_dut_declaration& declaration, const fp4cts_call& call) {
  return declaration.prepare(&call);
}

}  // namespace harness::border

namespace harness {
namespace {

template <auto Function>
struct EntryOf;
template <class Arguments,
          std::int32_t (*fp4cts_dut_declaration::*Function)(const fp4cts_call*, const Arguments*)>
struct EntryOf<Function> {
  // A declaration that was built with an older header ends before it.
  static bool declared(const fp4cts_dut_declaration& declaration) {
    const auto* const first = reinterpret_cast<const char*>(&declaration);
    const auto* const member = reinterpret_cast<const char*>(&(declaration.*Function));
    const auto end = static_cast<std::size_t>(member - first) + sizeof(declaration.*Function);
    return end <= declaration.sizes->declaration && declaration.*Function != nullptr;
  }
  static std::int32_t call(const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
                           const void* arguments) {
    return (declaration.*Function)(&call, static_cast<const Arguments*>(arguments));
  }
};

template <auto Function>
constexpr PluginEntry entry(std::string_view operation, std::string_view struct_name,
                            std::size_t fp4cts_dut_sizes::*struct_bytes) {
  return {operation, struct_name, struct_bytes, EntryOf<Function>::declared,
          EntryOf<Function>::call};
}

using Declaration = fp4cts_dut_declaration;
using Sizes = fp4cts_dut_sizes;
constexpr PluginEntry entries[] = {
    entry<&Declaration::qmul4>("qmul4", "fp4cts_qmul4", &Sizes::qmul4),
    entry<&Declaration::encode_e4m3>("encode_e4m3", "fp4cts_encode_e4m3", &Sizes::encode_e4m3),
    entry<&Declaration::nvfp4_gather_index_k>("nvfp4_gather_index_k", "fp4cts_nvfp4_gather_index_k",
                                              &Sizes::nvfp4_gather_index_k),
    entry<&Declaration::mxfp4_decode_pages>("mxfp4_decode_pages", "fp4cts_mxfp4_decode_pages",
                                            &Sizes::mxfp4_decode_pages),
    entry<&Declaration::mxfp4_gather_pages>("mxfp4_gather_pages", "fp4cts_mxfp4_gather_pages",
                                            &Sizes::mxfp4_gather_pages),
    entry<&Declaration::nvfp4_write_index_k>("nvfp4_write_index_k", "fp4cts_nvfp4_write_index_k",
                                             &Sizes::nvfp4_write_index_k),
    entry<&Declaration::mxfp4_write_pages>("mxfp4_write_pages", "fp4cts_mxfp4_write_pages",
                                           &Sizes::mxfp4_write_pages),
    entry<&Declaration::convert>("convert", "fp4cts_convert", &Sizes::convert),
    entry<&Declaration::nvfp4_gather_kv>("nvfp4_gather_kv", "fp4cts_nvfp4_gather_kv",
                                         &Sizes::nvfp4_gather_kv),
    entry<&Declaration::nvfp4_gather_kv_swizzled>(
        "nvfp4_gather_kv_swizzled", "fp4cts_nvfp4_gather_kv", &Sizes::nvfp4_gather_kv_swizzled)};

}  // namespace

std::span<const PluginEntry> plugin_entries() { return entries; }

}  // namespace harness
