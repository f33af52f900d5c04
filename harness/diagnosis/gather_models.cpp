#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "harness/diagnosis/page_models.hpp"

namespace harness {
namespace {

using Jobs = std::vector<PageJob>;

PageModel with_jobs(std::string_view fault_class, std::string variant,
                    std::function<Jobs(const PageScene&)> jobs) {
  return {fault_class, std::move(variant), std::move(jobs), {}};
}

// The right jobs, each changed.
template <class Change>
PageModel with_each_job(std::string_view fault_class, std::string variant, Change change) {
  return with_jobs(fault_class, std::move(variant), [change](const PageScene& scene) {
    Jobs jobs = scene.jobs();
    for (PageJob& job : jobs) change(scene, job);
    return jobs;
  });
}

void move_to_page(const PageScene& scene, PageJob& job, std::int64_t page_id) {
  job.page_id = page_id;
  job.codes_base = job.scales_base = page_id * scene.page_stride() + scene.head_offset(job.head);
}

// What a gather reads of its arguments, each step open to change.
struct Walk {
  const Problem* problem = nullptr;  // whose tables
  std::int64_t extra_pages = 0;      // past num_pages
  bool all_pages = false;            // max_num_pages instead of num_pages
  std::int64_t row_stride = -1;      // of the table; -1: its own
  bool packed = false;               // output pages follow each other
  bool row_of_bound = false;         // output page is request * max_num_pages + page
  enum class Extra { as_named, first_entry, page_0 } extra = Extra::as_named;
};

// The jobs of a gather that walks its arguments so. Table entries outside of the table, and ids
// that no kernel could follow, are left out.
Jobs walk(const PageScene& scene, const Walk& w) {
  const Problem& problem = w.problem != nullptr ? *w.problem : scene.problem();
  const Tensor& table = *problem.find("block_table");
  const std::int64_t requests = std::min(table.shape[0], scene.num_requests());
  const std::int64_t bound = scene.problem().scalars.at("max_num_pages");
  const std::int64_t stride = w.row_stride >= 0 ? w.row_stride : table.strides[0];
  Jobs jobs;
  std::int64_t next = 0;
  for (std::int64_t r = 0; r < requests; ++r) {
    const std::int64_t own = PageScene::entry(problem, "num_pages", r).value_or(0);
    const std::int64_t offset = PageScene::entry(problem, "page_offsets", r).value_or(0);
    const std::int64_t pages = w.all_pages ? bound : std::min(own + w.extra_pages, bound);
    if (r == 0) next = offset;
    for (std::int64_t p = 0; p < pages; ++p) {
      std::optional<std::int32_t> id = PageScene::entry(problem, "block_table", r * stride + p);
      if (p >= own && w.extra == Walk::Extra::first_entry) {
        id = PageScene::entry(problem, "block_table", 0);
      }
      if (p >= own && w.extra == Walk::Extra::page_0) id = 0;
      const std::int64_t output = w.packed ? next++ : w.row_of_bound ? r * bound + p : offset + p;
      if (!id) continue;
      for (std::int64_t head = 0; head < scene.heads(); ++head) {
        PageJob job{r, p, 0, head, output * scene.heads() + head};
        move_to_page(scene, job, *id);
        jobs.push_back(job);
      }
    }
  }
  return jobs;
}

PageModel with_walk(std::string_view fault_class, std::string variant,
                    std::function<Walk(const PageScene&)> how) {
  return with_jobs(fault_class, std::move(variant), [how = std::move(how)](const PageScene& scene) {
    return walk(scene, how(scene));
  });
}

std::int64_t as_int32(std::int64_t offset) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(offset));
}
std::int64_t as_uint32(std::int64_t offset) { return static_cast<std::uint32_t>(offset); }

// Pages and heads without gaps, each of so many bytes.
void lay_densely(const PageScene& scene, PageJob& job, std::int64_t page_bytes) {
  job.codes_base = job.scales_base = (job.page_id * scene.heads() + job.head) * page_bytes;
}

