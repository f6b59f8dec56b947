#include "workloads/stgym/space/read_configuration.hpp"

#include "harness/support/field.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/read_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace workloads::stgym::space {
namespace {

using harness::Field;

/// Bounds of a number. `above`: `least` itself is not allowed; `below`: `most` is not.
struct Bounds {
  double least = 0;
  double most = 0;
  bool above = false;
  bool below = false;
};

/// Everything throws harness::BadInput with the member's path where it is missing, of another type or out of
/// its bounds. Where there is an `otherwise`, the member may be absent. null is not a value, except where it
/// is asked for with `is_null`.
class Members {
 public:
  /// Throws where this is not an object, or has a member of another name.
  Members(harness::Field object, std::initializer_list<std::string_view> names);

  /// True if the member is there, null or not.
  bool has(std::string_view name) const { return object_.json().contains(name); }
  bool is_null(std::string_view name) const { return has(name) && !object_.has(name); }
  harness::Field operator[](std::string_view name) const { return object_[name]; }

  std::int64_t count(std::string_view name, std::int64_t least, std::int64_t most,
                     std::optional<std::int64_t> otherwise = {}) const;
  double number(std::string_view name, const Bounds& bounds, std::optional<double> otherwise = {}) const;
  bool flag(std::string_view name, bool otherwise) const;
  /// One of the names, as the enumerator that has its place.
  template <class Choice>
  Choice choice(std::string_view name, std::span<const std::string_view> names,
                std::optional<Choice> otherwise = {}) const {
    if (otherwise && !has(name)) return *otherwise;
    return static_cast<Choice>(place_of(name, names));
  }

 private:
  std::size_t place_of(std::string_view name, std::span<const std::string_view> names) const;

  harness::Field object_;
};

// Bounds that no sensible model reaches, so that a slip of the pen is not a request for terabytes.
constexpr std::int64_t most_width = 65'536;
constexpr std::int64_t most_clusters_read = 4'096;
constexpr std::int64_t most_layers = 64;

std::vector<Field> some_entries(const Field& field) {
  auto entries = field.entries();
  if (entries.empty()) field.reject("expected at least one entry");
  if (std::ssize(entries) > most_layers) field.reject(fmt::format("there are more than {}", most_layers));
  return entries;
}

Pooling read_pooling(const Field& field) {
  const Members members(field, {"type", "n_clusters"});
  return {.type = members.choice<PoolingType>("type", pooling_type_names),
          .n_clusters = members.count("n_clusters", 2, most_clusters_read)};
}

Style read_style(const Members& members) {
  Style style;
  if (members.is_null("act"))
    style.act = Activation::none;
  else
    style.act = members.choice<Activation>("act", activation_names, Activation::prelu);
  style.use_batchnorm = members.flag("use_batchnorm", style.use_batchnorm);
  style.bn_eps = members.number("bn_eps", {.least = 0, .most = 1, .above = true}, style.bn_eps);
  style.bn_momentum =
      members.number("bn_momentum", {.least = 0, .most = 1, .above = true}, style.bn_momentum);
  style.dropout = members.number("dropout", {.least = 0, .most = 1, .below = true}, style.dropout);
  members.flag("has_bias", true);
  style.has_bias = !style.use_batchnorm;
  style.l2norm = members.flag("l2norm", style.l2norm);
  return style;
}

MpLayer read_mp_layer(const Field& field) {
  const Members members(field, {"layer_type", "dim_inner", "act", "use_batchnorm", "bn_eps", "bn_momentum",
                                "dropout", "has_bias", "l2norm", "pooling", "normalize_adj", "readout"});
  MpLayer layer;
  layer.layer_type = members.choice<LayerType>("layer_type", layer_type_names);
  layer.dim_inner = members.count("dim_inner", 1, most_width, layer.dim_inner);
  layer.style = read_style(members);
  if (members.has("pooling") && !members.is_null("pooling")) layer.pooling = read_pooling(members["pooling"]);
  members.flag("normalize_adj", false);
  if (!members.is_null("readout")) members.choice<Readout>("readout", readout_names, Readout::mean);
  return layer;
}

PostMpLayer read_post_mp_layer(const Field& field) {
  const Members members(
      field, {"dims", "act", "use_batchnorm", "bn_eps", "bn_momentum", "dropout", "has_bias", "l2norm"});
  PostMpLayer layer;
  for (const auto& width : some_entries(members["dims"])) layer.dims.push_back(width.integer(1, most_width));
  layer.style = read_style(members);
  return layer;
}

constexpr std::size_t longest_shown = 60;  // of a name that a file holds

Members::Members(Field object, std::initializer_list<std::string_view> names) : object_(std::move(object)) {
  for (const auto& [name, value] : object_.members()) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const auto shown = name.substr(0, longest_shown);
    const std::vector<std::string> known(names.begin(), names.end());
    Field(value.json(), object_.path() + "." + shown)
        .reject("unknown field of an STGym configuration" + harness::did_you_mean(shown, known));
  }
}

