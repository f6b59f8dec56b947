// Layers that more than one network has.
#pragma once

#include "workloads/training/state.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace workloads::training {

/// Batch norms take a batch's own mean and variance, or those noted down in training.
enum class Mode { training, evaluation };

/// What distinguishes a convolution beside its channels.
struct Window {
  std::int64_t size = 3;
  std::int64_t stride = 1;
  std::int64_t padding = 1;
};

struct Channels {
  std::int64_t in = 0;
  std::int64_t out = 0;
};

/// A convolution, without a bias: a norm behind it takes that away again.
class Convolution {
 public:
  Convolution(State& state, const std::string& name, Channels channels, Window window);
  at::Tensor operator()(const at::Tensor& x) const;

 private:
  at::Tensor weight_;
  Window window_;
};

/// A batch norm with PyTorch's defaults: eps 1e-5, momentum 0.1.
class BatchNorm {
 public:
  BatchNorm(State& state, const std::string& name, std::int64_t channels);
  at::Tensor operator()(const at::Tensor& x, Mode mode) const;

 private:
  at::Tensor weight_, bias_, mean_, variance_;
};

class Linear {
 public:
  Linear(State& state, const std::string& name, Channels channels);
  at::Tensor operator()(const at::Tensor& x) const;

 private:
  at::Tensor weight_, bias_;
};

}  // namespace workloads::training
