// Feeds bytes to the reader of `run --resume`, and what it read to what is done with it: whatever they hold,
// the answer is a file that can be read again or BadInput. Run by scripts/fuzz.sh.
#include "harness/core/setup.hpp"
#include "harness/results/results.hpp"
#include "harness/run/judge_row.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace {

using namespace harness;
using namespace harness::results;
using namespace harness::run;

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
  return 0;
}
