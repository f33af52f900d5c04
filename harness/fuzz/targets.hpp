// The fuzz targets: for each parser of the project a function that takes any bytes and states what
// must hold of them. libFuzzer calls one with inputs that it makes up (fuzz_main.cpp), the replay
// test calls all with the files of corpus/ (corpus_test.cpp).
#pragma once

#include <array>
#include <string_view>

#include "laws.hpp"

namespace harness::fuzz {

void fuzz_answer_file(Bytes bytes);
void fuzz_archive(Bytes bytes);
void fuzz_case_spec(Bytes bytes);
void fuzz_curated(Bytes bytes);
void fuzz_json(Bytes bytes);
void fuzz_lanes(Bytes bytes);
void fuzz_manifest(Bytes bytes);
void fuzz_problem_file(Bytes bytes);
void fuzz_profile(Bytes bytes);
void fuzz_results(Bytes bytes);
void fuzz_safetensors(Bytes bytes);
void fuzz_waivers(Bytes bytes);
void fuzz_worker(Bytes bytes);

struct Target {
  std::string_view name;
  void (*run)(Bytes);
};

inline constexpr std::array targets{Target{"answer_file", fuzz_answer_file},
                                    Target{"archive", fuzz_archive},
                                    Target{"case_spec", fuzz_case_spec},
                                    Target{"curated", fuzz_curated},
                                    Target{"json", fuzz_json},
                                    Target{"lanes", fuzz_lanes},
                                    Target{"manifest", fuzz_manifest},
                                    Target{"problem_file", fuzz_problem_file},
                                    Target{"profile", fuzz_profile},
                                    Target{"results", fuzz_results},
                                    Target{"safetensors", fuzz_safetensors},
                                    Target{"waivers", fuzz_waivers},
                                    Target{"worker", fuzz_worker}};

}  // namespace harness::fuzz
