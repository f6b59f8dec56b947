// One call of an operator on a device.
#pragma once

#include "stand_in/operators/tensors.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/cuda/CUDAStream.h>

#include <optional>
#include <string>
#include <vector>

namespace stand_in::operators {

/// Which of a call's arguments the operator writes, and which are its `out`.
struct Call {
  const c10::OperatorHandle* op = nullptr;
  std::vector<IValue> arguments;
  at::Device device{at::kCUDA, 0};

  const c10::FunctionSchema& schema() const { return op->schema(); }
  /// "aten::add.Tensor"
  std::string name() const;
  bool writes(std::size_t argument) const;
  bool is_out(std::size_t argument) const { return schema().arguments()[argument].is_out(); }
  /// The argument that result `i` is, where the schema says so.
  std::optional<std::size_t> argument_of(std::size_t i) const;
  /// True if a result is not one of the arguments.
  bool has_new_results() const;
  bool has_out() const;
  /// True if all tensors are dense.
  bool dense() const;
  c10::cuda::CUDAStream stream() const { return c10::cuda::getCurrentCUDAStream(device.index()); }
};

/// Takes the arguments from the stack. Throws what PyTorch throws where tensors of the host stand among those
/// of a device, or of two devices: only a 0-dim tensor of the host may, and what the operator reads on the
/// host.
Call take_call(const c10::OperatorHandle& op, Stack& stack);

}  // namespace stand_in::operators
