// One call of an operator on a device: its tensors as the kernels of the host can compute on them, what its
// results look like, and whether they must be known before the program goes on.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/cuda/CUDAStream.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

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
  /// True if all tensors are dense.
  bool dense() const;
  c10::cuda::CUDAStream stream() const { return c10::cuda::getCurrentCUDAStream(device.index()); }
};

/// Takes the arguments from the stack. Throws what PyTorch throws where tensors of the host stand among those
/// of a device, or of two devices: only a 0-dim tensor of the host may, and what the operator reads on the
/// host.
Call take_call(const c10::OperatorHandle& op, Stack& stack);

/// The results without their data, one IValue each, as tensors of the meta device or of the host; `out`
/// arguments of another size are resized. By the operator's Meta kernel; where it has none, by a try on zeros
/// of the same shapes, remembered for the next call like it. Empty where neither works: the call is wrong, or
/// its results' shapes depend on values.
std::optional<Stack> shapes_of(const Call& call);

/// True where PyTorch's kernel for CUDA waits for the device too: the size of a result depends on values, or
/// the result is a number of the host; and for operators that give sparse tensors.
bool waits_for_values(const Call& call);

/// Runs the call in the stream's order and waits for it, as cudaStreamSynchronize does: an error in a
/// capture, a warning or an error where PyTorch's synchronization debugging asks for it. What it throws is
/// thrown here.
void wait_and_return(const Call& call, Stack* stack);

}  // namespace stand_in::operators
