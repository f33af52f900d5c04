#include "properties/laws/subject.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "harness/implementations/isolation/isolation.hpp"
#include "harness/suite/operations/oracle_views.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/formats.hpp"
#include "oracle/numbers/packed.hpp"
#include "oracle/pages/decode_pages.hpp"
#include "oracle/pages/fast.hpp"
#include "oracle/pages/product.hpp"
#include "properties/laws/pages.hpp"

namespace properties {
namespace {

using harness::Outputs;
using harness::Problem;
using harness::Result;

// Decodes every page of a problem with `decode(layout, page, destination, out)`.
template <class Decode>
Outputs decode_all(const Problem& problem, const Decode& decode) {
  std::vector<std::uint8_t> out = problem.find("out")->storage;
  const std::span<const std::uint8_t> pool = pool_of(problem).storage;
  for (const PagePlaces& page : pages_of(problem)) {
    const oracle::PageLayout& layout = layout_of(problem.operation, page.plane);
    decode(layout, pool.subspan(page.source, static_cast<std::size_t>(layout.page_bytes())),
           problem.find("out")->dtype, std::span(out).subspan(page.output, decoded_bytes(problem)));
  }
  return {std::move(out)};
}

// Multiplies every word of a qmul4 problem with `multiply(a, b)`.
template <class Multiply>
Outputs multiply_all(const Problem& problem, const Multiply& multiply) {
  std::vector<std::uint8_t> d = problem.find("d")->storage;
  const std::vector<std::uint8_t>& a = problem.find("a")->storage;
  const std::vector<std::uint8_t>& b = problem.find("b")->storage;
  for (std::size_t i = 0; i < a.size() / 2; ++i) {
    std::uint16_t codes = 0;
    std::uint32_t scales = 0;
    std::memcpy(&codes, &a[2 * i], 2);
    std::memcpy(&scales, &b[4 * i], 4);
    const std::uint32_t word = multiply(codes, scales);
    std::memcpy(&d[4 * i], &word, 4);
  }
  return {std::move(d)};
}

// Encodes every value of an encode_e4m3 problem.
Outputs encode_all(const Problem& problem) {
  std::vector<std::uint8_t> d = problem.find("d")->storage;
  const std::vector<std::uint8_t>& x = problem.find("x")->storage;
  for (std::size_t i = 0; i < x.size() / 4; ++i) {
    const std::uint32_t bits = element_at(x, 4 * i, 4);
    d[i] = static_cast<std::uint8_t>(oracle::encode_element(
        oracle::decode<oracle::f32>(bits), oracle::Dtype::e4m3, oracle::profiles::ocp()));
  }
  return {std::move(d)};
}

const oracle::FastOracle& fast_oracle() {
  static const oracle::FastOracle fast(oracle::profiles::ocp());
  return fast;
}

std::uint32_t fast_qmul4(std::uint16_t codes, std::uint32_t scales) {
  std::uint32_t word = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    const auto code = static_cast<std::uint8_t>(codes >> (4 * lane) & 0xf);
    const auto scale = static_cast<std::uint8_t>(scales >> (8 * lane));
    word |= fast_oracle().element(oracle::e4m3::spec, code, scale, oracle::Dtype::e4m3)
            << (8 * lane);
  }
  return word;
}

Outputs run_exact(const Problem& problem) {
  if (problem.operation == "encode_e4m3") return encode_all(problem);
  if (problem.operation == "qmul4") {
    return multiply_all(problem, [](std::uint16_t a, std::uint32_t b) {
      return oracle::qmul4(a, b, oracle::ocp_packed);
    });
  }
  return decode_all(problem, [](const auto& layout, auto page, auto destination, auto out) {
    oracle::decode_page(layout, page, destination, out, oracle::profiles::ocp());
  });
}

Outputs run_fast(const Problem& problem) {
  if (problem.operation == "qmul4") return multiply_all(problem, fast_qmul4);
  return decode_all(problem, [](const auto& layout, auto page, auto destination, auto out) {
    fast_oracle().decode_page(layout, page, destination, out);
  });
}

harness::WorkerOptions worker_options() {
  harness::WorkerOptions options;
  const char* const named = std::getenv("FP4CTS_BINARY");
  options.executable = named != nullptr ? named : FP4CTS_BUILT_BINARY;
  return options;
}

using Source = std::shared_ptr<harness::RemoteSource>;

// The kernels of each device, by the device's name.
const std::map<std::string, Result<Source>>& sources() {
  static const std::map<std::string, Result<Source>> all = [] {
    std::map<std::string, Result<Source>> opened;
    const auto open = [](const nlohmann::json& spec) {
      return harness::RemoteSource::open(spec, worker_options());
    };
    const Result<Source> survey = open({{"kind", "survey"}});
    if (!survey) {
      opened.emplace("every device", survey);
      return opened;
    }
    for (const auto& device : (*survey)->facts().at("present")) {
      const std::string name = device.at("name");
      const char* const kind = std::getenv("FP4CTS_SOURCE");
      opened.emplace(name, open({{"kind", kind == nullptr ? "builtin" : kind}, {"device", name}}));
    }
    return opened;
  }();
  return all;
}

std::vector<Subject> find_subjects(std::string_view operation) {
  std::vector<Subject> subjects{{"exact oracle", run_exact}};
  // The fast oracle has no conversions.
  if (operation != "encode_e4m3") subjects.push_back({"fast oracle", run_fast});
  for (const auto& [device, source] : sources()) {
    if (!source) {
      const harness::Error error = source.error();
      subjects.push_back({"kernels on " + device, [error](const Problem&) -> Result<Outputs> {
                            return tl::make_unexpected(error);
                          }});
      continue;
    }
    for (std::size_t i = 0; i < (*source)->infos().size(); ++i) {
      const harness::ImplementationInfo& info = (*source)->infos()[i];
      if (info.operation != operation || !info.unavailable.empty()) continue;
      const auto kernel = std::make_shared<harness::RemoteImplementation>(*source, i);
      subjects.push_back({info.path + " on " + device, [kernel](const Problem& problem) {
                            return kernel->execute(problem).map(
                                [](harness::Execution done) { return std::move(done.outputs); });
                          }});
    }
  }
  return subjects;
}

}  // namespace

const std::vector<Subject>& subjects_of(std::string_view operation) {
  static std::map<std::string, std::vector<Subject>, std::less<>> found;
  auto known = found.find(operation);
  if (known == found.end()) {
    known = found.emplace(std::string(operation), find_subjects(operation)).first;
  }
  return known->second;
}

}  // namespace properties
