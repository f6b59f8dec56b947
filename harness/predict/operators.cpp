#include "harness/predict/operators.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace harness::predict {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view prefix = "aten::";
constexpr auto views = std::to_array<std::string_view>(
    {"_reshape_alias", "_unsafe_view", "alias",     "as_strided", "chunk",  "detach",  "diagonal",
     "expand",         "expand_as",    "flatten",   "movedim",    "narrow", "permute", "reshape",
     "resolve_conj",   "resolve_neg",  "select",    "slice",      "split",  "squeeze", "t",
     "transpose",      "unbind",       "unflatten", "unsqueeze",  "view",   "view_as"});
constexpr auto empties = std::to_array<std::string_view>(
    {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize_"});
constexpr auto gathers =
    std::to_array<std::string_view>({"embedding", "gather", "masked_select", "nonzero", "scatter", "scatter_",
                                     "scatter_add", "scatter_add_", "take"});
constexpr auto products = std::to_array<std::string_view>(
    {"_convolution", "addmm", "baddbmm", "bmm", "conv2d", "convolution", "linear", "mm"});
constexpr auto pointwise = std::to_array<std::string_view>(
    {"add",        "add_",  "addcdiv_", "addcmul_", "clamp", "clamp_min",
     "clamp_min_", "cos",   "div",      "div_",     "eq",    "exp",
     "fill_",      "ge",    "gt",       "le",       "lerp_", "log",
     "lt",         "mul",   "mul_",     "ne",       "neg",   "pow",
     "relu",       "relu_", "rsqrt",    "sigmoid",  "sin",   "sqrt",
     "sub",        "sub_",  "tanh",     "where",    "zero_", "threshold_backward"});
constexpr auto reductions = std::to_array<std::string_view>(
    {"all", "amax", "amin", "any", "argmax", "argmin", "max", "mean", "min", "prod", "sum"});

bool among(Names names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

}  // namespace

std::string_view operator_name(const trace::Trace& trace, const trace::Event& event) {
  const auto name = trace.name(event);
  return event.kind == trace::Kind::cpu_op && name.starts_with(prefix) ? name.substr(prefix.size())
                                                                       : std::string_view();
}

bool is_view(std::string_view name) { return among(views, name); }
bool is_empty(std::string_view name) { return among(empties, name); }
bool is_gather(std::string_view name) { return among(gathers, name) || name.find("index") != name.npos; }
bool is_product(std::string_view name) { return among(products, name); }

std::string_view sort_of(std::string_view name) {
  if (is_empty(name)) return "empty";
  if (among(pointwise, name)) return "add";
  if (among(reductions, name)) return "sum";
  if (is_product(name)) return "mm";
  if (name == "copy_") return "copy";
  if (name == "cat" || name == "stack") return "cat";
  return is_gather(name) ? "index" : "";
}

std::string number_type(const trace::Recorded& call) {
  const auto type = call.types.empty() ? std::string_view("float") : call.types.front();
  if (type.find("BFloat16") != type.npos) return "bf16";
  if (type.find("Half") != type.npos) return "fp16";
  return type == "float" ? "fp32" : std::string(type);
}

double bytes_read(const trace::Recorded& call) {
  double bytes = 0;
  for (std::size_t i = 0; i < call.shapes.size(); ++i) {
    if (call.shapes[i].empty()) continue;
    double elements = 1;
    for (const auto extent : call.shapes[i]) elements *= static_cast<double>(extent);
    const auto type = i < call.types.size() ? call.types[i] : std::string_view();
    const bool eight = type.find("long") != type.npos || type.find("double") != type.npos;
    const bool two = type.find("Half") != type.npos || type.find("BFloat16") != type.npos;
    bytes += elements * (eight ? 8 : two ? 2 : type == "bool" ? 1 : 4);
  }
  return bytes;
}

}  // namespace harness::predict
