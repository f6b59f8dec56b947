#include "stand_in/operators/sparse_work.hpp"

#include "stand_in/operators/below.hpp"

#include <ATen/ATen.h>

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

}  // namespace stand_in::operators
