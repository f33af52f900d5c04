#include "harness/suite/operations/write_operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "fp4cts/abi.h"
#include "harness/diagnosis/write_diagnosis.hpp"
#include "harness/suite/operations/oracle_views.hpp"
#include "harness/suite/operations/page_signature.hpp"
#include "harness/suite/operations/registry.hpp"
#include "harness/suite/operations/write_cases.hpp"
#include "harness/suite/operations/write_coverage.hpp"
#include "harness/suite/operations/write_rows.hpp"
#include "harness/suite/signature_check.hpp"

namespace harness {
namespace {

Axis fixed_axis(std::int64_t extent) {
  Axis axis;
  axis.extent = extent;
  return axis;
}

template <class Struct>
Signature write_signature(const WriteForm& form, std::string_view struct_name) {
  const oracle::PageLayout& layout = form.layout();
  Signature signature;
  signature.operation = form.name();

  TensorSignature rows;
  rows.name = "rows";
  rows.dtypes = {DType::f32, DType::f16, DType::bf16};
  rows.axes = {{.name = "num_tokens", .stride = "row_stride_bytes", .stride_multiple_bytes = 16}};
  if (form.has_heads()) {
    rows.axes.push_back({.name = "num_heads",
                         .stride = "row_head_stride_bytes",
                         .stride_multiple_bytes = 16,
                         .optional = true});
  }
  rows.axes.push_back(fixed_axis(layout.head_dim));
  rows.alignment_bytes = 16;

  TensorSignature slots;
  slots.name = "slot_mapping";
  slots.dtypes = {DType::i64};
  slots.axes = {{.name = "num_tokens"}};
  slots.alignment_bytes = sizeof(std::int64_t);

  TensorSignature pool = pool_signature(form.pool(), "num_blocks");
  pool.role = Role::output;
  signature.tensors = {std::move(rows), std::move(slots), std::move(pool)};
  // A thread for each scale block.
  signature.grid = {"num_tokens"};
  if (form.has_heads()) signature.grid.emplace_back("num_heads");
  signature.grid_counts_threads = true;
  signature.grid_factor = layout.groups_per_token();
  set_struct<Struct>(signature, struct_name);
  return signature;
}

}  // namespace

Result<oracle::WritePlan> plan_write(const WriteForm& form, const Problem& problem,
                                     const oracle::Profile& profile) {
  const Tensor* pool = problem.find(form.pool().name);
  if (pool == nullptr || pool->role != Role::output) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: {}: expected an output tensor of this name, got {}", form.name(),
                    form.pool().name, pool == nullptr ? "none" : "an input"));
  }
  oracle::WriteArguments arguments;
  for (const auto& [name, into] :
       {std::pair<std::string_view, oracle::ConstTensorView*>{"rows", &arguments.rows},
        {"slot_mapping", &arguments.slot_mapping}}) {
    auto view = oracle_view(problem, name);
    if (!view) return tl::make_unexpected(view.error());
    *into = std::move(*view);
  }
  // A view for writing, because the call's arguments have one; planning writes nothing.
  arguments.pages =
      oracle_view(*pool, {const_cast<std::uint8_t*>(pool->storage.data()), pool->storage.size()});
  return oracle::plan_write(*form.writer, arguments, profile);
}

std::vector<std::uint32_t> row_of(const Problem& problem, const oracle::WritePlan& plan,
                                  const oracle::RowMove& move) {
  const Tensor& rows = *problem.find("rows");
  std::vector<std::uint32_t> row(static_cast<std::size_t>(plan.layout.head_dim));
  const auto elements =
      std::span(rows.storage)
          .subspan(static_cast<std::size_t>(rows.origin_bytes + move.source_bytes));
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = f32_at(rows.dtype, elements, i);
  return row;
}

std::vector<Case> WriteOperation::cases(Level level, std::uint64_t seed) const {
  return write_cases(form_, level, seed);
}

