#include "workloads/stgym/space/read_configuration.hpp"

#include "harness/support/field.hpp"

#include "workloads/stgym/space/shipped.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace {

using namespace workloads::stgym::space;
using Catch::Matchers::Message;
using Json = nlohmann::ordered_json;

Json valid() {
  return Json::parse(R"({
    "task": {"dataset_name": "human-crc", "type": "node-classification", "num_classes": 10},
    "data_loader": {"graph_const": "knn", "knn_k": 5, "batch_size": 4,
                    "split": {"train_ratio": 0.6, "val_ratio": 0.2, "test_ratio": 0.2}},
    "model": {"mp_layers": [{"layer_type": "gcnconv", "dim_inner": 16, "act": "swish", "dropout": 0.5},
                            {"layer_type": "sageconv", "dim_inner": 8, "act": null, "use_batchnorm": false,
                             "pooling": {"type": "dmon", "n_clusters": 3}}],
              "post_mp_layer": {"dims": [8, 4]}},
    "train": {"max_epoch": 7}})");
}

Configuration parsed(const Json& json) { return parse_configuration(json.dump(), "c.json"); }

/// The configuration with one value at a JSON pointer set.
Json with(const std::string& pointer, const Json& value) {
  auto json = valid();
  json[Json::json_pointer(pointer)] = value;
  return json;
}
Json without(const std::string& parent, const std::string& name) {
  auto json = valid();
  json[Json::json_pointer(parent)].erase(name);
  return json;
}

/// What is said of it; empty where nothing is wrong.
std::string said_of(std::string_view text) {
  try {
    parse_configuration(text, "c.json");
    return "";
  } catch (const harness::BadInput& error) {
    return error.what();
  }
}
std::string said(const Json& json) { return said_of(json.dump()); }

}  // namespace

TEST_CASE("a configuration is read field by field") {
  const auto c = parsed(valid());
  CHECK(c.task == TaskConfig{"human-crc", TaskType::node_classification, 10});
  CHECK(c.data_loader.graph_const == GraphConstruction::knn);
  CHECK(c.data_loader.knn_k == 5);
  CHECK(c.data_loader.batch_size == 4);
  CHECK(std::get<RatioSplit>(c.data_loader.split) == RatioSplit{0.6, 0.2, 0.2});
  REQUIRE(c.model.mp_layers.size() == 2);
  CHECK(c.model.mp_layers[0].layer_type == LayerType::gcnconv);
  CHECK(c.model.mp_layers[0].style.act == Activation::swish);
  CHECK(c.model.mp_layers[0].style.dropout == 0.5);
  CHECK_FALSE(c.model.mp_layers[0].pooling);
  CHECK(c.model.mp_layers[1].style.act == Activation::none);
  CHECK(c.model.mp_layers[1].pooling == Pooling{PoolingType::dmon, 3});
  CHECK(c.model.post_mp_layer->dims == std::vector<std::int64_t>{8, 4});
  CHECK(c.train.max_epoch == 7);
}

TEST_CASE("what a configuration leaves out is what STGym takes") {
  const auto c = parsed(valid());
  CHECK(c.train.optim == OptimizerConfig{OptimizerType::adam, 0.01, 5e-4, 0.9});
  CHECK(c.train.lr_schedule == ScheduleType::constant);
  CHECK(c.train.early_stopping == EarlyStopping{10});
  CHECK(c.model.global_pooling == Readout::mean);
  CHECK(c.model.mp_layers[0].style.use_batchnorm);
  CHECK(c.model.post_mp_layer->style.act == Activation::prelu);
}

TEST_CASE("a map has a bias where no batch norm follows, whatever the file says") {
  const auto c = parsed(with("/model/mp_layers/0/has_bias", true));
  CHECK_FALSE(c.model.mp_layers[0].style.has_bias);
  CHECK(c.model.mp_layers[1].style.has_bias);
}

