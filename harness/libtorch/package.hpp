// A function that torch's compiler has compiled, to be called like any other.
#pragma once

#include "harness/libtorch/make_package.hpp"

#include <ATen/core/Tensor.h>

namespace torch::inductor {
class AOTIModelPackageLoader;
}  // namespace torch::inductor

namespace harness::inline libtorch {

/// What a step wants to have compiled.
struct CompileWish {
  std::string_view step;    // its id
  std::string_view source;  // Python text that defines step(*tensors) and returns a tuple of tensors
  // Of the types, sizes and layouts (as usual, or channels last) that it will be called with, on its device.
  std::vector<at::Tensor> inputs;
  std::vector<std::size_t> varies = {};  // inputs whose first dimension may have any size
  CompileMode mode = CompileMode::normal;
};

class CompiledPackage {
 public:
  /// Makes the package for the inputs' device and LibTorch's threads, if it is not kept already, and loads
  /// it. Throws Skip where that cannot be done here.
  explicit CompiledPackage(const CompileWish& wish);

  /// Runs it; what goes wrong in it is a std::runtime_error that names its file. Parameters that the function
  /// changes in place are changed in `inputs`. Throws std::invalid_argument where an input is not one that
  /// the package was made for: its code would not notice.
  std::vector<at::Tensor> operator()(const std::vector<at::Tensor>& inputs) const;

  /// That compiling took when the package was made.
  double compile_seconds() const { return made_.seconds; }

 private:
  std::vector<at::Tensor> made_for_;
  std::vector<std::size_t> varies_;
  Made made_;
  std::shared_ptr<torch::inductor::AOTIModelPackageLoader> loader_;
};

}  // namespace harness::inline libtorch
