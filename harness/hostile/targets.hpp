// The targets: for each parser of the project a function that takes any bytes and states what
// must hold of them. libFuzzer calls one with inputs that it makes up (hostile_main.cpp), the
// replay test calls all with the files of corpus/ (corpus_test.cpp).
#pragma once

#include <array>
#include <string_view>

#include "harness/hostile/laws.hpp"

namespace harness::hostile {

void hostile_answer_file(Bytes bytes);
void hostile_archive(Bytes bytes);
void hostile_case_spec(Bytes bytes);
void hostile_curated(Bytes bytes);
void hostile_json(Bytes bytes);
void hostile_lanes(Bytes bytes);
void hostile_manifest(Bytes bytes);
void hostile_problem_file(Bytes bytes);
void hostile_profile(Bytes bytes);
void hostile_ptx(Bytes bytes);
void hostile_results(Bytes bytes);
void hostile_safetensors(Bytes bytes);
void hostile_waivers(Bytes bytes);
void hostile_worker(Bytes bytes);

struct Target {
  std::string_view name;
  void (*run)(Bytes);
};

inline constexpr std::array targets{Target{"answer_file", hostile_answer_file},
                                    Target{"archive", hostile_archive},
                                    Target{"case_spec", hostile_case_spec},
                                    Target{"curated", hostile_curated},
                                    Target{"json", hostile_json},
                                    Target{"lanes", hostile_lanes},
                                    Target{"manifest", hostile_manifest},
                                    Target{"problem_file", hostile_problem_file},
                                    Target{"profile", hostile_profile},
                                    Target{"ptx", hostile_ptx},
                                    Target{"results", hostile_results},
                                    Target{"safetensors", hostile_safetensors},
                                    Target{"waivers", hostile_waivers},
                                    Target{"worker", hostile_worker}};

}  // namespace harness::hostile
