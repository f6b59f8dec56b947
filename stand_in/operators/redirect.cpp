#include "stand_in/operators/redirect.hpp"

#include "stand_in/operators/below.hpp"
#include "stand_in/operators/count.hpp"
#include "stand_in/operators/half.hpp"
#include "stand_in/operators/random.hpp"
#include "stand_in/operators/shapes.hpp"
#include "stand_in/operators/wait.hpp"
#include "stand_in/runtime.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include <utility>

namespace stand_in::operators {
namespace {

/// What the stream's thread needs: nothing here is the caller's.
struct Queued {
  c10::OperatorHandle op;
  Stack arguments;
  Random random;
  std::vector<Tensor> outs;  // where new results go; undefined where a result is an argument
};

std::vector<Tensor> tensors_in(const Stack& stack) {
  std::vector<Tensor> out;
  for (const auto& value : stack)
    if (value.isTensor())
      out.push_back(value.toTensor());
    else if (value.isTensorList())
      for (const Tensor& tensor : value.toTensorVector()) out.push_back(tensor);
  return out;
}

void compute(const Queued& work) {
  const Below below;
  Stack stack = work.arguments;
  work.random.run(stack, [&] { call_on_host(work.op, stack); });
  const auto results = tensors_in(stack);
  for (std::size_t i = 0; i < work.outs.size(); ++i)
    if (work.outs[i].defined() && work.outs[i].numel() > 0 && results.at(i).defined())
      at::Tensor(work.outs[i]).copy_(results[i]);
}

/// What the work throws is what an assertion of a kernel would be.
void queue(const Call& call, Queued work) {
  const auto command = counted(call, work.outs);
  const auto run = [work = std::move(work), name = call.name()] {
    try {
      compute(work);
    } catch (const c10::Error& error) {
      fail(cudaErrorAssert, name + ": " + error.what_without_backtrace());
    } catch (const std::exception& error) {
      fail(cudaErrorAssert, name + ": " + error.what());
    }
  };
  C10_CUDA_CHECK(submit(call.stream().stream(), command, run));
}

void queue_and_return(const Call& call, const Stack& shapes, Stack* stack) {
  Queued work{*call.op, {}, Random(call), {}};
  for (const auto& value : call.arguments)
    work.arguments.push_back(value.isDevice() && value.toDevice().is_cuda() ? IValue(at::Device(at::kCPU))
                                                                            : each_tensor(value, kept));
  for (std::size_t i = 0; i < call.schema().returns().size(); ++i) {
    if (const auto from = call.argument_of(i)) {
      stack->push_back(call.arguments[*from]);
      work.outs.emplace_back();
      continue;
    }
    stack->push_back(each_tensor(shapes[i], [&](const Tensor& shape) {
      auto out = new_tensor(shape.sizes(), shape.strides(), shape.scalar_type(), call.device);
      work.outs.push_back(at_work_side(out));
      return out;
    }));
    if (shapes[i].isTensor() && !shapes[i].toTensor().defined()) work.outs.emplace_back();
  }
  queue(call, std::move(work));
}

bool all_dense(const Stack& shapes) {
  bool dense = true;
  for (const auto& value : shapes)
    visit_tensors(value, [&](const Tensor& tensor) { dense = dense && tensor.layout() == at::kStrided; });
  return dense;
}

bool writes_sparse(const Call& call) {
  bool sparse = false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (call.writes(i))
      visit_tensors(call.arguments[i],
                    [&](const Tensor& tensor) { sparse |= tensor.layout() != at::kStrided; });
  return sparse;
}

}  // namespace

void redirect(Call call, Stack* stack) {
  const Below below;
  const c10::cuda::CUDAGuard guard(call.device);
  if (!waits_for_values(call) && !writes_sparse(call))
    if (const auto shapes = shapes_of(call); shapes && all_dense(*shapes))
      return queue_and_return(call, *shapes, stack);
  wait_and_return(call, stack);
}

void redirect_from_stack(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  redirect(take_call(op, *stack), stack);
}

}  // namespace stand_in::operators
