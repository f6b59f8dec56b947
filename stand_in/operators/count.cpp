#include "stand_in/operators/count.hpp"

#include "stand_in/operators/below.hpp"

#include <ATen/ATen.h>
#include <ATen/Context.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace stand_in::operators {
namespace {

constexpr double place = sizeof(std::int64_t);  // of an entry: what is sorted beside the keys

/// n keys of so many bytes, each with a place: 8 bits a pass.
double sort_bytes(double n, double key) { return n * (key + key * 2 * (key + place)); }

/// The numbers of a sparse matrix's entries, row and column in one.
double sort_of_entries(const Tensor& sparse) { return sort_bytes(static_cast<double>(sparse._nnz()), place); }

bool is_out_of_order(const Tensor& tensor) {
  return tensor.layout() == at::kSparse && !tensor.is_coalesced();
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

std::size_t bytes_in(const Tensor& tensor) {
  if (tensor.layout() == at::kSparse) return tensor._indices().nbytes() + tensor._values().nbytes();
  return tensor.layout() == at::kStrided ? tensor.nbytes() : 0;
}

std::vector<Tensor> dense_tensors(const Call& call) {
  std::vector<Tensor> all;
  for (const auto& value : call.arguments)
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().layout() == at::kStrided)
      all.push_back(value.toTensor());
  return all;
}

/// Rows of the first times columns of the second times what they share, twice.
double product(const Tensor& left, const Tensor& right) {
  return 2.0 * static_cast<double>(left.numel()) * static_cast<double>(right.size(-1));
}

/// Each weight meets each place of the output once: (batch, channels, places...) by (out, in, window...).
double convolution(const Tensor& output, const Tensor& weight) {
  const auto places = static_cast<double>(output.numel()) / static_cast<double>(output.size(1));
  return 2.0 * places * static_cast<double>(weight.numel());
}

/// What the product of a sparse matrix and a dense one does: an entry meets each column of the dense one,
/// whose row it reads. Nothing of any other call.
struct SparseAndDense {
  double flop = 0, gathered = 0;
};

SparseAndDense sparse_and_dense(const Call& call) {
  if (!is_one_of(call.schema().name(), {"aten::mm", "aten::addmm"})) return {};
  const auto first = call.schema().name() == "aten::mm" ? 0U : 1U;  // addmm adds its first
  const auto left = call.arguments[first].toTensor(), right = call.arguments[first + 1].toTensor();
  const bool is_left = left.layout() == at::kSparse;
  const auto& sparse = is_left ? left : right;
  const auto& dense = is_left ? right : left;
  if (sparse.layout() != at::kSparse || dense.layout() != at::kStrided) return {};
  const auto met = static_cast<double>(sparse._nnz()) * static_cast<double>(dense.size(is_left ? 1 : 0));
  return {.flop = 2 * met, .gathered = met * static_cast<double>(dense.element_size())};
}

double flop_of(const Call& call, const std::vector<Tensor>& results) {
  const std::string_view name = call.schema().name();
  const auto tensors = dense_tensors(call);
  if ((name == "aten::mm" || name == "aten::bmm") && tensors.size() >= 2)
    return product(tensors[0], tensors[1]);
  if ((name == "aten::addmm" || name == "aten::baddbmm" || name == "aten::_addmm_activation") &&
      tensors.size() >= 3)
    return product(tensors[1], tensors[2]);
  if ((name == "aten::convolution" || name == "aten::_convolution" ||
       name == "aten::convolution_overrideable") &&
      tensors.size() >= 2 && !results.empty() && results[0].defined())
    return convolution(results[0], tensors[1]);
  if (name == "aten::mm" || name == "aten::addmm") return sparse_and_dense(call).flop;
  return 0;
}

std::string unit_of(const Call& call) {
  const auto type = dense_tensors(call).front().scalar_type();
  if (type == at::kHalf || type == at::kBFloat16) return "fp16";
  return at::globalContext().allowTF32CuBLAS() ? "tf32" : "fp32";
}

std::size_t bytes_of(const Stack& arguments, const std::vector<Tensor>& results) {
  std::size_t bytes = 0;
  const auto add = [&](const Tensor& tensor) {
    if (tensor.defined()) bytes += bytes_in(tensor);
  };
  for (const auto& value : arguments) visit_tensors(value, add);
  for (const auto& tensor : results) add(tensor);
  return bytes;
}

/// What an operator in place writes beside what it reads: the arguments that its schema says it changes.
std::size_t written_in_place(const Call& call) {
  const std::string_view name = call.schema().name();
  constexpr std::array only_writes{"aten::fill_",    "aten::zero_",      "aten::copy_",  "aten::normal_",
                                   "aten::uniform_", "aten::bernoulli_", "aten::random_"};
  if (!name.ends_with('_') || std::ranges::count(only_writes, name) > 0) return 0;
  std::size_t bytes = 0;
  const auto add = [&](const Tensor& tensor) {
    if (tensor.defined()) bytes += bytes_in(tensor);
  };
  const auto& arguments = call.schema().arguments();
  for (std::size_t i = 0; i < std::min(arguments.size(), call.arguments.size()); ++i)
    if (const auto* alias = arguments[i].alias_info(); alias != nullptr && alias->isWrite())
      visit_tensors(call.arguments[i], add);
  return bytes;
}

/// Operators that read a tensor twice: statistics first, then what follows from them. Their first tensors.
std::size_t read_again(const Call& call) {
  const std::string_view name = call.schema().name();
  const auto tensors = dense_tensors(call);
  const bool forward = name == "aten::native_batch_norm" || name == "aten::cudnn_batch_norm" ||
                       name == "aten::_native_batch_norm_legit" || name == "aten::batch_norm";
  const bool backward =
      name == "aten::native_batch_norm_backward" || name == "aten::cudnn_batch_norm_backward";
  const std::size_t again = forward ? 1 : backward ? 2 : 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < std::min(again, tensors.size()); ++i) bytes += tensors[i].nbytes();
  return bytes;
}

