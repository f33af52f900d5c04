// Maps and files of GPU modules: what is read, what is refused and why, and what a kernel is
// launched with.
#include "harness/implementations/module/module_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "harness/files/file.hpp"
#include "harness/implementations/isolation/temporary_folder.hpp"
#include "harness/implementations/module/module_file.hpp"
#include "harness/implementations/module/module_launch.hpp"
#include "harness/implementations/module/tests/module_samples.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

nlohmann::json example_map() {
  return nlohmann::json::parse(*read_text_file(FP4CTS_MODULE_EXAMPLE, 1 << 20));
}

class ModuleMapTest : public ::testing::Test {
 protected:
  std::filesystem::path write(std::string_view name, std::string_view bytes) {
    const auto path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  Result<ModuleMap> read(const nlohmann::json& json) {
    return read_module_map(write("map.json", json.dump()));
  }
  // The error without the path of the map.
  std::string error_of(const nlohmann::json& json) {
    const auto map = read(json);
    if (!map) return map.error().message.substr((folder_.path() / "map.json").string().size());
    const Status status = check_module_map(*map, *operation_named(map->operation));
    return status ? "no error" : status.error().message;
  }
  std::string error_with(const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json map = example_map();
    map[nlohmann::json::json_pointer(pointer)] = value;
    return error_of(map);
  }
  TemporaryFolder folder_ = std::move(TemporaryFolder::create().value());
};

TEST_F(ModuleMapTest, TheExampleIsRead) {
  const auto map = read_module_map(FP4CTS_MODULE_EXAMPLE);
  ASSERT_TRUE(map) << map.error().message;
  EXPECT_EQ(map->module.filename(), "gather_index_k.cubin");
  EXPECT_EQ(map->module.parent_path(), std::filesystem::path(FP4CTS_MODULE_EXAMPLE).parent_path());
  EXPECT_EQ(map->operation, "nvfp4_gather_index_k");
  EXPECT_EQ(map->name, "example");
  EXPECT_EQ(map->profile, "ocp");
  EXPECT_EQ(map->entry, "gather_index_k");
  EXPECT_EQ(map->threads, (std::array<std::uint32_t, 3>{128, 1, 1}));
  EXPECT_EQ(map->shared_bytes, 0u);
  EXPECT_EQ(map->grid.size(), 1u);
  EXPECT_EQ(map->parameters.size(), 8u);
  EXPECT_TRUE(check_module_map(*map, *operation_named(map->operation)));
}

TEST_F(ModuleMapTest, WhatIsWrongIsNamed) {
  const std::vector<std::tuple<const char*, nlohmann::json, const char*>> wrong{
      {"/schema", 2, ": \"schema\": expected an integer in [1, 1], got 2"},
      {"/moduel", "x", ": \"moduel\": expected no such member"},
      {"/entry", "", ": \"entry\": expected a name, got none"},
      {"/operation", 7, ": \"operation\": expected a string, got 7"},
      {"/threads", 0, ": \"threads\": axis 0: expected an integer in [1, 1024], got 0"},
      {"/threads", {64, 32}, ": \"threads\": expected at most 1024 in a block, got 2048"},
      {"/threads", {1, 1, 65}, ": \"threads\": axis 2: expected an integer in [1, 64], got 65"},
      {"/threads", {1, 1, 1, 1}, ": \"threads\": expected 1 to 3 axes, got 4"},
      {"/grid", nlohmann::json::array(), ": \"grid\": expected 1 to 3 axes, got 0"},
      {"/grid/0", "pages", ": \"grid\": axis 0: expected an integer or an object, got \"pages\""},
      {"/grid/0",
       {{"size", {"block_table", 0}}, {"type", "i32"}},
       ": \"grid\": axis 0: \"type\": expected no such member"},
      {"/grid/0",
       {{"size", {"block_tabel", 0}}},
       "grid axis 0: nvfp4_gather_index_k has no tensor \"block_tabel\"; there are: kv_cache, "
       "block_table, num_pages, page_offsets, out"},
      {"/grid/1",
       {{"scalar", "pages"}},
       "grid axis 1: nvfp4_gather_index_k has no scalar \"pages\"; there are: max_num_pages"},
      {"/grid/1",
       {{"product", {{{"scalar", "max_num_pages"}}, {{"scalar", "heads"}}}}},
       "grid axis 1: nvfp4_gather_index_k has no scalar \"heads\"; there are: max_num_pages"},
      {"/grid/1",
       {{"product", {2, {{"stride", {"out", 0}}}}}},
       ": \"grid\": axis 1: \"product\": factor 1: \"unit\": expected this member, got none"},
      {"/grid/1",
       {{"argument", "heads"}},
       "grid axis 1: nvfp4_gather_index_k has no argument \"heads\"; there are: num_blocks, "
       "page_stride_bytes, num_reqs, block_table_stride_elements, max_blocks, out_pages, "
       "max_num_pages"},
      {"/shared_bytes", -1, ": \"shared_bytes\": expected an integer in [0, 1048576], got -1"},
      {"/parameters", nlohmann::json::array(),
       ": \"parameters\": expected an array of 1 to 256 parameters, got an array"},
      {"/parameters/0",
       {{"tensor", "cache"}},
       "parameter 0: nvfp4_gather_index_k has no tensor \"cache\"; there are: kv_cache, "
       "block_table, num_pages, page_offsets, out"},
      {"/parameters/0",
       {{"tensor", "kv_cache"}, {"type", "i64"}},
       ": \"parameters\": parameter 0: \"type\": expected no such member"},
      {"/parameters/1",
       {{"constant", 1}},
       ": \"parameters\": parameter 1: \"type\": expected this member, got none"},
      {"/parameters/1/type", "int",
       ": \"parameters\": parameter 1: \"type\": expected i32, u32, i64 or u64, got \"int\""},
      {"/parameters/1/unit", "rows",
       ": \"parameters\": parameter 1: \"unit\": expected bytes or elements, got \"rows\""},
      {"/parameters/1/stride",
       {"kv_cache", -1},
       ": \"parameters\": parameter 1: \"stride\": expected a tensor's name and an axis, "
       "[\"kv_cache\", 0], got [\"kv_cache\",-1]"},
      {"/parameters/1/scalar", "max_num_pages",
       ": \"parameters\": parameter 1: \"scalar\": expected one of them, got \"stride\" too"},
      {"/parameters/1/otherwise", 1,
       ": \"parameters\": parameter 1: \"otherwise\": expected no such member"},
      {"/parameters/1/rank", 3,
       ": \"parameters\": parameter 1: \"otherwise\": expected this member, got none"},
      {"/parameters/1/divide_up", 0,
       ": \"parameters\": parameter 1: \"divide_up\": expected an integer in "
       "[1, 9223372036854775807], got 0"},
      {"/parameters/1",
       {{"type", "i32"}},
       ": \"parameters\": parameter 1: \"constant|size|stride|scalar|argument|dtype|product\": "
       "expected one "
       "of these members, got none"},
      {"/parameters/1",
       {{"dtype", "out"}, {"values", {{"FP8", 0}}}, {"type", "i32"}},
       ": \"parameters\": parameter 1: \"values\": no dtype is named FP8"},
  };
  for (const auto& [pointer, value, message] : wrong) {
    EXPECT_EQ(error_with(pointer, value), message) << pointer << ' ' << value;
  }
  for (const char* member : {"schema", "module", "operation", "name", "profile", "entry", "threads",
                             "grid", "parameters"}) {
    nlohmann::json map = example_map();
    map.erase(member);
    EXPECT_EQ(error_of(map), fmt::format(": \"{}\": expected this member, got none", member));
  }
  EXPECT_EQ(error_with("/shared_bytes", 1024), "no error");
  EXPECT_THAT(read_module_map(write("map.json", "{\"schema\": 1,")).error().message,
              HasSubstr("map.json: "));
  EXPECT_FALSE(read_module_map(folder_.path() / "none.json"));
}

// A gather over biased bases, of one request with a table of other strides.
Problem gather_problem() {
  const Operation& operation = *operation_named("nvfp4_gather_index_k");
  return operation.build(operation.cases(Level::smoke, 0).front().spec)->front();
}

const Signature& gather_signature() { return operation_named("nvfp4_gather_index_k")->signature(); }

template <class T>
T at(const std::vector<std::uint8_t>& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST_F(ModuleMapTest, ParametersLieAsInAStruct) {
  const auto map = read_module_map(FP4CTS_MODULE_EXAMPLE);
  ASSERT_TRUE(map);
  Problem problem = gather_problem();
  problem.find("kv_cache")->strides[0] = 9728;
  problem.find("block_table")->shape[0] = 5;
  problem.find("block_table")->strides[0] = 77;
  problem.scalars["max_num_pages"] = 9;
  const std::vector<std::uint64_t> origins{0x1000, 0x2000, 0x3000, 0x4000, 0x8000000000000100};
  const auto launch = bind_module(*map, gather_signature(), problem, origins);
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_THAT(launch->shape.grid, ElementsAre(45u, 1u, 1u));
  EXPECT_THAT(launch->shape.threads, ElementsAre(128u, 1u, 1u));
  const std::vector<std::uint8_t>& bytes = launch->parameters;
  ASSERT_EQ(bytes.size(), 64u);
  EXPECT_EQ(at<std::uint64_t>(bytes, 0), 0x1000u);
  EXPECT_EQ(at<std::int64_t>(bytes, 8), 9728);
  EXPECT_EQ(at<std::uint64_t>(bytes, 16), 0x2000u);
  EXPECT_EQ(at<std::int32_t>(bytes, 24), 77);
  EXPECT_EQ(at<std::int32_t>(bytes, 28), 0) << "padding";
  EXPECT_EQ(at<std::uint64_t>(bytes, 32), 0x3000u);
  EXPECT_EQ(at<std::uint64_t>(bytes, 40), 0x4000u);
  EXPECT_EQ(at<std::int32_t>(bytes, 48), 9);
  EXPECT_EQ(at<std::uint64_t>(bytes, 56), 0x8000000000000100u);
}

TEST_F(ModuleMapTest, EveryQuantityHasItsValue) {
  nlohmann::json json = example_map();
  json["grid"] = {{{"product", {{{"size", {"block_table", 0}}}, {{"scalar", "max_num_pages"}}, 3}},
                   {"divide_up", 4}}};
  json["parameters"] = nlohmann::json::parse(R"([
    {"constant": -2, "type": "i32"}, {"constant": 9223372036854775807, "type": "u64"},
    {"size": ["kv_cache", 1], "type": "u32"}, {"stride": ["out", 1], "unit": "bytes", "type": "i32"},
    {"size": ["out", 3], "rank": 4, "otherwise": 1, "type": "i32"},
    {"size": ["out", 2], "rank": 3, "otherwise": 1, "type": "i32"},
    {"dtype": "out", "values": {"F32": 1, "F8_E4M3": 5}, "type": "i64"},
    {"argument": "page_stride_bytes", "type": "i64"}, {"argument": "num_reqs", "type": "i32"}])");
  const auto map = read(json);
  ASSERT_TRUE(map) << map.error().message;
  Problem problem = gather_problem();
  problem.find("block_table")->shape[0] = 5;
  problem.scalars["max_num_pages"] = 9;
  const auto launch = bind_module(*map, gather_signature(), problem, std::vector<std::uint64_t>(5));
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_THAT(launch->shape.grid, ElementsAre(34u, 1u, 1u));  // 135 / 4
  const std::vector<std::uint8_t>& bytes = launch->parameters;
  ASSERT_EQ(bytes.size(), 52u);
  EXPECT_EQ(at<std::int32_t>(bytes, 0), -2);
  EXPECT_EQ(at<std::uint64_t>(bytes, 8), 0x7fffffffffffffffu);
  EXPECT_EQ(at<std::uint32_t>(bytes, 16), 128u);
  EXPECT_EQ(at<std::int32_t>(bytes, 20), 128);
  EXPECT_EQ(at<std::int32_t>(bytes, 24), 1);
  EXPECT_EQ(at<std::int32_t>(bytes, 28), 128);
  EXPECT_EQ(at<std::int64_t>(bytes, 32), 5);
  EXPECT_EQ(at<std::int64_t>(bytes, 40), 9216);
  EXPECT_EQ(at<std::int32_t>(bytes, 48), 5);
}

TEST_F(ModuleMapTest, WhatDoesNotFitIsAnErrorThatNamesIt) {
  const auto error_of_call = [&](const std::string& pointer, const nlohmann::json& value,
                                 Problem problem) {
    nlohmann::json json = example_map();
    json[nlohmann::json::json_pointer(pointer)] = value;
    const auto map = read(json);
    EXPECT_TRUE(map) << map.error().message;
    const auto launch =
        bind_module(*map, gather_signature(), problem, std::vector<std::uint64_t>(5));
    return launch ? "no error" : launch.error().message;
  };
  Problem far = gather_problem();
  far.find("kv_cache")->strides[0] = std::int64_t{1} << 31;
  EXPECT_EQ(error_of_call("/parameters/1/type", "i32", far),
            "parameter 1 (stride of axis 0 of kv_cache in bytes): expected a value that fits in "
            "i32, got 2147483648");
  EXPECT_EQ(error_of_call("/parameters/1/type", "u32", far), "no error");
  far.find("kv_cache")->strides[0] = -1;
  EXPECT_THAT(error_of_call("/parameters/1/type", "u64", far),
              EndsWith("expected a value that fits in u64, got -1"));
  far.scalars["max_num_pages"] = 65536;
  EXPECT_EQ(error_of_call("/grid/1", {{"scalar", "max_num_pages"}}, far),
            "grid axis 1 (max_num_pages): expected blocks in [0, 65535], got 65536");
  far.scalars["max_num_pages"] = 1;
  EXPECT_THAT(error_of_call("/parameters/1/stride", {"kv_cache", 3}, far),
              HasSubstr("and no axis 3 (\"rank\" and \"otherwise\" say"));
  EXPECT_EQ(error_of_call("/parameters/1",
                          {{"dtype", "out"}, {"values", {{"F32", 1}}}, {"type", "i32"}}, far),
            "parameter 1 (dtype of out): out is F8_E4M3 here, for which \"values\" has no value");
  EXPECT_THAT(error_of_call("/grid/0", {{"product", {INT64_MAX, 2}}}, far),
              EndsWith("expected a value of 64 bits, got a larger one"));
}

TEST_F(ModuleMapTest, FilesAreKnownByTheirContents) {
  const auto kind = [&](std::string_view bytes) {
    const auto file = read_module_file(write("module", bytes));
    return file ? fmt::format("{}", fmt::join(file->device_kinds, " "))
                : file.error().message.substr((folder_.path() / "module").string().size());
  };
  constexpr unsigned cuda = 190;
  constexpr unsigned amdgpu = 224;
  EXPECT_EQ(kind(testing::elf_of(cuda)), "cuda");
  EXPECT_EQ(kind(testing::elf_of(amdgpu)), "hip");
  EXPECT_EQ(kind(testing::fatbin_of(40)), "cuda");
  EXPECT_EQ(kind("__CLANG_OFFLOAD_BUNDLE__and so on"), "hip");
  EXPECT_EQ(kind("CCOB and so on"), "hip");
  EXPECT_EQ(kind("// Generated\n/* by\nhand */\n.version 8.0\n.target sm_90\n"), "cuda ptx");
  EXPECT_EQ(kind(testing::elf_of(62)),
            ": expected an ELF file for a GPU (machine 190 or 224), got one for machine 62");
  const std::string elf = testing::elf_of(cuda);
  EXPECT_EQ(
      kind(std::string_view(elf).substr(0, elf.size() - 1)),
      fmt::format(": expected {} bytes, as it says of itself, got {}", elf.size(), elf.size() - 1));
  const std::string fatbin = testing::fatbin_of(40);
  EXPECT_EQ(kind(std::string_view(fatbin).substr(0, 55)),
            ": expected 56 bytes, as it says of itself, got 55");
  for (const std::string_view none :
       {std::string_view(""),
        std::string_view("\x7f"
                         "ELF"),
        std::string_view("version https://git-lfs.github.com/spec/v1"),
        std::string_view("// no more"), std::string_view("/*"),
        std::string_view(".version\0", 9)}) {
    EXPECT_THAT(kind(none), HasSubstr(": expected ")) << none;
  }
  EXPECT_THAT(kind("version https://git-lfs"), EndsWith("it begins with \"version https://\""));
  EXPECT_FALSE(read_module_file(folder_.path() / "none"));
  // Text is handed over with the end that the driver looks for.
  const auto text = read_module_file(write("module", ".version 8.0\n"));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->image.size(), 14u);
  EXPECT_EQ(text->image.back(), 0);
}

}  // namespace
}  // namespace harness
