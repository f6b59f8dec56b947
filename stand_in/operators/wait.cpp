#include "stand_in/operators/below.hpp"
#include "stand_in/operators/count.hpp"
#include "stand_in/operators/operator_call.hpp"
#include "stand_in/operators/operator_random.hpp"
#include "stand_in/runtime.hpp"

#include <ATen/ATen.h>
#include <ATen/native/SparseTensorUtils.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <future>
#include <memory>
#include <string_view>
#include <utility>

namespace stand_in::operators {
namespace {

/// docs.pytorch.org names nonzero and masked_select as such; the others find their result's size the same
/// way.
constexpr std::array<std::string_view, 14> sized_by_values = {"aten::nonzero",
                                                              "aten::masked_select",
                                                              "aten::_unique",
                                                              "aten::_unique2",
                                                              "aten::unique_dim",
                                                              "aten::unique_consecutive",
                                                              "aten::unique_dim_consecutive",
                                                              "aten::bincount",
                                                              "aten::repeat_interleave",
                                                              "aten::equal",
                                                              "aten::_local_scalar_dense",
                                                              "aten::histogramdd",
                                                              "aten::embedding_renorm_",
                                                              "aten::_coalesce"};

/// index.Tensor, index_put_ and their kin: a mask is turned into indices by nonzero.
bool has_mask(const Call& call) {
  if (!call.schema().name().starts_with("aten::index") &&
      !call.schema().name().starts_with("aten::_index_put") &&
      !call.schema().name().starts_with("aten::_unsafe_index"))
    return false;
  bool mask = false;
  for (const auto& value : call.arguments)
    if (value.isOptionalTensorList() || value.isTensorList())
      visit_tensors(value, [&](const Tensor& tensor) {
        mask = mask || tensor.scalar_type() == at::kBool || tensor.scalar_type() == at::kByte;
      });
  return mask;
}

/// repeat_interleave gets its result's size, where the program knows it.
bool told_the_size(const Call& call) {
  return call.schema().name() == "aten::repeat_interleave" && !call.arguments.back().isNone();
}

bool gives_tensors(const Call& call) {
  return std::ranges::all_of(call.schema().returns(), [](const c10::Argument& result) {
    const auto text = result.type()->str();
    return text == "Tensor" || text == "Tensor[]";
  });
}

/// The call on the host's side.
struct Waited {
  Stack stack;
  /// Arguments that the operator may give another size, new for the host: (which, its tensor there).
  std::vector<std::pair<std::size_t, Tensor>> resized;
  std::exception_ptr thrown;
};

Waited prepared(const Call& call) {
  Waited work;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& value = call.arguments[i];
    if (value.isDevice() && value.toDevice().is_cuda()) {
      work.stack.emplace_back(at::Device(at::kCPU));
    } else if (value.isTensor() && value.toTensor().defined() && call.is_out(i)) {
      work.resized.emplace_back(i, at::empty({0}, value.toTensor().options().device(at::kCPU)));
      work.stack.emplace_back(work.resized.back().second);
    } else {
      work.stack.push_back(each_tensor(value, kept));
      if (value.isTensor() && call.writes(i) && value.toTensor().layout() != at::kStrided)
        work.resized.emplace_back(i, work.stack.back().toTensor());
    }
  }
  return work;
}

/// Of a product of sparse matrices, and only for a recording: their entries are there once the stream has
/// come this far. Not a command of the program.
double pairs_of(const Call& call, const Waited& work) {
  static const bool recorded = std::getenv("STAND_IN_CALLS") != nullptr;
  if (!recorded || !is_sparse_product(call)) return 0;
  const auto found = std::make_shared<std::promise<double>>();
  auto number = found->get_future();
  const auto count = [found, left = work.stack[0].toTensor(), right = work.stack[1].toTensor()] {
    found->set_value(pairs(left, right));
  };
  C10_CUDA_CHECK(submit_unseen(call.stream().stream(), count));
  try {
    return number.get();
  } catch (const std::future_error&) {  // a device that has failed drops its work
    return 0;
  }
}

void run_and_wait(const Call& call, const std::shared_ptr<Waited>& work) {
  const auto stream = call.stream().stream();
  if (!is_capturing(stream)) {
    const auto run = [work, op = *call.op, random = Random(call)] {
      const Below below;
      try {
        random.run(work->stack, [&] { op.callBoxed(&work->stack); });
      } catch (...) {
        work->thrown = std::current_exception();
      }
    };
    C10_CUDA_CHECK(submit(stream, counted(call, {}, pairs_of(call, *work)), run));
  }
  c10::cuda::stream_synchronize(stream);  // throws in a capture
  TORCH_CHECK(!is_capturing(stream), call.name(), " waits for the device, in a capture");
  if (work->thrown) std::rethrow_exception(work->thrown);
}

void put_back(const Tensor& original, const Tensor& result) {
  if (original.layout() == at::kSparse) {
    const auto made = onto_device(result, original.device());
    at::sparse::get_sparse_impl(original)->raw_resize_(result.sparse_dim(), result.dense_dim(),
                                                       result.sizes());
    at::sparse::get_sparse_impl(original)->set_indices_and_values_unsafe(made._indices(), made._values());
    original._coalesced_(result.is_coalesced());
    return;
  }
  TORCH_CHECK(original.layout() == at::kStrided, "stand-in: ", original.layout(),
              " cannot be changed in place");
  original.resize_(result.sizes());
  queue_copy(original, result);
}

}  // namespace

bool waits_for_values(const Call& call) {
  const bool by_name = std::ranges::find(sized_by_values, call.schema().name()) != sized_by_values.end();
  return !gives_tensors(call) || (by_name && !told_the_size(call)) || has_mask(call);
}

void wait_and_return(const Call& call, Stack* stack) {
  const auto work = std::make_shared<Waited>(prepared(call));
  run_and_wait(call, work);
  for (const auto& [i, result] : work->resized) put_back(call.arguments[i].toTensor(), result);
  for (std::size_t i = 0; i < call.schema().returns().size(); ++i) {
    if (const auto from = call.argument_of(i))
      stack->push_back(call.arguments[*from]);
    else
      stack->push_back(each_tensor(work->stack[i],
                                   [&](const Tensor& result) { return onto_device(result, call.device); }));
  }
}

}  // namespace stand_in::operators