// A page of another format: 128 tokens of 72 bytes for 68, or the reverse.
void add_other_page(std::vector<PageModel>& models, const oracle::PageLayout& other) {
  const std::int64_t page_bytes = other.page_bytes();
  const auto jobs = [page_bytes](const PageScene& scene) {
    Jobs all = scene.jobs();
    for (PageJob& job : all) lay_densely(scene, job, page_bytes);
    return all;
  };
  models.push_back(with_jobs("strided_view_read_as_dense",
                             fmt::format("pages are taken to be {} bytes apart, those of a page of "
                                         "the other format",
                                         page_bytes),
                             jobs));
  PageModel whole = with_jobs(
      "group_size_of_the_other_format",
      fmt::format(
          "pages are read as those of the other format: {} bytes apart, {} elements a scale",
          page_bytes, other.scale_block_size),
      jobs);
  whole.source = [&other](const PageScene&, const PageJob& job, int token, int element) {
    return ElementSource{job.codes_base + other.code_offset(token, element),
                         other.nibble_shift(element),
                         job.scales_base + other.scale_offset(token, other.group_of(element))};
  };
  models.push_back(std::move(whole));
}

void add_strides(std::vector<PageModel>& models, const oracle::PageLayout& layout) {
  models.push_back(with_each_job("strided_view_read_as_dense",
                                 "pages are taken to lie without gaps",
                                 [](const PageScene& scene, PageJob& job) {
                                   lay_densely(scene, job, scene.layout().page_bytes());
                                 }));
  models.push_back(with_each_job(
      "strided_view_read_as_dense", "heads are taken to lie without gaps",
      [](const PageScene& scene, PageJob& job) {
        job.codes_base = job.scales_base =
            job.page_id * scene.page_stride() + job.head * scene.layout().page_bytes();
      }));
  for (const oracle::PageLayout& other : oracle::all_page_layouts) {
    if (other.scale_format != layout.scale_format) add_other_page(models, other);
  }
  for (const auto& [factor, divisor] :
       {std::pair{4, 1}, std::pair{2, 1}, std::pair{8, 1}, std::pair{1, 2}, std::pair{1, 4}}) {
    models.push_back(with_each_job(
        "page_stride_scaled_wrong",
        fmt::format("the page stride is taken {}{}", divisor == 1 ? "times " : "by ",
                    divisor == 1 ? fmt::format("{}", factor) : fmt::format("1/{}", divisor)),
        [factor = factor, divisor = divisor](const PageScene& scene, PageJob& job) {
          job.codes_base = job.scales_base =
              job.page_id * (scene.page_stride() * factor / divisor) + scene.head_offset(job.head);
        }));
  }
}

