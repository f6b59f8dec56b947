// Leave cuBLAS its workspace: without one it cannot divide a product with a long inner dimension.
//
// Question: Products of 256 x 4096 matrices, with 8 MiB of memory for cuBLAS's intermediate results and with
// none: how much slower is the second?
//
// A product with few results and a long inner dimension keeps few multiprocessors busy, unless several of
// them compute parts of the same result, which are then added up. The parts need memory, the workspace.
// LibTorch sets it aside for each handle and stream: `:4096:2:16:8`, two blocks of 4 MiB and eight of 16 KiB,
// on most devices, and 32 MiB on Hopper (H100, H200). CUBLAS_WORKSPACE_CONFIG says otherwise: people set it
// to `:0:0` to save the memory, or to `:16:8` or `:4096:8` to get the same bits in each run. Of `:16:8`
// NVIDIA says that it may limit performance, of `:4096:8` that it takes some 24 MiB more.
//
// What it costs is memory, for each stream that multiplies. When it does not matter: for products that fill
// the device by themselves, whose kernels need no workspace.
//
// The variable is read once a process; since LibTorch 2.13 a call sets the size, too (in Python
// torch.backends.cuda.cublas_workspace_size). So each side is a process of its own, and a run of twenty
// products is a message to it and its answer, which takes both sides some tens of microseconds.
//
// Answer: Much, if the product is then computed by few blocks, each going through all 4,096 inner terms; a
// product of 256 x 256 results keeps few multiprocessors busy. How much depends on device and version of
// cuBLAS, so nothing is expected: measure it.

#include "microbench/remote_sources.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_cublas_workspace {

Trial prepare(Setup& setup, const Point&) {
  return remote_trial(
      std::make_shared<RemoteForms>(remote_source("memory/cublas_workspace", setup.device),
                                    RemoteForms::Environment{"CUBLAS_WORKSPACE_CONFIG=:0:0"},
                                    RemoteForms::Environment{"CUBLAS_WORKSPACE_CONFIG=:4096:2:16:8"}));
}

extern constexpr Step step = checked({
    .id = "memory/cublas_workspace",
    .claim = "Products with a long inner dimension are faster if cuBLAS has a workspace than without one.",
    .claim_ids = "alloc-cublas-workspace",
    .sides = {"no workspace", "8 MiB"},
    .source = cuda_semantics("cuBLAS workspaces"),
    .runs = Runs::cuda,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends,
                    .published = "no figure; the default is 2 x 4096 + 8 x 16 KiB, on Hopper 32 MiB"},
    .row_seconds = 8,
});

}  // namespace microbench::memory_cublas_workspace