std::int64_t Members::count(std::string_view name, std::int64_t least, std::int64_t most,
                            std::optional<std::int64_t> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  return object_[name].integer(least, most);
}

double Members::number(std::string_view name, const Bounds& bounds, std::optional<double> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  const auto found = object_[name];
  if (!found.json().is_number())
    found.reject(fmt::format("expected a number, not {}", found.json().type_name()));
  const auto value = found.number();
  const bool inside = std::isfinite(value) && value >= bounds.least && value <= bounds.most &&
                      !(bounds.above && value == bounds.least) && !(bounds.below && value == bounds.most);
  if (!inside)
    found.reject(fmt::format("expected a number {} {} {} {}, not {}", bounds.above ? "above" : "from",
                             bounds.least, bounds.below ? "to below" : "to", bounds.most, value));
  return value;
}

bool Members::flag(std::string_view name, bool otherwise) const {
  return has(name) ? object_[name].boolean() : otherwise;
}

std::size_t Members::place_of(std::string_view name, std::span<const std::string_view> names) const {
  const auto found = object_[name];
  const auto text = found.text();
  const auto place = std::ranges::find(names, text);
  if (place == names.end())
    found.reject(fmt::format("'{:.40}' is not one of {}", text, fmt::join(names, ", ")));
  return static_cast<std::size_t>(place - names.begin());
}

/// The `model` of a configuration. Throws harness::BadInput with the field's path.
ModelConfig read_model(const Field& field) {
  const Members members(field, {"mp_layers", "global_pooling", "post_mp_layer", "mem"});
  ModelConfig model;
  for (const auto& layer : some_entries(members["mp_layers"]))
    model.mp_layers.push_back(read_mp_layer(layer));
  model.global_pooling = members.choice<Readout>("global_pooling", readout_names, Readout::mean);
  if (members.has("post_mp_layer") && !members.is_null("post_mp_layer"))
    model.post_mp_layer = read_post_mp_layer(members["post_mp_layer"]);
  if (members.has("mem") && !members.is_null("mem")) {
    const Members mem(members["mem"], {"inplace"});
    mem.flag("inplace", false);
  }
  return model;
}

constexpr std::int64_t most = 1'000'000;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

TaskConfig read_task(const Field& field) {
  const Members members(field, {"dataset_name", "type", "num_classes"});
  TaskConfig task;
  task.dataset_name = members["dataset_name"].text();
  task.type = members.choice<TaskType>("type", task_type_names);
  const bool needed = task.type != TaskType::node_clustering;
  if (needed || (members.has("num_classes") && !members.is_null("num_classes")))
    task.num_classes = members.count("num_classes", 2, most);
  return task;
}

RatioSplit read_ratios(const Field& field) {
  const Members members(field, {"train_ratio", "val_ratio", "test_ratio"});
  constexpr Bounds share{.least = 0, .most = 1, .above = true, .below = true};
  const RatioSplit split{.train_ratio = members.number("train_ratio", share),
                         .val_ratio = members.number("val_ratio", share),
                         .test_ratio = members.number("test_ratio", share)};
  const auto sum = split.train_ratio + split.val_ratio + split.test_ratio;
  if (std::abs(sum - 1) >= 1e-5)
    field.reject(fmt::format("train_ratio, val_ratio and test_ratio sum to {:.6g}, not to 1", sum));
  return split;
}

FoldSplit read_folds(const Field& field) {
  const Members members(field, {"num_folds", "split_index"});
  // One fold tests, the next one validates, and at least one must be left to train on.
  const auto folds = members.count("num_folds", 3, most);
  return {.num_folds = folds, .split_index = members.count("split_index", 0, folds - 1)};
}

DataLoaderConfig read_data_loader(const Field& field) {
  const Members members(
      field, {"graph_const", "knn_k", "radius_ratio", "batch_size", "split", "device", "num_workers"});
  DataLoaderConfig loader;
  loader.graph_const =
      members.choice<GraphConstruction>("graph_const", graph_construction_names, GraphConstruction::knn);
  const bool knn = loader.graph_const == GraphConstruction::knn;
  // STGym writes null for what the other construction needs.
  if (knn || !members.is_null("knn_k")) loader.knn_k = members.count("knn_k", 1, most, loader.knn_k);
  if (!knn || !members.is_null("radius_ratio"))
    loader.radius_ratio =
        members.number("radius_ratio", {.least = 0, .most = 1000, .above = true}, loader.radius_ratio);
  loader.batch_size = members.count("batch_size", 1, most, loader.batch_size);
  if (members.has("split")) {
    const auto split = members["split"];
    if (split.json().contains("num_folds") || split.json().contains("split_index"))
      loader.split = read_folds(split);
    else
      loader.split = read_ratios(split);
  }
  if (members.has("device") && !members.is_null("device")) members["device"].text();
  if (!members.is_null("num_workers")) members.count("num_workers", 0, most, 0);
  return loader;
}

