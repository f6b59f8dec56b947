#include "harness/machine/host.hpp"
#include "harness/results/results.hpp"
#include "harness/support/folder.hpp"
#include "harness/trace/intern.hpp"
#include "harness/trace/worth.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

namespace fs = std::filesystem;

bool is_of_another_machine(const results::Results& results) {
  const Field hard(results.fingerprint.hard, results.file + ": fingerprint.hard");
  const auto machine = hard["machine"];
  const auto host = read_host();
  return machine["cpu_model"].text() != host.cpu_model ||
         machine["logical_cpus"].integer() != host.logical_cpus;
}

void add_rows(const fs::path& file, std::map<std::string, Worth>& last) {
  const auto results = results::read_results(file);
  const bool other = is_of_another_machine(results);
  for (const auto& row : results.rows) {
    if (results::is_error(row) || row.judged.ratio <= 0) continue;
    auto& known = last[row.name];
    if (known.started > results.session.started) continue;
    known = {.row = row.name,
             .step = row.step,
             .started = printable(results.session.started),
             .on_device = row.device.is_cuda(),
             .other_machine = other,
             .verdict = row.judged.verdict,
             .ratio = row.judged.ratio,
             .interval = row.judged.ratio_interval.value_or(Interval{row.judged.ratio, row.judged.ratio})};
  }
}

/// Prices and self-tests may lie beside results: what is none is passed over.
void add_folder(const fs::path& folder, std::map<std::string, Worth>& last) {
  bool any = false;
  for (const auto& file : files_in(folder, is_json_name)) {
    try {
      add_rows(file, last);
      any = true;
    } catch (const BadInput&) {
      continue;
    }
  }
  if (!any) throw BadInput(fmt::format("--evidence {}: this folder holds no results file", folder.string()));
}

}  // namespace

std::vector<Worth> read_worths(const std::vector<std::string>& paths) {
  std::map<std::string, Worth> last;
  for (const auto& path : paths)
    if (fs::is_directory(path))
      add_folder(path, last);
    else
      add_rows(path, last);
  std::vector<Worth> all;
  for (auto& [name, worth] : last) all.push_back(std::move(worth));
  return all;
}

}  // namespace harness::trace
