// Feeds bytes to the readers of results files and of Google Benchmark's, and what they read to everything
// that is made of it: whatever they hold, the answer is a text or BadInput. Run by scripts/fuzz.sh.
#include "harness/compare/comparison.hpp"
#include "harness/compare/comparison_text.hpp"
#include "harness/compare/export_formats.hpp"
#include "harness/compare/gbench.hpp"
#include "harness/core/setup.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace harness;
using namespace harness::compare;

void show(const Comparison& comparison) {
  comparison_text(comparison, {});
  refusal_text(comparison, {});
  const auto report = comparison_report(comparison, {.strict = true});
  junit_text(report);
  markdown_text(report);
  annotations_text(report);
}

void read_as_results(const Json& document) {
  const auto run = read_run(document, "fuzz");
  show(compare_runs(run, run, {}));
  bmf_text(run);
  gha_text(run);
  csv_text(run);
  run_report(run);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto document = parse_json(bytes, "fuzz");
    try {
      read_as_results(document);
    } catch (const BadInput&) {
    }
    const Field root(document, "fuzz");
    show(compare_gbench(root, root, {}));
  } catch (const BadInput&) {
  }
  return 0;
}