OptimizerConfig read_optim(const Field& field) {
  const Members members(field, {"optimizer", "base_lr", "weight_decay", "momentum"});
  OptimizerConfig optim;
  optim.optimizer = members.choice<OptimizerType>("optimizer", optimizer_type_names, OptimizerType::adam);
  optim.base_lr = members.number("base_lr", {.least = 0, .most = 1000, .above = true}, optim.base_lr);
  optim.weight_decay = members.number("weight_decay", {.least = 0, .most = 1000}, optim.weight_decay);
  optim.momentum = members.number("momentum", {.least = 0, .most = 1, .below = true}, optim.momentum);
  return optim;
}

ScheduleType read_schedule(const Field& field) {
  const Members members(field, {"type", "max_epoch"});
  members.count("max_epoch", 1, most, 1);  // STGym takes train.max_epoch instead
  constexpr std::string_view cos[] = {"cos"};
  if (!members.has("type") || members.is_null("type")) return ScheduleType::constant;
  return members.choice<std::size_t>("type", cos) == 0 ? ScheduleType::cos : ScheduleType::constant;
}

/// STGym puts the number of the fold into the name of its metric: split_0_val_loss.
bool is_validation_loss(const std::string& metric) {
  return metric == "val_loss" || (metric.starts_with("split_") && metric.ends_with("_val_loss"));
}

EarlyStopping read_early_stopping(const Field& field) {
  const Members members(field, {"metric", "mode", "patience"});
  const auto metric = members["metric"];
  if (!is_validation_loss(metric.text()))
    metric.reject(
        fmt::format("'{:.40}' is not val_loss, the only metric that stops training", metric.text()));
  constexpr std::string_view min[] = {"min"};
  members.choice<std::size_t>("mode", min, 0);
  EarlyStopping stopping;
  stopping.patience = members.count("patience", 1, most, stopping.patience);
  return stopping;
}

TrainConfig read_train(const Field& field) {
  const Members members(field, {"optim", "lr_schedule", "max_epoch", "devices", "early_stopping",
                                "enable_float32_matmul_precision"});
  TrainConfig train;
  if (members.has("optim")) train.optim = read_optim(members["optim"]);
  if (members.has("lr_schedule")) train.lr_schedule = read_schedule(members["lr_schedule"]);
  train.max_epoch = members.count("max_epoch", 1, most);
  if (members.is_null("early_stopping"))
    train.early_stopping.reset();
  else if (members.has("early_stopping"))
    train.early_stopping = read_early_stopping(members["early_stopping"]);
  if (members.has("devices") && !members.is_null("devices") && !members["devices"].json().is_string())
    members.count("devices", -1, most);
  members.flag("enable_float32_matmul_precision", true);
  return train;
}

/// What two fields must agree in.
void require_sense(const Configuration& configuration, const Field& root) {
  const bool clustering = configuration.task.type == TaskType::node_clustering;
  const auto model = root["model"];
  const bool pooled = std::ranges::any_of(configuration.model.mp_layers,
                                          [](const auto& layer) { return layer.pooling.has_value(); });
  if (clustering && !pooled) model["mp_layers"].reject("a clustering needs a layer with pooling");
  if (pooled && !configuration.model.mp_layers.back().pooling &&
      configuration.task.type != TaskType::graph_classification)
    model["mp_layers"].entries().back().reject(
        "nodes are classified by the clusters of the last pooling, so nothing would read this layer");
  if (clustering && configuration.model.post_mp_layer)
    model["post_mp_layer"].reject("a clustering has no classifier");
  if (!clustering && !configuration.model.post_mp_layer)
    Field(model.json(), model.path() + ".post_mp_layer").reject("a classification needs it");
}

Configuration read(const Field& root) {
  const Members members(root, {"task", "data_loader", "model", "train", "group_id"});
  Configuration configuration{.task = read_task(members["task"]),
                              .data_loader = read_data_loader(members["data_loader"]),
                              .model = read_model(members["model"]),
                              .train = read_train(members["train"])};
  if (!members.is_null("group_id")) members.count("group_id", 0, most, 0);
  require_sense(configuration, root);
  return configuration;
}

/// The parser repeats what it has read last, however long that is.
harness::Json json_of(std::string_view text, const std::string& name) {
  try {
    return harness::parse_json(text, name);
  } catch (const harness::BadInput& error) {
    const std::string_view what = error.what();
    const auto longest = name.size() + 200;
    if (what.size() <= longest) throw;
    throw harness::BadInput(fmt::format("{} ...", what.substr(0, longest)));
  }
}

}  // namespace

Configuration parse_configuration(std::string_view text, const std::string& name) {
  const auto json = json_of(text, name);
  try {
    return read(Field(json, ""));
  } catch (const harness::BadInput& error) {
    // Paths begin at the root, ".model.mp_layers[0].act: ...", and that of the root is empty.
    const std::string_view what = error.what();
    throw harness::BadInput(what.starts_with('.') ? fmt::format("{}: {}", name, what.substr(1))
                                                  : fmt::format("{}{}", name, what));
  }
}

Configuration read_configuration(const std::filesystem::path& file) {
  return parse_configuration(harness::read_text(file, most_bytes), file.string());
}

}  // namespace workloads::stgym::space