// 32-bit offsets, of the pool and of the output: of whole pages, and of single bytes.
void add_overflows(std::vector<PageModel>& models) {
  constexpr std::string_view overflow = "int32_byte_offset_overflow";
  for (const bool is_signed : {true, false}) {
    const auto wrap = is_signed ? as_int32 : as_uint32;
    const std::string_view how = is_signed ? "signed" : "unsigned";
    models.push_back(with_each_job(
        overflow, fmt::format("a page's offset in the pool is formed in {} 32 bits", how),
        [wrap](const PageScene& /*scene*/, PageJob& job) {
          job.codes_base = job.scales_base = wrap(job.codes_base);
        }));
    PageModel bytes{
        overflow, fmt::format("a byte's offset in the pool is formed in {} 32 bits", how), {}, {}};
    bytes.source = [wrap](const PageScene& scene, const PageJob& job, int token, int element) {
      ElementSource source = right_source(scene, job, token, element);
      source.code_byte = wrap(source.code_byte);
      source.scale_byte = wrap(source.scale_byte);
      return source;
    };
    models.push_back(std::move(bytes));
    models.push_back(with_jobs(
        overflow, fmt::format("a page's offset in the output is formed in {} 32 bits", how),
        [wrap](const PageScene& scene) {
          const std::int64_t slot_bytes =
              scene.page_elements() * static_cast<std::int64_t>(scene.element_bytes());
          Jobs jobs = scene.jobs();
          for (PageJob& job : jobs)
            job.output_slot = wrap(job.output_slot * slot_bytes) / slot_bytes;
          return jobs;
        }));
    models.push_back(with_jobs(
        overflow, fmt::format("an element's number in the output is formed in {} 32 bits", how),
        [wrap](const PageScene& scene) {
          Jobs jobs = scene.jobs();
          for (PageJob& job : jobs) {
            job.output_slot = wrap(job.output_slot * scene.page_elements()) / scene.page_elements();
          }
          return jobs;
        }));
  }
  for (const int bits : {31, 32}) {
    const std::int64_t limit = std::int64_t{1} << bits;
    PageModel by_byte{"descriptor_range_returns_zero",
                      fmt::format("bytes from 2^{} of the pool on read as 0", bits),
                      {},
                      {}};
    by_byte.zero_from = limit;
    models.push_back(by_byte);
    models.push_back(with_each_job(
        "descriptor_range_returns_zero",
        fmt::format("pages that begin at byte 2^{} of the pool or later read as 0", bits),
        [limit](const PageScene& scene, PageJob& job) {
          // Moved to where every byte reads as zero.
          if (job.codes_base >= limit) {
            job.codes_base = job.scales_base = PageScene::zero_page + scene.head_offset(job.head);
          }
        }));
  }
  models.push_back(with_each_job("page_id_truncated_to_16_bits",
                                 "page ids are taken for unsigned numbers of 16 bits",
                                 [](const PageScene& scene, PageJob& job) {
                                   move_to_page(scene, job, job.page_id & 0xffff);
                                 }));
  models.push_back(with_each_job("page_id_truncated_to_16_bits",
                                 "page ids are taken for signed numbers of 16 bits",
                                 [](const PageScene& scene, PageJob& job) {
                                   move_to_page(scene, job, static_cast<std::int16_t>(job.page_id));
                                 }));
}

