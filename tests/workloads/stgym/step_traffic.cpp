#include "tests/workloads/stgym/step_traffic.hpp"

#include "harness/cuda/check.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/record_function.h>
#include <c10/cuda/CUDAGuard.h>

#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace tests {
namespace {

/// Views, allocations, and operators that are made of others.
const std::set<std::string>& moves_nothing() {
  static const std::set<std::string> names{"aten::t",
                                           "aten::transpose",
                                           "aten::numpy_T",
                                           "aten::view",
                                           "aten::_reshape_alias",
                                           "aten::reshape",
                                           "aten::narrow",
                                           "aten::slice",
                                           "aten::select",
                                           "aten::as_strided",
                                           "aten::expand",
                                           "aten::expand_as",
                                           "aten::unsqueeze",
                                           "aten::squeeze",
                                           "aten::detach",
                                           "detach",
                                           "aten::detach_",
                                           "aten::alias",
                                           "aten::permute",
                                           "aten::flatten",
                                           "aten::empty",
                                           "aten::empty_like",
                                           "aten::empty_strided",
                                           "aten::indices",
                                           "aten::_indices",
                                           "aten::values",
                                           "aten::_values",
                                           "aten::linear",
                                           "aten::matmul",
                                           "aten::zeros",
                                           "aten::zeros_like",
                                           "aten::ones",
                                           "aten::ones_like",
                                           "aten::full",
                                           "aten::new_zeros",
                                           "aten::contiguous",
                                           "aten::to",
                                           "aten::_to_copy",
                                           "aten::clone",
                                           "aten::log_softmax",
                                           "aten::softmax",
                                           "aten::nll_loss",
                                           "aten::nll_loss_nd",
                                           "aten::linalg_vector_norm",
                                           "aten::index_add",
                                           "aten::eye",
                                           "aten::unflatten",
                                           "aten::sparse_coo_tensor",
                                           "aten::_sparse_coo_tensor_unsafe",
                                           "aten::_sparse_coo_tensor_with_dims_and_tensors",
                                           "aten::_coalesced",
                                           "aten::_coalesced_",
                                           "aten::lift_fresh",
                                           "aten::resolve_conj",
                                           "aten::resolve_neg",
                                           "aten::is_nonzero",
                                           "aten::square",
                                           "aten::repeat_interleave",
                                           "aten::result_type",
                                           "aten::arange",
                                           "aten::stack",
                                           "aten::sub_",
                                           "aten::view_as"};
  return names;
}

struct Found {
  std::mutex mutex;
  std::map<std::string, OperatorTraffic> all;
};

Found& found() {
  static Found one;
  return one;
}

/// What of it lies on a device.
double bytes_of(const c10::IValue& value) {
  if (value.isTensor()) {
    const auto& tensor = value.toTensor();
    const bool counts = tensor.defined() && tensor.is_cuda() && tensor.layout() == at::kStrided;
    return counts ? static_cast<double>(tensor.nbytes()) : 0;
  }
  double sum = 0;
  if (value.isList())
    for (const c10::IValue& part : value.toList()) sum += bytes_of(part);
  return sum;
}

/// Where the tensors of a call lie. Numbers travel with a launch.
struct Memories {
  bool host = false, device = false;
};

void note_memory(const c10::IValue& value, Memories& memories) {
  if (value.isList())
    for (const c10::IValue& part : value.toList()) note_memory(part, memories);
  if (!value.isTensor() || !value.toTensor().defined()) return;
  if (value.toTensor().unsafeGetTensorImpl()->is_wrapped_number()) return;
  (value.toTensor().is_cuda() ? memories.device : memories.host) = true;
}

/// Inputs are there while the operator begins only.
struct Inputs : at::ObserverContext {
  double bytes = 0;
  Memories memories;
};

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& call) {
  auto inputs = std::make_unique<Inputs>();
  for (const auto& input : call.inputs()) {
    inputs->bytes += bytes_of(input);
    note_memory(input, inputs->memories);
  }
  return inputs;
}

void end(const at::RecordFunction& call, at::ObserverContext* context) {
  const std::string name = call.name();
  if (!name.starts_with("aten::") || moves_nothing().contains(name)) return;
  const auto& inputs = *static_cast<const Inputs*>(context);
  auto bytes = inputs.bytes;
  auto memories = inputs.memories;
  for (const auto& output : call.outputs()) {
    bytes += bytes_of(output);
    note_memory(output, memories);
  }
  if (bytes == 0) return;
  const std::scoped_lock lock(found().mutex);
  auto& traffic = found().all[name];
  ++traffic.calls;
  traffic.bytes += bytes;
  traffic.crossings += memories.host && memories.device ? 1 : 0;
}

}  // namespace

std::size_t captured_nodes(const std::function<void()>& work) {
  const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool());
  at::cuda::CUDAGraph graph(/*keep_graph=*/true);
  graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
  work();
  graph.capture_end();
  std::size_t nodes = 0;
  harness::check(cudaGraphGetNodes(graph.raw_cuda_graph(), nullptr, &nodes));
  return nodes;
}

std::map<std::string, OperatorTraffic> operator_traffic(const std::function<void()>& work) {
  found().all.clear();
  // Of all threads: the backward pass runs on one of LibTorch's.
  const auto handle = at::addGlobalCallback(at::RecordFunctionCallback(begin, end)
                                                .needsInputs(true)
                                                .needsOutputs(true)
                                                .scopes({at::RecordScope::FUNCTION}));
  work();
  at::removeCallback(handle);
  return std::exchange(found().all, {});
}

}  // namespace tests
