// Feeds bytes to the readers of results files (that of `compare`, and that of `run --resume`) and of Google
// Benchmark's, and what they read to everything that is made of it: whatever they hold, the answer is a text
// or BadInput. Run by scripts/fuzz.sh.
#include "harness/compare/comparison.hpp"
#include "harness/compare/gbench.hpp"
#include "harness/record/results.hpp"
#include "harness/report/comparison.hpp"
#include "harness/report/exports.hpp"
#include "harness/setup.hpp"
#include "harness/worker/judge_row.hpp"
#include "harness/worker/judge_together.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace {

using namespace harness;

void show(const Comparison& comparison) {
  comparison_text(comparison, {});
  refusal_text(comparison, {});
  const auto report = comparison_report(comparison, true);
  junit_text(report);
  markdown_text(report);
  annotations_text(report);
}

void read_as_results(const Document& document) {
  const auto run = read_run(document);
  show(compare_runs(run, run, {}));
  bmf_text(run);
  gha_text(run);
  csv_text(run);
  run_report(run);
}

std::optional<Results> read_to_resume(std::string_view bytes) {
  try {
    auto results = results_from_json(parse_json(bytes, "fuzz"), "fuzz");
    if (!results.session.rows.empty()) return results;  // else there is no plan to go on with
  } catch (const BadInput&) {
  }
  return std::nullopt;
}

/// What `run --resume` does before the first round, and writes after it: that must be readable in its turn.
void resume(Results results) {
  for (auto& row : results.rows)
    if (!is_error(row)) judge_row(row, results);
  judge_together(results.rows);
  results_from_json(parse_json(pretty(results_to_json(results)), "written"), "written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto results = read_to_resume(bytes)) resume(*std::move(results));
  try {
    const Document document(bytes, "fuzz");
    try {
      read_as_results(document);
    } catch (const BadInput&) {
    }
    show(compare_gbench(document, document, {}));
  } catch (const BadInput&) {
  }
  return 0;
}
