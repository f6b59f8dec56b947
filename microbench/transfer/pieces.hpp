// Small pieces of host memory that lie all over the place, and the block that they are wanted in.
#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/libtorch/answer.hpp"

#include "microbench/transfer/copies.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace microbench {

/// `count` pieces of `size` bytes each in no order, with as much room between them; pinned where they go to
/// a device, so that nothing but the number of copies differs.
struct Pieces {
  Pieces(const harness::Setup& setup, std::size_t count, std::size_t size)
      : stream(setup.stream), sizes(count, size) {
    const auto host = at::TensorOptions().dtype(at::kByte).pinned_memory(setup.device.is_cuda());
    const auto bytes = static_cast<std::int64_t>(count * size);
    pool = at::empty({2 * bytes}, host);
    packed = at::zeros({bytes}, host);
    out = at::zeros({bytes}, host.pinned_memory(false).device(harness::torch_device(setup.device)));
    fill_pattern({static_cast<std::byte*>(pool.data_ptr()), 2 * count * size}, setup.seed);

    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(setup.seed));
    for (std::size_t i = 0; i < count; ++i) {
      places.push_back(static_cast<std::int64_t>(2 * order[i]));
      sources.push_back(static_cast<std::byte*>(pool.data_ptr()) + 2 * size * order[i]);
      targets.push_back(static_cast<std::byte*>(out.data_ptr()) + size * i);
    }
  }

  std::size_t total() const { return sizes.size() * sizes.front(); }

  void pack() const {
    auto* to = static_cast<std::byte*>(packed.data_ptr());
    for (std::size_t i = 0; i < sources.size(); to += sizes[i++]) std::memcpy(to, sources[i], sizes[i]);
  }

  /// To the device, or on the host itself.
  void copy(void* to, const void* from, std::size_t bytes) const {
    if (stream == nullptr)
      std::memcpy(to, from, bytes);
    else
      harness::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream->get()));
  }

  /// All pieces, to the device only. Throws Skip where this program's CUDA is older than the call's present
  /// form.
  void copy_by_one_call() {
#if CUDART_VERSION >= 13000
    cudaMemcpyAttributes attributes{};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    std::size_t first = 0;  // the attributes hold from this piece on
    harness::check(cudaMemcpyBatchAsync(targets.data(), sources.data(), sizes.data(), sizes.size(),
                                        &attributes, &first, 1, stream->get()));
#else
    throw harness::Skip("cudaMemcpyBatchAsync needs a build with CUDA 13.0 or above");
#endif
  }

  /// A kernel that reads the pieces over the link where they lie, to a device only; to be made beforehand.
  auto gather() const {
    const auto words = static_cast<std::int64_t>(sizes.front() / sizeof(std::int64_t));
    const auto on_device = at::TensorOptions().dtype(at::kLong).device(out.device());
    const auto mapped = at::for_blob(pool.data_ptr(), {pool.numel() / (8 * words), words})
                            .options(on_device)
                            .target_device(out.device())
                            .make_tensor();
    const auto rows = at::tensor(places, at::kLong).to(out.device());
    return [mapped, rows, to = out.view(at::kLong).view({-1, words})]() mutable {
      at::index_select_out(to, mapped, 0, rows);
    };
  }

  /// `packed` may be written again only when the device has read it.
  void wait() const {
    if (stream != nullptr) stream->synchronize();
  }

  const harness::Stream* stream;
  std::vector<std::size_t> sizes;
  std::vector<std::int64_t> places;  // of the pieces in the pool, in pieces
  std::vector<void*> sources, targets;
  at::Tensor pool, packed, out;
};

}  // namespace microbench
