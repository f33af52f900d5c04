// A plug-in that misbehaves as the name of its file says: crash.so crashes. plug_ins_test.py copies
// the library under each name. What it does wrong in a call it does in nvfp4_gather_index_k; where
// it answers, it answers with the bytes of the template examples/dut/cpu, which is compiled in with
// its two functions renamed.
#include <dlfcn.h>
#include <fp4cts/dut.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

extern "C" const fp4cts_dut_declaration* template_dut_declare();

namespace {

using Arguments = fp4cts_nvfp4_gather_index_k;

constexpr int worker_socket = 3;  // no part of the contract: what the worst of guests finds

const std::string& behaviour() {
  static const std::string name = [] {
    Dl_info info{};
    ::dladdr(reinterpret_cast<const void*>(&behaviour), &info);
    return std::filesystem::path(info.dli_fname).stem().string();
  }();
  return name;
}

std::int32_t right(const fp4cts_call* call, const Arguments* a) {
  return template_dut_declare()->nvfp4_gather_index_k(call, a);
}

std::size_t out_bytes(const Arguments* a) { return static_cast<std::size_t>(a->out_pages) * 16384; }

[[noreturn]] void wait_for_ever() {
  for (;;) ::pause();
}

// An E2M1 code times an E4M3FNUZ scale, as the profile `fnuz` has it: bias 8, 80 is NaN, no -0.
std::uint8_t multiply_fnuz(unsigned code, unsigned scale) {
  constexpr std::array<double, 8> e2m1{0, 0.5, 1, 1.5, 2, 3, 4, 6};
  constexpr double largest = 240;
  if (scale == 0x80) return 0x80;
  const int field = static_cast<int>(scale >> 3 & 15);
  const double value =
      field == 0 ? std::ldexp(scale & 7, -10) : std::ldexp(8 + (scale & 7), field - 11);
  const double product = e2m1[code & 7] * value;
  int exponent = product == 0 ? -10 : std::ilogb(product) - 3;
  if (exponent < -10) exponent = -10;
  int q = static_cast<int>(std::nearbyint(std::ldexp(product, -exponent)));
  if (q == 16) {
    q = 8;
    ++exponent;
  }
  if (q == 0) return 0;
  const unsigned sign = (code << 4 ^ scale) & 0x80;
  if (std::ldexp(q, exponent) > largest) return static_cast<std::uint8_t>(sign | 0x7f);
  const int bits = q < 8 ? q : (exponent + 11) << 3 | (q - 8);
  return static_cast<std::uint8_t>(sign | static_cast<unsigned>(bits));
}

std::int32_t gather_fnuz(const fp4cts_call* call, const Arguments* a) {
  for (std::int64_t r = 0; r < a->num_reqs; ++r) {
    for (std::int64_t p = 0; p < a->num_pages[r]; ++p) {
      const std::int64_t id = a->block_table[r * a->block_table_stride_elements + p];
      const std::uint8_t* page = a->kv_cache + id * a->page_stride_bytes;
      std::uint8_t* out = a->out + (a->page_offsets[r] + p) * 16384;
      for (int i = 0; i < 16384; ++i) {
        const unsigned code = page[i / 2] >> 4 * (i % 2) & 15;
        out[i] = multiply_fnuz(code, page[8192 + i / 128 * 8 + i % 128 / 16]);
      }
    }
  }
  static_cast<void>(call);
  return FP4CTS_OK;
}

// An answer of the worker, in its place.
void answer(const std::string& text) {
  std::string frame("fp4cts w\x02\0\0\0", 12);
  for (unsigned byte = 0; byte < 4; ++byte) {
    frame += static_cast<char>(text.size() >> 8 * byte & 0xff);
  }
  static_cast<void>(::send(worker_socket, (frame + text).data(), frame.size() + text.size(), 0));
}

// What this process has read of the request that it is to answer.
std::string find_id() {
  const std::string before = "{\"id\":\"";
  constexpr std::size_t digits = 32;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("[heap]") == std::string::npos) continue;
    std::size_t used = 0;
    const std::uintptr_t begin = std::stoull(line, &used, 16);
    const std::uintptr_t end = std::stoull(line.substr(used + 1), nullptr, 16);
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const std::string_view heap(reinterpret_cast<const char*>(begin), end - begin);
    for (std::size_t at = heap.find(before); at != heap.npos; at = heap.find(before, at + 1)) {
      const std::string_view rest = heap.substr(at + before.size(), digits + 40);
      if (rest.find("\"request\":\"execute\"") == digits + 2) {
        return std::string(rest.substr(0, digits));
      }
    }
  }
  return "not found";
}

