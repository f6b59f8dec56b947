// Tensors of a device as the host's kernels can compute on them, and the other way round.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <functional>

namespace stand_in::operators {

using at::Tensor;
using c10::IValue;
using torch::jit::Stack;

/// Changes every tensor of an argument, those in lists too; what is not a tensor stays as it is.
IValue each_tensor(const IValue& value, const std::function<Tensor(const Tensor&)>& change);
/// Calls `look` with every defined tensor of an argument.
void visit_tensors(const IValue& value, const std::function<void(const Tensor&)>& look);

/// A tensor of the host on the same memory; its storage cannot be resized. Tensors of the host stay as they
/// are.
Tensor at_work_side(const Tensor& tensor);
/// As at_work_side, but a tensor of the host is copied: it may change before the queued work reads it.
Tensor kept(const Tensor& tensor);

/// New memory of the device, dense, filled with 0xff (NaN) on the current stream: a read before the first
/// write, a missing wait and a missing recordStream give a wrong answer instead of an old one.
Tensor new_tensor(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type, at::Device device);
/// Fills the tensor's memory so.
void poison(const Tensor& tensor);

/// A result of the host's kernels as a tensor of the device; the copy is queued.
Tensor onto_device(const Tensor& result, at::Device device);
/// Queues a copy of a host's tensor, which nobody else may change, into a dense tensor of the device.
void queue_copy(const Tensor& to, Tensor from);

}  // namespace stand_in::operators
