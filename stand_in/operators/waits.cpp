#include "stand_in/operators/waits.hpp"

#include <algorithm>
#include <array>
#include <string_view>

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

}  // namespace

bool waits_for_values(const Call& call) {
  const bool by_name = std::ranges::find(sized_by_values, call.schema().name()) != sized_by_values.end();
  return !gives_tensors(call) || (by_name && !told_the_size(call)) || has_mask(call);
}

}  // namespace stand_in::operators
