// What a process launches for the first time behind a mark, by the stand-in's record: on a device its code
// would be loaded there.
#pragma once

#include "tests/gpu/stand_in_record.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

constexpr std::size_t marked_bytes = 4243;  // filled by nothing else

/// Puts the mark into the record of this process.
inline void mark_the_record(at::Device device) {
  const auto room = at::empty({marked_bytes}, at::TensorOptions().dtype(at::kByte).device(device));
  if (cudaMemsetAsync(room.data_ptr(), 0, marked_bytes, at::cuda::getCurrentCUDAStream()) != cudaSuccess)
    throw std::runtime_error("the mark cannot be filled");
}

/// Names of kernels and operators that the test case `name` of this program has behind the mark and not
/// before it. Throws where it fails, or leaves no mark.
inline std::set<std::string> first_launches_behind_the_mark(const std::string& name) {
  const StandInRecord record;
  const auto program = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto command = record.variable() + " '" + program + "' '" + name + "'";
  if (pclose(popen(command.c_str(), "w")) != 0) throw std::runtime_error(name + " failed");
  std::set<std::string> before, first;
  bool marked = false;
  for (const auto& launched : record.commands()) {
    if (launched.kind == "memset" && launched.bytes == marked_bytes) marked = true;
    if (launched.kind != "kernel" && launched.kind != "operator") continue;
    if (!marked)
      before.insert(launched.name);
    else if (!before.contains(launched.name))
      first.insert(launched.name);
  }
  if (!marked) throw std::runtime_error(name + " left no mark");
  return first;
}
