// The model's parameters and running statistics, by name.
#include "workloads/stgym/space_model/space_model.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace workloads::stgym::space {
namespace {

void copy_values(const NamedTensors& from, const NamedTensors& to) {
  for (const auto& [name, tensor] : to) {
    const auto found = std::ranges::find(from, name, &NamedTensors::value_type::first);
    if (found == from.end()) throw std::invalid_argument("no values for the parameter '" + name + "'");
    tensor.detach().copy_(found->second);
  }
}

}  // namespace

NamedTensors Model::parameters() const {
  NamedTensors all;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const auto name = "mp_module.Layer_" + std::to_string(i);
    add_to(all, name + ".layer.model", layers_[i].convolution);
    if (layers_[i].assignment) add_to(all, name + ".pooling_layer.linear", layers_[i].assignment->linear);
    layers_[i].finish.add_parameters(all, name + ".post_layer");
  }
  for (std::size_t i = 0; i < post_.size(); ++i) {
    const auto name = "post_mp.model.0.Layer_" + std::to_string(i);
    add_to(all, name + ".layer.model", post_[i].linear);
    post_[i].finish.add_parameters(all, name + ".post_layer");
  }
  return all;
}

NamedTensors Model::buffers() const {
  NamedTensors all;
  for (std::size_t i = 0; i < layers_.size(); ++i)
    layers_[i].finish.add_buffers(all, "mp_module.Layer_" + std::to_string(i) + ".post_layer");
  for (std::size_t i = 0; i < post_.size(); ++i)
    post_[i].finish.add_buffers(all, "post_mp.model.0.Layer_" + std::to_string(i) + ".post_layer");
  return all;
}

NamedTensors Model::copy_of_state() const {
  auto all = parameters();
  for (auto& named : buffers()) all.push_back(std::move(named));
  for (auto& [name, tensor] : all) tensor = tensor.detach().clone();
  return all;
}

// NOLINTNEXTLINE(readability-make-member-function-const): the tensors change
void Model::assign(const NamedTensors& values) { copy_values(values, parameters()); }

void Model::reset() {
  copy_values(start_, parameters());
  copy_values(start_, buffers());
  random_.set_current_seed(seed_);
}

}  // namespace workloads::stgym::space
