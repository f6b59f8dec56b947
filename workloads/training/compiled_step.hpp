// A training step as torch's compiler writes it: forward, backward, clipping and AdamW as one function.
#pragma once

#include "harness/libtorch/package.hpp"

#include "workloads/training/dataset.hpp"
#include "workloads/training/network.hpp"
#include "workloads/training/optimizer.hpp"

namespace workloads::training {

/// What is compiled.
struct CompiledWork {
  std::string step;         // whose: "gpt", of all steps of the workload
  std::string_view python;  // defines output_of(x, p, b), with p and b the parameters and buffers by name,
                            // and loss_of(output, y); and does with the buffers what training does
  Recipe recipe;            // AdamW's
  double clip = 0;          // as Job::clip
  bool bf16 = false;        // the forward pass under autocast, as Switches::bf16
};

/// A step that torch's compiler has written, with what it changes in place.
class CompiledStep {
 public:
  /// `wish.inputs` is a batch, its layout that of all batches. The function is given the number of steps so
  /// far, a batch, the parameters, the buffers, and Adam's means and squares; it returns the loss. Throws
  /// harness::Skip where nothing can be compiled.
  CompiledStep(harness::CompileWish wish, const NamedTensors& parameters, const NamedTensors& buffers);

  /// Trains the batch and gives its loss. The network's parameters and buffers are changed in place.
  at::Tensor operator()(const std::vector<at::Tensor>& batch) const;
  /// The same on copies, without any effect.
  void rehearse(const std::vector<at::Tensor>& batch) const;
  double compile_seconds() const { return package_.compile_seconds(); }
  /// Back to the first step of Adam.
  void reset();

 private:
  std::vector<at::Tensor> inputs(const std::vector<at::Tensor>& batch) const;

  std::vector<at::Tensor> state_;  // parameters, buffers, means, squares; the network's own where it has them
  std::size_t moments_;            // where the means begin
  at::Tensor count_;               // of steps
  harness::CompiledPackage package_;
};

/// Compiles for batches as large as `sample`.
CompiledStep compile_step(const CompiledWork& work, const Network& network, const Sample& sample);

}  // namespace workloads::training
