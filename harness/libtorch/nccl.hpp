// NCCL's part of a process group.
#pragma once

#include "harness/libtorch/process_group.hpp"

#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace harness::inline libtorch {

/// For tensors on the meeting's device. Throws Skip where this program was built without NCCL's header.
c10::intrusive_ptr<c10d::Backend> nccl(const c10::intrusive_ptr<c10d::Store>& store, const Meeting& meeting);

}  // namespace harness::inline libtorch
