#include "workloads/stgym/data/layout.hpp"

namespace workloads::stgym {
namespace {

using Names = const std::string_view[];

constexpr Names breast_cancer_group = {"donor_id", "sample_uuid"};
constexpr Names breast_cancer_dropped = {"author_cell_type", "sex", "tissue", "development_stage",
                                         "Unnamed: 0"};

constexpr Names human_crc_group = {"patients", "Z:Z"};
constexpr Names human_crc_dropped = {"CellID", "Region", "ClusterID", "ClusterName", "neighborhood name"};

constexpr Names brca_group = {"grade",  "gender", "age",    "Patientstatus",  "diseasestatus",
                              "PTNM_M", "PTNM_T", "PTNM_N", "Post-surgeryTx", "clinical_type"};
constexpr Names brca_dropped = {"cellID"};

// The benchmark's radius leaves every graph of the two imaging data sets without an edge.
constexpr NeighbourRule ten_nearest{.kind = NeighbourRule::Kind::knn, .k = 10};

constexpr Layout known[] = {
    {.name = "breast-cancer",
     .group_by = breast_cancer_group,
     .x = "UMAP_1",
     .y = "UMAP_2",
     .label = "cell_type",
     .dropped = breast_cancer_dropped,
     .classes = 39},
    {.name = "human-crc",
     .group_by = human_crc_group,
     .x = "X:X",
     .y = "Y:Y",
     .label = "neighborhood10",
     .label_kind = LabelKind::number,
     .dropped = human_crc_dropped,
     .classes = 10,
     .rule = ten_nearest},
    {.name = "brca",
     .group_by = brca_group,
     .x = "X_centroid",
     .y = "Y_centroid",
     .label = "diseasestatus",
     .label_kind = LabelKind::equals,
     .positive = "tumor",
     .negative = "non-tumor",
     .dropped = brca_dropped,
     .task = Task::graph_classification,
     .classes = 2,
     .rule = ten_nearest},
};

}  // namespace

std::span<const Layout> layouts() { return known; }

}  // namespace workloads::stgym
