#include "microbench/transfer/pages.hpp"

#include "tests/gpu/require_device.hpp"

#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace microbench;

cudaMemoryType type_of(const void* address) {
  cudaPointerAttributes attributes{};
  harness::check(cudaPointerGetAttributes(&attributes, address));
  return attributes.type;
}

TEST_CASE("pages are pinned while they are registered, and no longer", "[gpu][transfer]") {
  require_device();
  const FreshPages pages(100 * page_size);
  {
    const harness::PageLock pinned(pages.bytes());
    CHECK(type_of(pages.bytes().data()) == cudaMemoryTypeHost);
    CHECK(use_pages(pages.bytes()) == 5050);
  }
  CHECK(type_of(pages.bytes().data()) == cudaMemoryTypeUnregistered);
}

}  // namespace
