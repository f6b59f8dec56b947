// How the choices of a configuration are written; the value of an enumerator is its place.
#pragma once

#include <string_view>

namespace workloads::stgym::space {

constexpr std::string_view layer_type_names[] = {"gcnconv", "ginconv", "sageconv"};
constexpr std::string_view activation_names[] = {"relu", "prelu", "swish"};  // none: null
constexpr std::string_view pooling_type_names[] = {"mincut", "dmon"};
constexpr std::string_view readout_names[] = {"mean", "max", "add"};
constexpr std::string_view task_type_names[] = {"node-classification", "graph-classification",
                                                "node-clustering"};
constexpr std::string_view optimizer_type_names[] = {"adam", "sgd"};
constexpr std::string_view graph_construction_names[] = {"knn", "radius"};

}  // namespace workloads::stgym::space
