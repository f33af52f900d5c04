#include "harness/files/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <cassert>
#include <new>
#include <vector>

#include "harness/files/file.hpp"

namespace harness {
namespace {

// OpenSSL's digest calls fail only without memory or without the algorithm; libcrypto has both.
void require(int ok) {
  if (ok != 1) throw std::bad_alloc();
}

}  // namespace

void Sha256::FreeContext::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(context_ != nullptr ? 1 : 0);
  require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::uint8_t> bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

void Sha256::update(std::string_view text) {
  require(EVP_DigestUpdate(context_.get(), text.data(), text.size()));
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  unsigned length = 0;
  require(EVP_DigestFinal_ex(context_.get(), digest.data(), &length));
  assert(length == digest.size());
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::span<const std::uint8_t> bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.hex();
}

std::string sha256_hex(std::string_view text) {
  Sha256 digest;
  digest.update(text);
  return digest.hex();
}

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  return InputFile::open(path).and_then([](InputFile file) -> Result<std::string> {
    Sha256 digest;
    std::vector<std::uint8_t> piece(std::size_t{1} << 20);
    for (std::uint64_t at = 0; at < file.bytes();) {
      const std::uint64_t count = std::min<std::uint64_t>(piece.size(), file.bytes() - at);
      const std::span<std::uint8_t> part(piece.data(), static_cast<std::size_t>(count));
      if (auto read = file.read(part, at); !read) return tl::make_unexpected(read.error());
      digest.update(part);
      at += count;
    }
    return digest.hex();
  });
}

}  // namespace harness
