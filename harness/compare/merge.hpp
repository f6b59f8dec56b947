// One measurement on each node of a fleet: which nodes stand apart from the others, row by row. Nodes that
// are slow by chance, or by less than matters, are not named; nor is anybody the slowest of a ranking.
#pragma once

#include "harness/compare/run_file.hpp"
#include "harness/support/terminal.hpp"

namespace harness::compare {

/// One node against the others in one quantity of one row.
struct Standing {
  Change against;      // the median over the others' units -> this node's: above 1 is slower
  double p_above = 1;  // against "not above the others by more than delta"
  double p_below = 1;
  // An outlier: the interval of `against` lies beyond delta, and the claim stands in the list of all such
  // claims of the fleet (Benjamini-Hochberg, in each direction).
  bool above = false;
  bool below = false;

  bool apart() const { return above || below; }
};

/// One node's part in a row. Standings are empty where there is nothing to hold it against.
struct NodeStandings {
  std::size_t node = 0;  // in Fleet::nodes
  double ratio = 1;      // as the node's own run judged it
  std::optional<Interval> ratio_interval;
  double naive_seconds = 0;
  double optimized_seconds = 0;
  std::optional<Standing> naive = {};  // of the form's time
  std::optional<Standing> optimized = {};
  std::optional<Standing> speed = {};  // of the ratio optimized / naive
  std::string note = {};               // why there is none

  bool apart() const {
    return (naive && naive->apart()) || (optimized && optimized->apart()) || (speed && speed->apart());
  }
};

/// A row that at least one node measured.
struct FleetRow {
  std::string name;
  std::string step;
  double delta = 0;
  ValueWords words = {};                  // what its values are
  std::vector<NodeStandings> nodes = {};  // those that have the row, failed or not
};

struct FleetNode {
  std::string name;  // of the host; of the file where hosts share one
  std::string file;
  std::string session;
  std::string started;
  int times = 0;  // compared: two a row
  int slower = 0;
  int faster = 0;
  int ratios = 0;  // rows whose ratio stands apart

  bool apart() const { return slower > 0 || faster > 0 || ratios > 0; }
};

/// A file that was not compared, since it is of another class of machine, of other work, or no results file.
struct LeftOut {
  std::string file;
  std::string reason;
};

struct Fleet {
  Json machine = nullptr;  // what all nodes are
  std::string commit;
  std::vector<FleetNode> nodes = {};
  std::vector<FleetRow> rows = {};
  std::vector<LeftOut> left_out = {};
  std::vector<std::string> warnings = {};

  /// True if there is a row that two nodes measured.
  bool compared() const;
  /// Two nodes may differ, but which of them stands apart takes a third.
  bool can_name() const { return nodes.size() > 2; }
};

/// Keeps the files of the most frequent class of machine, program and settings (of the first file where two
/// are as frequent) and judges every row. Throws BadInput where two files hold the same session.
Fleet merge_runs(std::span<const results::Results> runs);

// The nodes of a fleet side by side, for a person and for other programs.

/// A table for each row (with `outliers_only` those that somebody stands apart in), the nodes, what was left
/// out, and a sentence that names the outliers.
std::string fleet_text(const Fleet& fleet, bool outliers_only, const Style& style);

/// Why there is nothing to compare, as a sentence, and what was left out.
std::string nothing_text(const Fleet& fleet, const Style& style);

/// The same as JSON: results/schema/merge.schema.json.
Json fleet_json(const Fleet& fleet);

}  // namespace harness::compare
