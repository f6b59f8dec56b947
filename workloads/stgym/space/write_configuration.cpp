#include "harness/support/field.hpp"

#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/read_configuration.hpp"

#include <fmt/format.h>

#include <span>

namespace workloads::stgym::space {
namespace {

using harness::Json;

template <class Choice>
std::string_view name_of(Choice choice, std::span<const std::string_view> names) {
  return names[static_cast<std::size_t>(choice)];
}

Json act_json(Activation act) {
  return act == Activation::none ? Json(nullptr) : Json(name_of(act, activation_names));
}

Json style_json(Json json, const Style& style) {
  json["act"] = act_json(style.act);
  json["use_batchnorm"] = style.use_batchnorm;
  json["bn_eps"] = style.bn_eps;
  json["bn_momentum"] = style.bn_momentum;
  json["dropout"] = style.dropout;
  json["has_bias"] = style.has_bias;
  json["l2norm"] = style.l2norm;
  return json;
}

Json layer_json(const MpLayer& layer) {
  auto json = style_json(
      {{"layer_type", name_of(layer.layer_type, layer_type_names)}, {"dim_inner", layer.dim_inner}},
      layer.style);
  json["pooling"] = nullptr;
  if (layer.pooling)
    json["pooling"] = {{"type", name_of(layer.pooling->type, pooling_type_names)},
                       {"n_clusters", layer.pooling->n_clusters}};
  return json;
}

Json model_json(const ModelConfig& model) {
  Json json;
  json["mp_layers"] = Json::array();
  for (const auto& layer : model.mp_layers) json["mp_layers"].push_back(layer_json(layer));
  json["global_pooling"] = name_of(model.global_pooling, readout_names);
  if (model.post_mp_layer)
    json["post_mp_layer"] = style_json({{"dims", model.post_mp_layer->dims}}, model.post_mp_layer->style);
  return json;
}

Json task_json(const TaskConfig& task) {
  return {{"dataset_name", task.dataset_name},
          {"type", name_of(task.type, task_type_names)},
          {"num_classes", task.num_classes == 0 ? Json(nullptr) : Json(task.num_classes)}};
}

Json split_json(const RatioSplit& split) {
  return {
      {"train_ratio", split.train_ratio}, {"val_ratio", split.val_ratio}, {"test_ratio", split.test_ratio}};
}

Json split_json(const FoldSplit& split) {
  return {{"num_folds", split.num_folds}, {"split_index", split.split_index}};
}

Json loader_json(const DataLoaderConfig& loader) {
  return {{"graph_const", name_of(loader.graph_const, graph_construction_names)},
          {"knn_k", loader.knn_k},
          {"radius_ratio", loader.radius_ratio},
          {"batch_size", loader.batch_size},
          {"split", std::visit([](const auto& split) { return split_json(split); }, loader.split)}};
}

Json train_json(const TrainConfig& train) {
  Json json;
  json["optim"] = {{"optimizer", name_of(train.optim.optimizer, optimizer_type_names)},
                   {"base_lr", train.optim.base_lr},
                   {"weight_decay", train.optim.weight_decay},
                   {"momentum", train.optim.momentum}};
  json["lr_schedule"] = {{"type", train.lr_schedule == ScheduleType::cos ? Json("cos") : Json(nullptr)}};
  json["max_epoch"] = train.max_epoch;
  json["early_stopping"] = nullptr;
  if (train.early_stopping)
    json["early_stopping"] = {
        {"metric", "val_loss"}, {"mode", "min"}, {"patience", train.early_stopping->patience}};
  return json;
}

}  // namespace

std::string configuration_text(const Configuration& configuration) {
  const Json json{{"task", task_json(configuration.task)},
                  {"data_loader", loader_json(configuration.data_loader)},
                  {"model", model_json(configuration.model)},
                  {"train", train_json(configuration.train)}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string summary(const Configuration& configuration) {
  std::string text;
  for (const auto& layer : configuration.model.mp_layers) {
    if (!text.empty()) text += ", ";
    text += name_of(layer.layer_type, layer_type_names);
    if (layer.pooling)
      text += fmt::format(" + {} {}", name_of(layer.pooling->type, pooling_type_names),
                          layer.pooling->n_clusters);
  }
  return fmt::format("{} on {}: {}", name_of(configuration.task.type, task_type_names),
                     configuration.task.dataset_name, text);
}

}  // namespace workloads::stgym::space