using Behaviour = std::int32_t (*)(const fp4cts_call*, const Arguments*);

[[maybe_unused]] const std::map<std::string, Behaviour>& behaviours() {
  static const std::map<std::string, Behaviour> all{
      {"right", right},
      {"crash",
       [](const fp4cts_call*, const Arguments*) -> std::int32_t {
         volatile std::uint8_t* volatile nowhere = nullptr;
         *nowhere = 1;
         return FP4CTS_OK;
       }},
      {"raise",
       [](const fp4cts_call*, const Arguments*) -> std::int32_t {
         std::fputs("about to raise a signal\n", stderr);
         std::raise(SIGSEGV);
         wait_for_ever();
       }},
      {"overflow_stack",
       [](const fp4cts_call* call, const Arguments* a) -> std::int32_t {
         volatile char frame[4096];
         frame[0] = 1;
         const std::int32_t code = behaviours().at("overflow_stack")(call, a);
         return code + frame[0];
       }},
      {"abort", [](const fp4cts_call*, const Arguments*) -> std::int32_t { std::abort(); }},
      {"exit", [](const fp4cts_call*, const Arguments*) -> std::int32_t { std::exit(0); }},
      {"hang", [](const fp4cts_call*, const Arguments*) -> std::int32_t { wait_for_ever(); }},
      {"throw",
       [](const fp4cts_call*, const Arguments*) -> std::int32_t {
         throw std::runtime_error("out of luck");
       }},
      {"exhaust_memory",
       [](const fp4cts_call*, const Arguments*) -> std::int32_t {
         std::vector<std::unique_ptr<char[]>> kept;
         for (;;) kept.emplace_back(new char[std::size_t{16} << 20]);
       }},
      {"return_error",
       [](const fp4cts_call* call, const Arguments*) -> std::int32_t {
         std::snprintf(call->error, call->error_bytes, "no kernel\nfor %s", call->device);
         return FP4CTS_FAILED;
       }},
      {"return_no_text", [](const fp4cts_call*, const Arguments*) -> std::int32_t { return -17; }},
      {"endless_text",
       [](const fp4cts_call* call, const Arguments*) -> std::int32_t {
         std::memset(call->error, 'x', call->error_bytes);
         return FP4CTS_FAILED;
       }},
      {"garbage_on_socket",
       [](const fp4cts_call* call, const Arguments* a) {
         static_cast<void>(::send(worker_socket, "Segmentation fault (core dumped)", 32, 0));
         return right(call, a);
       }},
      {"answer_by_guess",
       [](const fp4cts_call* call, const Arguments* a) {
         a->out[out_bytes(a) + 3] ^= 0xff;
         const std::int32_t code = right(call, a);
         for (const char* id : {"1", "2", "3", "4", "5"}) {
           answer("{\"id\":" + std::string(id) + ",\"seconds\":1e-6,\"trespasses\":[]}");
         }
         return code;
       }},
      {"answer_in_its_place",
       [](const fp4cts_call* call, const Arguments* a) -> std::int32_t {
         a->out[out_bytes(a) + 3] ^= 0xff;
         right(call, a);
         answer("{\"id\":\"" + find_id() + "\",\"seconds\":1e-6}");
         wait_for_ever();
       }},
      {"move_away_when_loaded", right},
      {"replace_itself_when_loaded", right},
      {"garbage_on_stdout",
       [](const fp4cts_call* call, const Arguments* a) {
         for (int line = 0; line < 20000; ++line) std::puts("a line that nobody asked for");
         std::fflush(stdout);
         return right(call, a);
       }},
      {"close_descriptors",
       [](const fp4cts_call* call, const Arguments* a) {
         for (int descriptor = 0; descriptor < 64; ++descriptor) ::close(descriptor);
         return right(call, a);
       }},
      {"write_behind",
       [](const fp4cts_call* call, const Arguments* a) {
         a->out[out_bytes(a) + 3] ^= 0xff;
         return right(call, a);
       }},
      {"write_before",
       [](const fp4cts_call* call, const Arguments* a) {
         a->out[-1] ^= 0xff;
         return right(call, a);
       }},
      {"write_input",
       [](const fp4cts_call* call, const Arguments* a) {
         const std::int32_t code = right(call, a);
         const_cast<std::uint8_t*>(a->kv_cache)[5] ^= 0xff;
         return code;
       }},
      {"read_behind",
       [](const fp4cts_call* call, const Arguments* a) {
         static_cast<void>(
             *const_cast<const volatile std::int32_t*>(a->num_pages + a->num_reqs + 1024));
         return right(call, a);
       }},
      {"write_nothing", [](const fp4cts_call*, const Arguments*) { return FP4CTS_OK; }},
      {"leave_last_byte",
       [](const fp4cts_call* call, const Arguments* a) {
         std::uint8_t& last =
             a->out[(a->page_offsets[a->num_reqs - 1] + a->num_pages[a->num_reqs - 1]) * 16384 - 1];
         const std::uint8_t before = last;
         const std::int32_t code = right(call, a);
         last = before;
         return code;
       }},
      {"differ_second_time",
       [](const fp4cts_call* call, const Arguments* a) {
         static int calls = 0;
         const std::int32_t code = right(call, a);
         if (++calls % 2 == 0) a->out[0] ^= 0x40;
         return code;
       }},
      {"lie_about_profile", gather_fnuz},
      {"unknown_profile", right},
      {"refuse_device", right},
  };
  return all;
}

