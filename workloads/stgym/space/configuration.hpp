// One configuration of STGym's design space, as plain data in STGym's own field names, and how its choices
// are written: the value of an enumerator is its place. No LibTorch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace workloads::stgym::space {

enum class LayerType { gcnconv, ginconv, sageconv };
/// `none` is null in a file; swish is SiLU.
enum class Activation { relu, prelu, swish, none };
enum class PoolingType { mincut, dmon };
/// From nodes (or clusters) to their graph.
enum class Readout { mean, max, add };
enum class TaskType { node_classification, graph_classification, node_clustering };
enum class OptimizerType { adam, sgd };
enum class ScheduleType { constant, cos };
enum class GraphConstruction { knn, radius };

/// Hierarchical pooling behind a layer: its nodes become `n_clusters` per graph.
struct Pooling {
  PoolingType type = PoolingType::mincut;
  std::int64_t n_clusters = 2;  // at least 2
  bool operator==(const Pooling&) const = default;
};

/// What follows a layer's map, in this order: batch norm, dropout, activation, L2 norm of each row.
struct Style {
  Activation act = Activation::prelu;
  bool use_batchnorm = true;
  double bn_eps = 1e-5;
  double bn_momentum = 0.1;
  double dropout = 0;     // from 0 to below 1
  bool has_bias = false;  // of the map itself; STGym sets it to !use_batchnorm, whatever the file says
  bool l2norm = false;
  bool operator==(const Style&) const = default;
};

/// A message-passing layer.
struct MpLayer {
  LayerType layer_type = LayerType::gcnconv;
  std::int64_t dim_inner = 256;  // its width
  Style style;
  std::optional<Pooling> pooling = {};
  bool operator==(const MpLayer&) const = default;
};

/// The classifier: linear layers of these widths and one more, as wide as there are classes (1 for two
/// classes of graphs). Each has the style, the last one too.
struct PostMpLayer {
  std::vector<std::int64_t> dims;  // at least one
  Style style;
  bool operator==(const PostMpLayer&) const = default;
};

struct ModelConfig {
  std::vector<MpLayer> mp_layers;                 // at least one
  Readout global_pooling = Readout::mean;         // graph classification only
  std::optional<PostMpLayer> post_mp_layer = {};  // none for node clustering
  bool operator==(const ModelConfig&) const = default;
};

struct TaskConfig {
  std::string dataset_name;
  TaskType type = TaskType::node_classification;
  std::int64_t num_classes = 0;  // 0: a clustering without it
  bool operator==(const TaskConfig&) const = default;
};

/// Shares of the graphs, each above 0, with a sum of 1.
struct RatioSplit {
  double train_ratio = 0.7;
  double val_ratio = 0.15;
  double test_ratio = 0.15;
  bool operator==(const RatioSplit&) const = default;
};

/// The graphs in `num_folds` equal parts, of which part `split_index` is for testing and validation.
struct FoldSplit {
  std::int64_t num_folds = 5;
  std::int64_t split_index = 0;
  bool operator==(const FoldSplit&) const = default;
};

struct DataLoaderConfig {
  GraphConstruction graph_const = GraphConstruction::knn;
  std::int64_t knn_k = 10;    // read with knn only
  double radius_ratio = 0.1;  // read with radius only
  std::int64_t batch_size = 64;
  std::variant<RatioSplit, FoldSplit> split = RatioSplit{};
  bool operator==(const DataLoaderConfig&) const = default;
};

struct OptimizerConfig {
  OptimizerType optimizer = OptimizerType::adam;
  double base_lr = 0.01;
  double weight_decay = 5e-4;
  double momentum = 0.9;  // of SGD
  bool operator==(const OptimizerConfig&) const = default;
};

/// On the validation loss: training ends when it has not fallen for so many epochs.
struct EarlyStopping {
  std::int64_t patience = 10;
  bool operator==(const EarlyStopping&) const = default;
};

struct TrainConfig {
  OptimizerConfig optim;
  ScheduleType lr_schedule = ScheduleType::constant;
  std::int64_t max_epoch = 1;
  std::optional<EarlyStopping> early_stopping = EarlyStopping{};
  bool operator==(const TrainConfig&) const = default;
};

struct Configuration {
  TaskConfig task;
  DataLoaderConfig data_loader;
  ModelConfig model;
  TrainConfig train;
  bool operator==(const Configuration&) const = default;
};

constexpr std::string_view layer_type_names[] = {"gcnconv", "ginconv", "sageconv"};
constexpr std::string_view activation_names[] = {"relu", "prelu", "swish"};  // none: null
constexpr std::string_view pooling_type_names[] = {"mincut", "dmon"};
constexpr std::string_view readout_names[] = {"mean", "max", "add"};
constexpr std::string_view task_type_names[] = {"node-classification", "graph-classification",
                                                "node-clustering"};
constexpr std::string_view optimizer_type_names[] = {"adam", "sgd"};
constexpr std::string_view graph_construction_names[] = {"knn", "radius"};

}  // namespace workloads::stgym::space
