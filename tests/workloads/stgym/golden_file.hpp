// Reads reference numbers as tensors. Any file of the form of tests/golden/README.md.
#pragma once

#include "workloads/stgym/model/published_model.hpp"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace golden {

/// The directory of the reference numbers: TUNEPROOF_GOLDEN_DIR, else the project's.
inline std::filesystem::path directory() {
  const auto* chosen = std::getenv("TUNEPROOF_GOLDEN_DIR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return chosen != nullptr ? std::filesystem::path(chosen)
                           : std::filesystem::path(TUNEPROOF_TESTS_DIR) / "golden";
}

inline nlohmann::ordered_json load(const std::string& file) {
  std::ifstream in(directory() / file);
  if (!in) throw std::runtime_error("cannot read " + (directory() / file).string());
  return nlohmann::ordered_json::parse(in);
}

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
