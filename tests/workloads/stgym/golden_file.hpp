// Reads reference numbers as tensors. Any file of the form of tests/golden/README.md.
#pragma once

#include "tests/workloads/golden_json.hpp"

#include "workloads/stgym/model/published_model.hpp"

#include <ATen/ATen.h>

namespace golden {

/// {"shape": [..], "data": [..]} as a tensor: int64 where every number is written as an integer.
inline at::Tensor tensor(const nlohmann::ordered_json& json, at::ScalarType type) {
  const auto shape = json.at("shape").get<std::vector<std::int64_t>>();
  const auto values = json.at("data").get<std::vector<double>>();
  return at::tensor(values, at::kDouble).to(type).reshape(shape);
}

inline workloads::stgym::NamedTensors named(const nlohmann::ordered_json& json) {
  workloads::stgym::NamedTensors all;
  for (const auto& [name, value] : json.items()) all.emplace_back(name, tensor(value, at::kFloat));
  return all;
}

/// The largest difference, relative to the largest absolute value of the reference.
inline double distance(const at::Tensor& value, const at::Tensor& reference) {
  if (value.sizes() != reference.sizes()) throw std::runtime_error("the shapes differ");
  const auto scale = reference.abs().max().item<double>();
  const auto most = (value.detach().to(at::kCPU) - reference).abs().max().item<double>();
  return scale > 0 ? most / scale : most;
}

}  // namespace golden
