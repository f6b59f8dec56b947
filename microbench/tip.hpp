// What every tip is written with: the step's vocabulary, LibTorch's tensors, the device's memory, and where
// tips come from.
#pragma once

#include "harness/core/published.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/require_device_memory.hpp"
#include "harness/libtorch/answer.hpp"

#include <ATen/ATen.h>

namespace microbench {

// A tip is written in the harness's words, and in a namespace of its own.
using namespace harness;

constexpr Source tuning_guide(std::string_view where) {
  return {"PyTorch Performance Tuning Guide",
          "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html", where};
}

constexpr Source cuda_semantics(std::string_view where) {
  return {"PyTorch, CUDA semantics", "https://docs.pytorch.org/docs/stable/notes/cuda.html", where};
}

constexpr Source pinning_tutorial(std::string_view where) {
  return {"A guide on good usage of non_blocking and pin_memory() in PyTorch",
          "https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html", where};
}

constexpr Source data_loading(std::string_view where) {
  return {"PyTorch, torch.utils.data", "https://docs.pytorch.org/docs/stable/data.html", where};
}

constexpr Source go_brrrr(std::string_view where) {
  return {"Making Deep Learning Go Brrrr From First Principles", "https://horace.io/brrr_intro.html", where};
}

constexpr Source best_practices(std::string_view where) {
  return {"CUDA C++ Best Practices Guide", "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/",
          where};
}

constexpr Source transfer_post(std::string_view where) {
  return {"How to Optimize Data Transfers in CUDA C/C++",
          "https://developer.nvidia.com/blog/how-optimize-data-transfers-cuda-cc/", where};
}

constexpr Source overlap_post(std::string_view where) {
  return {"How to Overlap Data Transfers in CUDA C/C++",
          "https://developer.nvidia.com/blog/how-overlap-data-transfers-cuda-cc/", where};
}

constexpr Source graphs_post(std::string_view where) {
  return {"Getting Started with CUDA Graphs", "https://developer.nvidia.com/blog/cuda-graphs/", where};
}

}  // namespace microbench
