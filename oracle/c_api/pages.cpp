// The page operations: views of the caller's memory handed to the fast oracle and the writers.
#include "oracle/blocks/quantize.hpp"
#include "oracle/c_api/handle.hpp"

using namespace oracle;
using namespace oracle::c_api;

namespace {

// Collects the views of a call, and keeps the first error.
class Views {
 public:
  explicit Views(std::string_view operation) : operation_(operation) {}

  TensorView view(std::string_view argument, const fp4cts_oracle_tensor* tensor) {
    if (!status_) return {};
    if (tensor == nullptr) {
      status_ = fail(ErrorCode::invalid_argument,
                     std::string(operation_) + ": " + std::string(argument) + ": is null");
      return {};
    }
    Result<TensorView> made = view_of(operation_, argument, *tensor);
    if (made) return *made;
    status_ = tl::make_unexpected(made.error());
    return {};
  }
  void require(bool right, std::string_view argument, const std::string& what) {
    if (status_ && !right) {
      status_ = fail(ErrorCode::invalid_argument,
                     std::string(operation_) + ": " + std::string(argument) + ": " + what);
    }
  }
  const Result<void>& status() const { return status_; }

 private:
  std::string_view operation_;
  Result<void> status_;
};

fp4cts_oracle_status gather_by(const PageReader& reader, const fp4cts_oracle_profile* profile,
                               const fp4cts_oracle_gather* given) {
  return guarded([&]() -> Result<void> {
    Views views(reader.name);
    views.require(profile != nullptr, "profile", "is null");
    views.require(given != nullptr && given->struct_bytes == sizeof *given, "arguments",
                  "expected struct_bytes " + std::to_string(sizeof *given));
    if (!views.status()) return views.status();
    GatherArguments arguments;
    arguments.pages = views.view(reader.pool->name, &given->pages);
    arguments.block_table = views.view("block_table", &given->block_table);
    arguments.num_pages = views.view("num_pages", &given->num_pages);
    arguments.page_offsets = views.view("page_offsets", &given->page_offsets);
    arguments.max_num_pages = given->max_num_pages;
    arguments.out = views.view("out", &given->out);
    if (!views.status()) return views.status();
    return profile->fast()->gather(reader, arguments);
  });
}

fp4cts_oracle_status write_by(const PageWriter& writer, const fp4cts_oracle_profile* profile,
                              const fp4cts_oracle_tensor* rows,
                              const fp4cts_oracle_tensor* slot_mapping,
                              const fp4cts_oracle_tensor* pages) {
  return guarded([&]() -> Result<void> {
    Views views(writer.name);
    views.require(profile != nullptr, "profile", "is null");
    const WriteArguments arguments{views.view("rows", rows),
                                   views.view("slot_mapping", slot_mapping),
                                   views.view(writer.pool->name, pages)};
    if (!views.status()) return views.status();
    return write(writer, arguments, profile->profile);
  });
}

}  // namespace

extern "C" {

fp4cts_oracle_status fp4cts_oracle_nvfp4_gather_index_k(const fp4cts_oracle_profile* profile,
                                                        const fp4cts_oracle_gather* arguments) {
  return gather_by(readers::nvfp4_gather_index_k, profile, arguments);
}

fp4cts_oracle_status fp4cts_oracle_mxfp4_gather_pages(const fp4cts_oracle_profile* profile,
                                                      const fp4cts_oracle_gather* arguments) {
  return gather_by(readers::mxfp4_gather_pages, profile, arguments);
}

fp4cts_oracle_status fp4cts_oracle_mxfp4_decode_pages(const fp4cts_oracle_profile* profile,
                                                      const fp4cts_oracle_tensor* pages,
                                                      const fp4cts_oracle_tensor* out) {
  return guarded([&]() -> Result<void> {
    Views views("mxfp4_decode_pages");
    views.require(profile != nullptr, "profile", "is null");
    const TensorView from = views.view("pages", pages);
    const TensorView to = views.view("out", out);
    if (!views.status()) return views.status();
    return profile->fast()->mxfp4_decode_pages(from, to);
  });
}

fp4cts_oracle_status fp4cts_oracle_nvfp4_write_index_k(const fp4cts_oracle_profile* profile,
                                                       const fp4cts_oracle_tensor* rows,
                                                       const fp4cts_oracle_tensor* slot_mapping,
                                                       const fp4cts_oracle_tensor* pages) {
  return write_by(writers::nvfp4_write_index_k, profile, rows, slot_mapping, pages);
}

fp4cts_oracle_status fp4cts_oracle_mxfp4_write_pages(const fp4cts_oracle_profile* profile,
                                                     const fp4cts_oracle_tensor* rows,
                                                     const fp4cts_oracle_tensor* slot_mapping,
                                                     const fp4cts_oracle_tensor* pages) {
  return write_by(writers::mxfp4_write_pages, profile, rows, slot_mapping, pages);
}

}  // extern "C"
