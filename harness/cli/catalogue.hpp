// What steps there are, without loading one of them: the worker writes its table as JSON when it is built,
// and the program embeds that text. So `list`, `explain` and `--help` start at once and need no LibTorch.
#pragma once

#include "harness/step.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// A step at a point on a kind of device, before it is measured.
struct CatalogueRow {
  std::string name;
  std::vector<Coordinate> at;
  Device::Kind device = Device::Kind::cpu;
  bool quick = true;
};

/// The text of a Step, and its rows. `file` is the source it was compiled from, relative to the project.
struct CatalogueStep {
  std::string id, claim, claim_ids, source_title, source_url, source_where, published, tolerance_why, file;
  Outcome expected = Outcome::depends;
  Runs runs = Runs::each;
  double tolerance = 0;
  double delta = 0;
  double row_seconds = 0;
  std::vector<CatalogueRow> rows;
};

/// An option of a workload: "--scale FACTOR".
struct CatalogueOption {
  std::string name, value, meaning;
};

struct Catalogue {
  std::vector<CatalogueStep> steps;
  std::vector<CatalogueOption> options;
};

/// The JSON text of the step table: what `tuneproof-worker --catalogue` prints.
std::string catalogue_json(Steps steps, const std::vector<CatalogueOption>& options);

/// Reads that text; throws BadInput where it is malformed.
Catalogue parse_catalogue(std::string_view json);

}  // namespace harness