Result<std::vector<Problem>> WriteOperation::build(const nlohmann::json& spec) const {
  return write_spec_from_json(form_, spec)
      .and_then([&](const WriteSpec& read) -> Result<std::vector<Problem>> {
        if (write_bytes(form_, read) > max_case_bytes) {
          return oracle::fail(ErrorCode::invalid_argument,
                              fmt::format("{}: spec: expected at most {} bytes of tensors, got {}",
                                          form_.name(), max_case_bytes, write_bytes(form_, read)));
        }
        return std::vector<Problem>{write_problem(form_, read)};
      });
}

Result<std::uint64_t> WriteOperation::case_bytes(const nlohmann::json& spec) const {
  return write_spec_from_json(form_, spec).map([&](const WriteSpec& read) {
    return write_bytes(form_, read);
  });
}

std::uint64_t WriteOperation::untouched(const nlohmann::json& spec) const {
  const auto read = write_spec_from_json(form_, spec);
  return read ? untouched_bytes(form_, *read) : 0;
}

nlohmann::json WriteOperation::random_spec(std::uint64_t seed) const {
  return random_write_spec(form_, seed);
}

std::vector<nlohmann::json> WriteOperation::smaller_specs(const nlohmann::json& spec) const {
  return smaller_write_specs(form_, spec);
}

Status WriteOperation::validate(const Problem& problem) const {
  if (Status fits = check_signature(signature_, problem); !fits) return fits;
  const auto plan = plan_write(form_, problem, oracle::profiles::ocp());
  if (!plan) return tl::make_unexpected(plan.error());
  return {};
}

Result<Outputs> WriteOperation::expected(const Problem& problem,
                                         const oracle::Profile& profile) const {
  const auto plan = plan_write(form_, problem, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  const Tensor& pool = *problem.find(form_.pool().name);
  Outputs outputs{pool.storage};
  const auto page_bytes = static_cast<std::size_t>(plan->layout.page_bytes());
  for (const oracle::RowMove& move : plan->moves) {
    oracle::write_token(
        plan->layout,
        std::span(outputs[0])
            .subspan(static_cast<std::size_t>(pool.origin_bytes + move.page_bytes), page_bytes),
        move.slot.token, oracle::quantize_row(plan->layout, row_of(problem, *plan, move), profile));
  }
  return outputs;
}

Diagnosis WriteOperation::diagnose(std::span<const Problem> calls, const oracle::Profile& profile,
                                   const Outputs& expected, const Outputs& actual) const {
  return diagnose_write(*this, form_, calls.back(), profile, expected, actual);
}

std::uint64_t WriteOperation::bytes_moved(const Problem& problem) const {
  const auto plan = plan_write(form_, problem, oracle::profiles::ocp());
  if (!plan) return 0;
  const auto row = static_cast<std::uint64_t>(form_.layout().head_dim) *
                   element_bytes(problem.find("rows")->dtype);
  return plan->moves.size() * (row + static_cast<std::uint64_t>(form_.layout().bytes_per_token()));
}

void WriteOperation::cover(const Problem& problem, Coverage& coverage) const {
  cover_write(form_, problem, coverage);
}

std::vector<std::string> WriteOperation::required_bins() const { return write_bins(form_); }

std::span<const Operation* const> write_operations() {
  static const WriteForm nvfp4{&oracle::writers::nvfp4_write_index_k,
                               "quantizes rows into the slots of NVFP4 index-K pages"};
  static const WriteForm mxfp4{&oracle::writers::mxfp4_write_pages,
                               "quantizes rows into the slots of MXFP4 pages"};
  static const WriteOperation nvfp4_writer(
      nvfp4, write_signature<fp4cts_nvfp4_write_index_k>(nvfp4, "fp4cts_nvfp4_write_index_k"));
  static const WriteOperation mxfp4_writer(
      mxfp4, write_signature<fp4cts_mxfp4_write_pages>(mxfp4, "fp4cts_mxfp4_write_pages"));
  static const std::array<const Operation*, 2> all{&nvfp4_writer, &mxfp4_writer};
  return all;
}

}  // namespace harness
