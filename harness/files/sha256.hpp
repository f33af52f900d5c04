// SHA-256 (FIPS 180-4) by OpenSSL, as 64 lower-case hex digits: what manifests, results and
// statements name bytes by.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "harness/model/result.hpp"

struct evp_md_ctx_st;

namespace harness {

// A digest over bytes that arrive in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::span<const std::uint8_t> bytes);
  void update(std::string_view text);
  // The digest of all bytes so far. Nothing may be added afterwards.
  std::string hex();

 private:
  struct FreeContext {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, FreeContext> context_;
};

std::string sha256_hex(std::span<const std::uint8_t> bytes);
std::string sha256_hex(std::string_view text);

// Of a whole regular file, read in pieces. Error: the file and the system's reason.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace harness
