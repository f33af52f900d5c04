// Large blocks of the heap come in huge pages. Cases past 2^31 bytes hold several gigabytes, each
// new 4 KiB page of them is a trap into the kernel, and Debian hands out huge pages only where a
// program asks for them. Replaces the global allocation functions of the binary (C++20
// [new.delete.single]); the array forms call these.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t large_bytes = 32 * huge_page_bytes;

void* allocate(std::size_t bytes) {
  if (bytes < large_bytes) return std::malloc(bytes == 0 ? 1 : bytes);
  const std::size_t whole_pages = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  void* block = std::aligned_alloc(huge_page_bytes, whole_pages);
  if (block != nullptr) ::madvise(block, whole_pages, MADV_HUGEPAGE);
  return block;
}

}  // namespace

void* operator new(std::size_t bytes) {
  void* block = allocate(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*bytes*/) noexcept { std::free(block); }
