#include "tests/workloads/stgym/golden_file.hpp"

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/train/torch_modes.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <catch2/catch_test_macros.hpp>

#include <utility>

namespace {

using namespace workloads::stgym;
using nlohmann::ordered_json;

struct NamedForm {
  std::string name;
  Switches switches;
};

/// Every form that promises the arithmetic of the published code and does it in another way. delayed_cpu,
/// workers_5 and graph_once change the loop around the model only; ladder.test.cpp holds their losses against
/// the rung below.
std::vector<NamedForm> same_arithmetic() {
  return {{"naive", {}},
          {"device_indices", with(&Switches::device_indices)},
          {"single_tail", with(&Switches::single_tail)},
          {"no_to_dense", with(&Switches::no_to_dense)},
          {"no_anomaly", with(&Switches::no_anomaly)},
          {"no_item", with(&Switches::no_item)},
          {"inplace", with(&Switches::inplace)},
          {"explicit_sizes", with(&Switches::explicit_sizes)},
          {"no_host_checks", with(&Switches::no_host_checks)},
          {"segment_pooling", with(&Switches::segment_pooling)},
          {"project_first", with(&Switches::project_first)},
          {"fused_optimizer", with(&Switches::fused_optimizer)},
          {"onednn_products", with(&Switches::onednn_products)},
          {"probed_products", with(&Switches::probed_products)},
          {"no_unread_graph", with(&Switches::no_unread_graph)},
          {"fused_pooling", with(&Switches::fused_pooling)},
          {"every kept rung", all_kept()}};
}

/// All graphs of a case as one batch, its features in one place or, where the form reads them there, in
/// parts.
Batch batch_of(const ordered_json& c, const Switches& switches = {}) {
  const auto n = c.at("x").at("shape")[0].get<std::int64_t>();
  Batch batch;
  batch.x = golden::tensor(c.at("x"), at::kFloat);
  batch.y = golden::tensor(c.at("y"), at::kLong);
  batch.edges = golden::tensor(c.at("edge_index"), at::kLong);
  batch.adjacency = adjacency_of(batch.edges, n);
  std::vector<at::Tensor> graph_of;
  for (const auto& size : c.at("sizes"))
    graph_of.push_back(
        at::full({size.get<std::int64_t>()}, static_cast<std::int64_t>(graph_of.size()), at::kLong));
  batch.graph_of = at::cat(graph_of);
  batch.sizes = c.at("sizes").get<std::vector<std::int64_t>>();
  if (switches.rows_in_place) batch.parts = std::exchange(batch.x, {}).split_with_sizes(batch.sizes);
  return batch;
}

Model model_of(const ordered_json& c) {
  ModelShape shape;
  shape.features = c.at("features");
  shape.hidden = c.at("hidden");
  shape.clusters = c.at("clusters");
  shape.classes = c.at("classes");
  shape.post_hidden = c.at("post_hidden").get<std::vector<std::int64_t>>();
  // Of probed_products: one product through each library.
  Model model(shape, 0, at::kCPU, [](const at::Tensor&) { return workloads::training::libraries_of(3); });
  model.assign(golden::named(c.at("parameters")));
  return model;
}

at::Tensor leaf(const ordered_json& json) { return golden::tensor(json, at::kFloat).set_requires_grad(true); }

/// Runs a check for every case of the file in every form.
template <class Check>
void for_each_case(const Check& check) {
  const auto file = golden::load("stgym.json");
  REQUIRE_FALSE(file.empty());
  for (const auto& form : same_arithmetic())
    for (const auto& [name, c] : file.items()) {
      INFO(form.name << " on " << name);
      const Modes modes(form.switches);
      check(c, form.switches);
    }
}

void check_tensor(const char* what, const at::Tensor& value, const ordered_json& reference,
                  double tolerance) {
  INFO(what);
  CHECK(golden::distance(value, golden::tensor(reference, at::kFloat)) <= tolerance);
}

void check_scalar(const char* what, const at::Tensor& value, const ordered_json& reference,
                  double tolerance) {
  INFO(what);
  const auto expected = reference.get<double>();
  CHECK(std::abs(value.item<double>() - expected) <= tolerance * std::abs(expected));
}

struct PoolingRun {
  at::Tensor h, s;
  Pooled out;
};

PoolingRun run_pooling(const ordered_json& c, const Switches& switches) {
  const auto batch = batch_of(c);
  PoolingRun run{leaf(c.at("pooling").at("h")), leaf(c.at("pooling").at("s")), {}};
  HostIndices host;
  run.out = pool({run.h, run.s, batch.adjacency, batch.graph_of, batch.sizes}, switches, host);
  return run;
}

TEST_CASE("golden: the pooling layer's outputs and losses are those of STGym's own code", "[stgym][golden]") {
  for_each_case([](const ordered_json& c, const Switches& switches) {
    const auto& expected = c.at("pooling");
    const auto out = run_pooling(c, switches).out;
    check_tensor("out_x", out.out_x, expected.at("out_x"), 1e-5);
    check_tensor("out_adj", out.out_adj.to_dense(), expected.at("out_adj"), 1e-5);
    check_scalar("mincut", out.mincut_loss, expected.at("mincut_loss"), 1e-5);
    check_scalar("ortho", out.ortho_loss, expected.at("ortho_loss"), 1e-5);
    CHECK(out.out_batch.equal(golden::tensor(expected.at("out_batch"), at::kLong)));
  });
}

TEST_CASE("the pooled graph has the same edges and weights in every form", "[stgym][golden]") {
  for_each_case([](const ordered_json& c, const Switches& switches) {
    const auto expected = run_pooling(c, {}).out;
    const auto out = run_pooling(c, switches).out;
    CHECK(out.edges.equal(expected.edges));
    CHECK(at::allclose(out.weights, expected.weights, 1e-5, 1e-7));
  });
}

TEST_CASE("golden: the pooling layer's gradients are those of STGym's own code", "[stgym][golden]") {
  for_each_case([](const ordered_json& c, const Switches& switches) {
    const auto& expected = c.at("pooling");
    const auto run = run_pooling(c, switches);
    const auto weight = golden::tensor(expected.at("weight_out_x"), at::kFloat);
    const auto total = run.out.mincut_loss + run.out.ortho_loss + (at::selu(run.out.out_x) * weight).sum();
    check_scalar("total", total, expected.at("total"), 1e-5);
    backward(total, switches);
    check_tensor("grad_h", run.h.grad(), expected.at("grad_h"), 1e-4);
    check_tensor("grad_s", run.s.grad(), expected.at("grad_s"), 1e-4);
  });
}

TEST_CASE("golden: each of the two pooling losses alone has the gradient of STGym's own code",
          "[stgym][golden]") {
  for_each_case([](const ordered_json& c, const Switches& switches) {
    const auto mincut = run_pooling(c, switches);
    mincut.out.mincut_loss.backward();
    check_tensor("grad_s_mincut", mincut.s.grad(), c.at("pooling").at("grad_s_mincut"), 1e-4);
    const auto ortho = run_pooling(c, switches);
    ortho.out.ortho_loss.backward();
    check_tensor("grad_s_ortho", ortho.s.grad(), c.at("pooling").at("grad_s_ortho"), 1e-4);
  });
}

TEST_CASE("golden: the first logits and gradients of every parameter are those of STGym's own code",
          "[stgym][golden]") {
  for_each_case([](const ordered_json& c, const Switches& switches) {
    const auto batch = batch_of(c, switches);
    auto model = model_of(c);
    const auto prediction = model.forward(batch, switches);
    check_tensor("logits", prediction.logits, c.at("first_logits"), 1e-5);
    backward(model.losses(prediction, batch).total, switches);
    for (const auto& [name, parameter] : model.parameters())
      check_tensor(name.c_str(), parameter.grad(), c.at("first_gradients").at(name), 1e-4);
  });
}

TEST_CASE("golden: training gives the losses and final parameters of STGym's own code", "[stgym][golden]") {
  for_each_case([](const ordered_json& c, const Switches& switches) {
    const auto batch = batch_of(c, switches);
    auto model = model_of(c);
    const auto& adam_settings = c.at("adam");
    workloads::training::Optimizer adam(
        model.parameters(),
        recipe_of({.base_lr = adam_settings.at("lr"), .weight_decay = adam_settings.at("weight_decay")}),
        switches.fused_optimizer);
    for (const auto& step : adam_settings.at("steps")) {
      adam.zero_grad();
      const auto losses = model.losses(model.forward(batch, switches), batch);
      check_scalar("loss", losses.total, step.at("loss"), 1e-4);
      check_scalar("nll", losses.label, step.at("nll"), 1e-4);
      check_scalar("mincut", losses.mincut, step.at("mincut"), 1e-4);
      check_scalar("ortho", losses.ortho, step.at("ortho"), 1e-4);
      backward(losses.total, switches);
      adam.step();
    }
    for (const auto& [name, parameter] : model.parameters())
      check_tensor(name.c_str(), parameter, c.at("final_parameters").at(name), 1e-4);
  });
}

}  // namespace
