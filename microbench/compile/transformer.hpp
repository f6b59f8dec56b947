// A small transformer in training, step by step: called operator by operator, and as one compiled function.
#pragma once

#include "harness/core/step.hpp"
#include "harness/libtorch/package.hpp"

namespace microbench {

/// Two blocks (attention and a hidden layer of GELU, each behind a norm) and a classifier of every position.
class Transformer {
 public:
  Transformer(const harness::Setup& setup, std::int64_t batch);

  /// Forward, backward and a step of gradient descent, by LibTorch's operators.
  void train_eagerly();
  /// The same by a package that torch's compiler has made.
  void train_compiled();
  double compile_seconds() const { return package_.compile_seconds(); }

  /// Back to the first parameters; the loss becomes NaN.
  void reset();
  /// The last loss and every parameter.
  harness::Answer answer() const;

 private:
  at::Tensor loss_of(const std::vector<at::Tensor>& parameters) const;

  at::Tensor x_, y_, loss_;
  std::vector<at::Tensor> start_, parameters_;
  harness::CompiledPackage package_;
};

}  // namespace microbench
