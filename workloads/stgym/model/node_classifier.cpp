#include "workloads/stgym/model/node_classifier.hpp"

#include "workloads/stgym/model/node_classifier_kernels.hpp"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstddef>
#include <iterator>

namespace workloads::stgym {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// `tensors`: x, labels, then each layer's weight and bias.
Classifier classifier_of(at::TensorList tensors) {
  Classifier out;
  out.x = tensors[0].const_data_ptr<float>();
  out.labels = tensors[1].const_data_ptr<std::int64_t>();
  out.nodes = tensors[0].size(0);
  out.blocks = classifier_blocks(at::cuda::getCurrentDeviceProperties()->multiProcessorCount);
  for (std::size_t i = 2; i < tensors.size(); i += 2)
    add_layer(out, {tensors[i].const_data_ptr<float>(), tensors[i + 1].const_data_ptr<float>(),
                    static_cast<int>(tensors[i].size(1)), static_cast<int>(tensors[i].size(0))});
  return out;
}

struct ClassifierFunction : torch::autograd::Function<ClassifierFunction> {
  static variable_list forward(AutogradContext* context, at::TensorList tensors) {
    const auto stream = at::cuda::getCurrentCUDAStream();
    const auto options = tensors[0].options();
    const auto of = classifier_of(tensors);
    const auto logits = at::empty({of.nodes, of.layer[of.layers - 1].outputs}, options);
    const auto parts = at::empty({of.blocks, 2}, options);
    const auto loss = at::empty({}, options);
    const auto labels = at::empty({}, options);
    launch_classifier_forward({of, logits.data_ptr<float>(), parts.data_ptr<float>()}, stream);
    launch_classifier_loss(
        {parts.const_data_ptr<float>(), of.blocks, loss.data_ptr<float>(), labels.data_ptr<float>()}, stream);
    auto saved = tensors.vec();
    saved.push_back(labels);
    context->save_for_backward(saved);
    context->mark_non_differentiable({logits});
    context->set_materialize_grads(false);
    return {logits, loss};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    auto tensors = context->get_saved_variables();
    const auto labels = tensors.back();
    tensors.pop_back();
    const auto of = classifier_of(tensors);
    const auto of_x = at::empty_like(tensors[0]);
    const auto parts = at::empty({of.blocks, of.parameters}, of_x.options());
    launch_classifier_backward({of, gradients[1].const_data_ptr<float>(), labels.const_data_ptr<float>(),
                                of_x.data_ptr<float>(), parts.data_ptr<float>()},
                               at::cuda::getCurrentCUDAStream());
    const auto sums = parts.sum(0);
    variable_list out{of_x, {}};
    std::int64_t begin = 0;
    for (std::size_t i = 2; i < tensors.size(); ++i) {
      out.push_back(sums.narrow(0, begin, tensors[i].numel()).view(tensors[i].sizes()));
      begin += tensors[i].numel();
    }
    return out;
  }
};

}  // namespace

bool fused_classifier_fits(const at::Tensor& x, const ClassifierWeights& layers) {
  if (!x.is_cuda() || x.scalar_type() != at::kFloat || std::ssize(layers) > most_classifier_layers)
    return false;
  Classifier all;
  for (const auto& [weight, bias] : layers)
    add_layer(all, {nullptr, nullptr, static_cast<int>(weight.size(1)), static_cast<int>(weight.size(0))});
  return all.weights <= most_classifier_weights && all.rows <= most_classifier_rows;
}

Classified classified(const at::Tensor& x, const at::Tensor& labels, const ClassifierWeights& layers) {
  variable_list tensors{x.contiguous(), labels};
  for (const auto& [weight, bias] : layers) {
    tensors.push_back(weight);
    tensors.push_back(bias);
  }
  const auto out = ClassifierFunction::apply(at::TensorList(tensors));
  return {out[0], out[1]};
}

}  // namespace workloads::stgym
