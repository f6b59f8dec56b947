// Why the naive form calls some operators more or less often than STGym's first version.
#pragma once

#include <string_view>

struct OperatorReason {
  std::string_view name;
  std::string_view why;
};

constexpr std::string_view adam =
    "Adam: LibTorch's C++ one moves its averages by mul_ and add_ where Python's calls lerp_, and counts its "
    "steps in numbers where Python's reads tensors";
constexpr std::string_view arguments =
    "Python's constructors convert what they are given; nothing changes and nothing moves";
constexpr std::string_view root_of_zero =
    "rows of the pooled graph without an edge are divided by 1: a root of 0 has no gradient, and a layer on "
    "the "
    "pooled graph needs one";
constexpr std::string_view sparse_sum =
    "`_sparse_sum` is called at once, not by way of einsum and sum, whose gradient is not defined for a "
    "sparse "
    "matrix";
constexpr std::string_view views = "views and metadata of the operators around them: no work";
constexpr std::string_view first_offset =
    "`tensor([0])` in front of the offsets, twice, is `zeros({1})` here";
constexpr std::string_view number = "a number in Python is a tensor on its way into the operator";
constexpr std::string_view negative_count =
    "`repeat_interleave` looks for a negative count by `min` in LibTorch 2.15, which is ours, and by `ge` "
    "and `all` in 2.11, which was theirs";

constexpr OperatorReason operator_reasons[] = {
    {"aten::_coalesced_", "set once more on the pooled graph there, without an effect"},
    {"aten::_indices", sparse_sum},
    {"aten::_local_scalar_dense", adam},
    {"aten::_sparse_coo_tensor_with_dims_and_tensors", sparse_sum},
    {"aten::_to_copy", number},
    {"aten::_values", sparse_sum},
    {"aten::add", "the sum of the losses begins with 0 there"},
    {"aten::all", negative_count},
    {"aten::as_strided", views},
    {"aten::clone", root_of_zero},
    {"aten::copy_", root_of_zero},
    {"aten::dense_dim", sparse_sum},
    {"aten::detach", arguments},
    {"aten::detach_", "zero_grad: LibTorch's C++ one detaches each gradient"},
    {"aten::einsum", sparse_sum},
    {"aten::empty", arguments},
    {"aten::empty_like", root_of_zero},
    {"aten::eq", root_of_zero},
    {"aten::expand", views},
    {"aten::expand_as", views},
    {"aten::fill_", number},
    {"aten::flatten", views},
    {"aten::ge", negative_count},
    {"aten::is_coalesced", sparse_sum},
    {"aten::item", adam},
    {"aten::lerp_", adam},
    {"aten::lift_fresh", arguments},
    {"aten::masked_fill", root_of_zero},
    {"aten::masked_fill_", root_of_zero},
    {"aten::min", negative_count},
    {"aten::mul", adam},
    {"aten::mul_", adam},
    {"aten::nll_loss_nd", "the name that Python's cross entropy calls nll_loss by"},
    {"aten::permute", sparse_sum},
    {"aten::resize_", sparse_sum},
    {"aten::scalar_tensor", number},
    {"aten::select", views},
    {"aten::sparse_dim", sparse_sum},
    {"aten::squeeze", views},
    {"aten::sum", sparse_sum},
    {"aten::to", arguments},
    {"aten::view", views},
    {"aten::zero_", first_offset},
    {"aten::zeros", first_offset},
};
