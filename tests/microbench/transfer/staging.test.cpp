#include "microbench/transfer/staging.hpp"

#include "tests/gpu/require_device.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <vector>

namespace {

using namespace harness;

TEST_CASE("a part of the staging buffer is filled again only when the device has read it",
          "[gpu][transfer]") {
  require_device();
  constexpr std::size_t part = 1 << 16;
  constexpr std::size_t parts = 9;
  const Stream stream;
  const microbench::StagedCopy staged(parts * part, part);
  for (std::size_t i = 0; i < staged.source.size(); ++i)
    staged.source.bytes()[i] = static_cast<std::byte>(i / part + 1);
  staged.run(/*several_threads=*/false, stream);
  std::vector<std::byte> arrived(staged.source.size());
  check(cudaMemcpyAsync(arrived.data(), staged.target.data(), arrived.size(), cudaMemcpyDeviceToHost,
                        stream.get()));
  stream.synchronize();
  CHECK(std::ranges::equal(arrived, staged.source.bytes()));
}

}  // namespace