TEST_CASE("fields that only say how STGym runs are allowed") {
  auto json = valid();
  json["group_id"] = 97;
  json["data_loader"]["device"] = "cuda:0";
  json["data_loader"]["num_workers"] = 0;
  json["data_loader"]["radius_ratio"] = nullptr;
  json["model"]["mem"] = {{"inplace", false}};
  json["model"]["mp_layers"][0]["normalize_adj"] = true;
  json["model"]["mp_layers"][0]["readout"] = "mean";
  json["train"]["devices"] = "auto";
  json["train"]["lr_schedule"] = {{"type", nullptr}, {"max_epoch", 2}};
  json["train"]["enable_float32_matmul_precision"] = true;
  CHECK(said(json).empty());
}

TEST_CASE("a configuration that is written comes back as it was") {
  auto json = valid();
  SECTION("ratios") {}
  SECTION("folds") { json["data_loader"]["split"] = {{"num_folds", 5}, {"split_index", 3}}; }
  SECTION("cosine") { json["train"]["lr_schedule"] = {{"type", "cos"}}; }
  SECTION("no early stopping") { json["train"]["early_stopping"] = nullptr; }
  SECTION("a clustering") {
    json["task"] = {{"dataset_name", "human-crc"}, {"type", "node-clustering"}};
    json["model"].erase("post_mp_layer");
  }
  const auto c = parsed(json);
  CHECK(parse_configuration(configuration_text(c), "again") == c);
}

TEST_CASE("an error is one sentence with the file and the path of the field") {
  CHECK(said(with("/model/mp_layers/1/pooling/n_clusters", 1)) ==
        "c.json: model.mp_layers[1].pooling.n_clusters: expected a whole number from 2 to 4096");
  CHECK(said(with("/model/mp_layers/0/dim_iner", 4)) ==
        "c.json: model.mp_layers[0].dim_iner: unknown field of an STGym configuration; did you mean "
        "'dim_inner'?");
  CHECK(said(with("/modle", 4)) ==
        "c.json: modle: unknown field of an STGym configuration; did you mean 'model'?");
  CHECK(said(with("/model/mp_layers/0/layer_type", "gatconv")) ==
        "c.json: model.mp_layers[0].layer_type: 'gatconv' is not one of gcnconv, ginconv, sageconv");
  CHECK(said(with("/model/mp_layers/0/act", "tanh")) ==
        "c.json: model.mp_layers[0].act: 'tanh' is not one of relu, prelu, swish");
  CHECK(said(with("/model/mp_layers/1/pooling/type", "topk")) ==
        "c.json: model.mp_layers[1].pooling.type: 'topk' is not one of mincut, dmon");
  CHECK(said(with("/data_loader/batch_size", 0)) ==
        "c.json: data_loader.batch_size: expected a whole number from 1 to 1000000");
  CHECK(said(with("/data_loader/split/val_ratio", 0.3)) ==
        "c.json: data_loader.split: train_ratio, val_ratio and test_ratio sum to 1.1, not to 1");
  CHECK(said(with("/data_loader/split/val_ratio", 0)) ==
        "c.json: data_loader.split.val_ratio: expected a number above 0 to below 1, not 0");
  CHECK(said(with("/task/num_classes", "ten")) ==
        "c.json: task.num_classes: expected a whole number, not string");
  CHECK(said(without("/train", "max_epoch")) == "c.json: train: 'max_epoch' is missing");
  CHECK(said(without("", "model")) == "c.json: 'model' is missing");
  CHECK(said_of("[]") == "c.json: expected an object, not array");
}

