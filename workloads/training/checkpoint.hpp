// Activations computed twice instead of kept.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace workloads::training {

/// run(x) of which nothing is kept but x: the backward pass runs it a second time, and what it reads gets its
/// gradients then. `x` must ask for a gradient; `run` must do the same each time.
at::Tensor checkpointed(const std::function<at::Tensor(const at::Tensor&)>& run, const at::Tensor& x);

}  // namespace workloads::training