void add_tables(std::vector<PageModel>& models, const PageScene& scene) {
  const auto row_stride = [&](std::string variant, auto stride) {
    models.push_back(
        with_walk("table_row_stride", std::move(variant),
                  [stride](const PageScene& s) { return Walk{.row_stride = stride(s)}; }));
  };
  row_stride("rows of the table are taken to be max_num_pages apart",
             [](const PageScene& s) { return s.problem().scalars.at("max_num_pages"); });
  row_stride("rows of the table are taken to be as far apart as they are wide",
             [](const PageScene& s) { return s.problem().find("block_table")->shape[1]; });
  row_stride("every request reads the first row of the table",
             [](const PageScene& /*s*/) { return std::int64_t{0}; });

  models.push_back(with_each_job(
      "logical_index_used_for_scales", "scales come from the page of the logical number",
      [](const PageScene& s, PageJob& job) {
        job.scales_base = job.logical_page * s.page_stride() + s.head_offset(job.head);
      }));
  models.push_back(with_each_job(
      "logical_index_used_for_scales", "codes come from the page of the logical number",
      [](const PageScene& s, PageJob& job) {
        job.codes_base = job.logical_page * s.page_stride() + s.head_offset(job.head);
      }));
  models.push_back(with_each_job(
      "logical_index_used_for_scales", "pages are those of the logical number",
      [](const PageScene& s, PageJob& job) { move_to_page(s, job, job.logical_page); }));
  models.push_back(with_each_job(
      "logical_index_used_for_scales", "scales come from the page of the output's number",
      [](const PageScene& s, PageJob& job) {
        job.scales_base = job.output_slot / s.heads() * s.page_stride() + s.head_offset(job.head);
      }));
  models.push_back(
      with_each_job("invalid_id_mapped_to_page_0", "every page is page 0",
                    [](const PageScene& s, PageJob& job) { move_to_page(s, job, 0); }));

  using Extra = Walk::Extra;
  for (const auto& [extra, says] :
       {std::pair{Extra::as_named, "as the table names it"},
        std::pair{Extra::first_entry, "from the first page that the table names"},
        std::pair{Extra::page_0, "from page 0"}}) {
    models.push_back(with_walk("one_page_too_many",
                               fmt::format("one page more is gathered, {}", says),
                               [extra = extra](const PageScene& /*s*/) {
                                 return Walk{.extra_pages = 1, .extra = extra};
                               }));
    models.push_back(with_walk("one_page_too_many",
                               fmt::format("max_num_pages pages are gathered, those more {}", says),
                               [extra = extra](const PageScene& /*s*/) {
                                 return Walk{.all_pages = true, .extra = extra};
                               }));
  }
  models.push_back(with_walk("page_offsets_ignored", "output pages follow each other",
                             [](const PageScene& /*s*/) { return Walk{.packed = true}; }));
  models.push_back(with_walk("page_offsets_ignored",
                             "output pages begin at request * max_num_pages",
                             [](const PageScene& /*s*/) { return Walk{.row_of_bound = true}; }));
  models.push_back(with_each_job(
      "captured_table_goes_stale", "pages are those of a table 0, 1, 2, ... of another call",
      [](const PageScene& s, PageJob& job) { move_to_page(s, job, job.logical_page); }));
  if (scene.previous() == nullptr) return;
  models.push_back(with_walk("captured_table_goes_stale", "all tables are those of the call before",
                             [](const PageScene& s) { return Walk{.problem = s.previous()}; }));
  models.push_back(with_jobs("captured_table_goes_stale",
                             "the block table is that of the call before", [](const PageScene& s) {
                               Jobs jobs = s.jobs();
                               const Tensor& table = *s.previous()->find("block_table");
                               for (PageJob& job : jobs) {
                                 const auto id = PageScene::entry(
                                     *s.previous(), "block_table",
                                     job.request * table.strides[0] + job.logical_page);
                                 if (id) move_to_page(s, job, *id);
                               }
                               return jobs;
                             }));
}

// Jobs left out.
template <class Left>
PageModel without(std::string_view fault_class, std::string variant, Left left) {
  return with_jobs(fault_class, std::move(variant), [left](const PageScene& scene) {
    Jobs jobs;
    for (const PageJob& job : scene.jobs()) {
      if (!left(scene, job)) jobs.push_back(job);
    }
    return jobs;
  });
}

// Of two pages the last is every second one as well.
bool has_third_page(const PageScene& scene) {
  return std::any_of(scene.jobs().begin(), scene.jobs().end(),
                     [](const PageJob& job) { return job.logical_page >= 2; });
}

void add_unwritten(std::vector<PageModel>& models) {
  models.push_back(without("unwritten_tail", "the last page of each request is not written",
                           [](const PageScene& scene, const PageJob& job) {
                             const auto pages =
                                 PageScene::entry(scene.problem(), "num_pages", job.request);
                             return pages && job.logical_page + 1 == *pages;
                           }));
  models.push_back(without("unwritten_tail", "the last page is not written",
                           [](const PageScene& scene, const PageJob& job) {
                             return job.request == scene.jobs().back().request &&
                                    job.logical_page == scene.jobs().back().logical_page;
                           }));
  for (PageModel& model : models) {
    if (model.fault_class == "unwritten_tail") model.told = has_third_page;
  }
}

}  // namespace

std::vector<PageModel> gather_models(const PageScene& scene) {
  std::vector<PageModel> models;
  add_strides(models, scene.layout());
  add_overflows(models);
  if (!scene.operation().has_table()) return models;
  add_tables(models, scene);
  if (!scene.jobs().empty()) add_unwritten(models);
  return models;
}

}  // namespace harness