TEST_CASE("values of the wrong type or size are refused") {
  const auto [pointer, value] = GENERATE(table<std::string, std::string>({
      {"/task", "3"},
      {"/task/dataset_name", "null"},
      {"/task/num_classes", "1"},
      {"/data_loader/knn_k", "0"},
      {"/data_loader/knn_k", "2.5"},
      {"/data_loader/batch_size", "null"},
      {"/data_loader/batch_size", "-1"},
      {"/data_loader/batch_size", "99999999999999999999"},
      {"/data_loader/split", "null"},
      {"/data_loader/split", R"({"num_folds": 2, "split_index": 0})"},
      {"/data_loader/split", R"({"num_folds": 4, "split_index": 4})"},
      {"/data_loader/split", R"({"num_folds": 4})"},
      {"/data_loader/split", R"({"num_folds": 4, "split_index": 0, "train_ratio": 0.7})"},
      {"/model/mp_layers", "[]"},
      {"/model/mp_layers", "{}"},
      {"/model/mp_layers/0/dim_inner", "0"},
      {"/model/mp_layers/0/dim_inner", "1e30"},
      {"/model/mp_layers/0/dropout", "1"},
      {"/model/mp_layers/0/dropout", "null"},
      {"/model/mp_layers/0/bn_eps", "0"},
      {"/model/mp_layers/0/use_batchnorm", "1"},
      {"/model/mp_layers/0/pooling", R"("mincut")"},
      {"/model/post_mp_layer/dims", "[]"},
      {"/model/post_mp_layer/dims", "[8, 0]"},
      {"/model/global_pooling", R"("sum")"},
      {"/train/max_epoch", "0"},
      {"/train/optim", R"({"optimizer": "adamw"})"},
      {"/train/optim", R"({"base_lr": 0})"},
      {"/train/optim", R"({"base_lr": -0.01})"},
      {"/train/lr_schedule", R"({"type": "step"})"},
      {"/train/early_stopping", R"({"metric": "val_accuracy"})"},
      {"/train/early_stopping", R"({"metric": "val_loss", "mode": "max"})"},
      {"/train/early_stopping", R"({"metric": "val_loss", "patience": 0})"},
  }));
  CAPTURE(pointer, value);
  const auto path = "c.json: " + pointer.substr(1, pointer.find('/', 1) - 1);
  CHECK(said(with(pointer, Json::parse(value))).starts_with(path));
}

TEST_CASE("fields must make sense together") {
  CHECK(said(without("/model", "post_mp_layer")) == "c.json: model.post_mp_layer: a classification needs it");
  CHECK(said(with("/task/type", "node-clustering")) ==
        "c.json: model.post_mp_layer: a clustering has no classifier");
  auto json = without("/model", "post_mp_layer");
  json["task"]["type"] = "node-clustering";
  json["model"]["mp_layers"][1].erase("pooling");
  CHECK(said(json) == "c.json: model.mp_layers: a clustering needs a layer with pooling");
  json = valid();
  json["model"]["mp_layers"].push_back(json["model"]["mp_layers"][0]);
  CHECK(said(json) ==
        "c.json: model.mp_layers[2]: nodes are classified by the clusters of the last pooling, so nothing "
        "would read this layer");
  json["task"]["type"] = "graph-classification";
  CHECK(said(json).empty());
}

TEST_CASE("text that is not a configuration is refused, whatever it is") {
  CHECK(said_of("") == "c.json: is empty");
  CHECK(said_of(R"({"train": NaN})").starts_with("c.json: parse error"));
  CHECK(said_of(R"({"train": {"max_epoch": 1e999}})").starts_with("c.json: "));
  CHECK(said_of(R"({"train": 1, "train": 2})") == "c.json: duplicate key 'train'");
  CHECK(said_of(R"({"train": {"max_epoch": 1, "max_epoch": 2}})") ==
        "c.json: duplicate key 'train.max_epoch'");
  CHECK(said_of(std::string(100'000, '[')) == "c.json: nested deeper than 200 levels");
  CHECK(said(with("/" + std::string(100'000, 'x'), 1)).size() < 200);
  CHECK(said_of('"' + std::string(100'000, 'x')).size() < 500);
}

TEST_CASE("a file too large to be a configuration is not read to its end") {
  CHECK_THROWS_MATCHES(read_configuration("/dev/zero"), harness::BadInput,
                       Message("/dev/zero: is too large: more than 1 MiB"));
  CHECK_THROWS_AS(read_configuration("no/such/file.json"), harness::BadInput);
  CHECK_THROWS_AS(read_configuration("/tmp"), harness::BadInput);
}

TEST_CASE("the shipped benchmark is what was published") {
  const auto c = benchmark_configuration();
  CHECK(summary(c) == "node-classification on breast-cancer: ginconv + mincut 20");
  CHECK(c.data_loader.radius_ratio == 1e-4);
  CHECK(c.data_loader.batch_size == 16);
  CHECK(c.model.mp_layers[0].dim_inner == 128);
  CHECK(c.model.mp_layers[0].style.has_bias);
  CHECK(c.model.post_mp_layer->dims == std::vector<std::int64_t>{64, 32});
  CHECK(c.train.optim.weight_decay == 5e-4);
  CHECK(c.train.max_epoch == 2);
}
