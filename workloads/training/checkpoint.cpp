#include "workloads/training/checkpoint.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <utility>

namespace workloads::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Run = std::function<at::Tensor(const at::Tensor&)>;

/// What autograd keeps of a function until the backward pass.
struct KeptRun : torch::CustomClassHolder {
  explicit KeptRun(Run given) : run(std::move(given)) {}
  Run run;
};

struct Checkpointed : torch::autograd::Function<Checkpointed> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Run& run) {
    context->save_for_backward({x});
    context->saved_data["run"] = c10::IValue::make_capsule(c10::make_intrusive<KeptRun>(run));
    return run(x);  // autograd is off in here
  }

  static variable_list backward(AutogradContext* context, const variable_list& of_output) {
    const auto kept = c10::static_intrusive_pointer_cast<KeptRun>(context->saved_data["run"].toCapsule());
    const auto x = context->get_saved_variables().front().detach().requires_grad_();
    const c10::AutoGradMode recording(true);
    const auto output = kept->run(x);
    torch::autograd::backward({output}, of_output);
    return {x.grad(), at::Tensor()};
  }
};

}  // namespace

at::Tensor checkpointed(const Run& run, const at::Tensor& x) { return Checkpointed::apply(x, run); }

}  // namespace workloads::training