/// Few blocks, several passes: their least time is another one.
bool is_reduction(std::string_view name) {
  constexpr std::array names{"aten::sum",
                             "aten::mean",
                             "aten::max",
                             "aten::min",
                             "aten::norm",
                             "aten::linalg_vector_norm",
                             "aten::argmax",
                             "aten::prod",
                             "aten::_softmax",
                             "aten::_log_softmax",
                             "aten::amax",
                             "aten::var",
                             "aten::_softmax_backward_data",
                             "aten::_log_softmax_backward_data",
                             "aten::native_layer_norm",
                             "aten::native_layer_norm_backward",
                             "aten::cumsum"};
  return std::ranges::count(names, name) > 0;
}

}  // namespace

/// LibTorch comes with `mm`, which hands it to `_sparse_sparse_matmul`.
bool is_sparse_product(const Call& call) {
  if (!is_one_of(call.schema().name(), {"aten::mm", "aten::_sparse_sparse_matmul"})) return false;
  const auto is_sparse = [&](std::size_t i) { return call.arguments[i].toTensor().layout() == at::kSparse; };
  return is_sparse(0) && is_sparse(1);
}

double pairs(const Tensor& left, const Tensor& right) {
  const Below below;
  const auto shared = left.size(1);
  const auto in_columns = at::bincount(left._indices()[1], {}, shared);
  const auto in_rows = at::bincount(right._indices()[0], {}, shared);
  return in_columns.mul(in_rows).sum().item<double>();
}

Sorts sorts(const Call& call) {
  const std::string_view name = call.schema().name();
  const auto first =
      call.arguments.empty() || !call.arguments[0].isTensor() ? Tensor() : call.arguments[0].toTensor();
  if (!first.defined()) return {};
  if (name == "aten::_coalesce") return {.entries = sort_of_entries(first)};
  if (is_one_of(name, {"aten::sort", "aten::argsort", "aten::_unique", "aten::_unique2"}))
    return {.dense =
                sort_bytes(static_cast<double>(first.numel()), static_cast<double>(first.element_size()))};
  Sorts found;
  if (is_one_of(name, {"aten::mm", "aten::addmm", "aten::bmm", "aten::_sparse_sparse_matmul"}))
    for (const auto& value : call.arguments)
      visit_tensors(value, [&](const Tensor& tensor) {
        if (is_out_of_order(tensor)) found.entries += sort_of_entries(tensor);
      });
  return found;
}

Command counted(const Call& call, const std::vector<Tensor>& results, double pairs) {
  const auto sorted = sorts(call);
  Command command{.what = "operator", .name = call.name(), .sorted = sorted.entries};
  command.bytes = bytes_of(call.arguments, results) + written_in_place(call) + read_again(call) +
                  static_cast<std::size_t>(sorted.dense + sorted.entries + sparse_and_dense(call).gathered);
  command.reduction = is_reduction(call.schema().name());
  command.flop = flop_of(call, results);
  if (command.flop > 0) command.unit = unit_of(call);
  if (pairs > 0) {
    command.flop = 2 * pairs;
    command.unit = "sparse_product";
  }
  return command;
}

}  // namespace stand_in::operators