// By a file that is not the one that was loaded.
void replace_itself() {
  const std::string name = behaviour() + ".so";
  std::ofstream("other", std::ios::binary) << "an honest plug-in";
  std::filesystem::rename("other", name);
}

struct WhenLoaded {
  WhenLoaded() {
    if (behaviour() == "crash_when_loaded") std::raise(SIGBUS);
    if (behaviour() == "exit_when_loaded") std::_Exit(0);
    if (behaviour() == "move_away_when_loaded") std::filesystem::current_path("/");
    if (behaviour() == "replace_itself_when_loaded") replace_itself();
  }
};
const WhenLoaded when_loaded;

[[maybe_unused]] const char* refuse(const fp4cts_call* /*call*/) {
  return "needs a left-handed GPU";
}

}  // namespace

std::uint32_t fp4cts_dut_version() {
  return behaviour() == "wrong_version" ? FP4CTS_DUT_VERSION + 1 : FP4CTS_DUT_VERSION;
}

#ifndef WITHOUT_DECLARE
const fp4cts_dut_declaration* fp4cts_dut_declare() {
  if (behaviour() == "null_declaration") return nullptr;
  if (behaviour() == "hang_when_declared") wait_for_ever();
  static fp4cts_dut_sizes sizes = *fp4cts_dut_sizes_here();
  if (behaviour() == "newer_header") sizes.nvfp4_gather_index_k += 8;
  // As version 1 began: the declaration ends before the writers, and what follows is not its own.
  if (behaviour() == "older_header") {
    sizes.sizes = offsetof(fp4cts_dut_sizes, nvfp4_write_index_k);
    sizes.declaration = offsetof(fp4cts_dut_declaration, nvfp4_write_index_k);
    sizes.convert = 7;
  }
  static fp4cts_dut_declaration declaration{};
  declaration.sizes = &sizes;
  declaration.name = behaviour() == "bad_name" ? "my kernels" : behaviour().c_str();
  declaration.profile = behaviour() == "unknown_profile" ? "mine" : "ocp";
  declaration.device_kinds = behaviour() == "bad_device_kind" ? 8U : FP4CTS_CPU;
  declaration.toolkit = "none";
  if (behaviour() == "refuse_device") declaration.prepare = refuse;
  const auto found = behaviours().find(behaviour());
  if (found != behaviours().end()) declaration.nvfp4_gather_index_k = found->second;
  if (behaviour() == "older_header") {
    declaration.convert = [](const fp4cts_call*, const fp4cts_convert*) -> std::int32_t {
      std::abort();
    };
  }
  if (behaviour() == "older_header" || behaviour() == "newer_header" || behaviour() == "bad_name" ||
      behaviour() == "bad_device_kind") {
    declaration.nvfp4_gather_index_k = right;
  }
  return &declaration;
}
#endif
