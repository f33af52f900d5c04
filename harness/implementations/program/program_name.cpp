#include "harness/implementations/program/program_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <regex>
#include <system_error>
#include <utility>

#include "harness/files/file.hpp"
#include "harness/files/sha256.hpp"

namespace harness {
namespace {

bool is_file(const std::string& word) {
  std::error_code error;
  return std::filesystem::is_regular_file(word, error);
}

bool is_interpreter(const std::string& program) {
  static const std::regex names(
      "(python|pypy|perl|ruby|node|julia|lua|bash|dash|zsh|ksh|sh|env|uv|timeout|nice)[0-9.]*");
  return std::regex_match(std::filesystem::path(program).filename().string(), names);
}

// Whether a word is a file whose contents count; a program that is found on the PATH is none.
bool is_its_file(const std::vector<std::string>& words, std::size_t i) {
  const bool on_the_path = i == 0 && words[i].find('/') == std::string::npos;
  return !on_the_path && is_file(words[i]);
}

}  // namespace

std::string name_of_command(const std::vector<std::string>& words) {
  auto named = words.begin();
  if (is_interpreter(*named)) {
    const auto script = std::find_if(words.begin() + 1, words.end(), is_file);
    if (script != words.end()) named = script;
  }
  std::string name = std::filesystem::path(*named).stem().string();
  for (char& c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return name.empty() ? "program" : name;
}

std::string state_of_command(const std::vector<std::string>& words) {
  std::string state;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_its_file(words, i)) state += file_state(words[i]) + '\n';
  }
  return state;
}

std::string sha256_of_command(const std::vector<std::string>& words) {
  Sha256 digest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string part = words[i];
    if (is_its_file(words, i)) {
      if (Result<std::string> contents = sha256_of_file(words[i])) part = std::move(*contents);
    }
    digest.update(part + '\n');
  }
  return digest.hex();
}

}  // namespace harness
