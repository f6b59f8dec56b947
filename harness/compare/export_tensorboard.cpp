#include "harness/compare/export_tensorboard.hpp"

#include "harness/compare/run_file.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/utc_time.hpp"
#include "harness/tensorboard/event_file.hpp"
#include "harness/tensorboard/event_records.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace harness::compare {
namespace {

namespace fs = std::filesystem;
using tensorboard::Moment;
using tensorboard::scalar_record;

constexpr auto about_verdict =
    "1: the change helps. 0: it has no effect. -1: it hurts. A triangle: the row cannot tell.";

double seconds_since_1970(const std::string& started) {
  const auto time = utc_time(started);
  return time ? static_cast<double>(time->time_since_epoch().count()) : 0;
}

/// Letters and digits of the text, with '-' between them.
std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (plain)
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  constexpr std::size_t longest = 60;
  return out.substr(0, longest);
}

/// "NVIDIA-A30-1a2b3c4d": what the machine is known by, and a number that tells its class from others like
/// it.
std::string run_folder(const results::Results& run) {
  const auto machine = run.fingerprint.hard.value("machine", Json::object());
  const auto gpu = machine.value("gpu", Json());
  const auto shown = gpu.is_object() ? gpu.value("name", Json()) : machine.value("cpu_model", Json());
  const auto name = shown.is_string() ? slug(shown.get<std::string>()) : std::string("machine");
  return fmt::format("{}-{:08x}", name, tensorboard::masked_crc(results::machine_class(run.fingerprint)));
}

std::string session_text(const results::Results& run) {
  const auto& session = run.session;
  auto text = fmt::format("commit {}, begun {}, {} rows, {} threads, id {}", session.commit, session.started,
                          run.rows.size(), session.threads, session.id);
  if (results::on_stand_in(run.fingerprint)) text = fmt::format("**{}** {}", results::stand_in_warning, text);
  return trace::printable(text);
}

std::string row_records(const results::Row& row, const Moment& moment) {
  if (is_error(row)) return {};
  const auto name = trace::printable(row.name);
  std::string records;
  const auto add = [&](const char* what, double value, std::string_view about = {}) {
    records += scalar_record(moment, fmt::format("{}/{}", what, name), static_cast<float>(value), about);
  };
  for (const auto form : {Form::naive, Form::optimized})
    if (const auto seconds = form_seconds(row, form); seconds > 0)
      add(form == Form::naive ? "naive_ms" : "optimized_ms", seconds * 1e3);
  add("change_percent", 100 * (row.judged.ratio - 1), "Optimized against naive; below 0 it is faster.");
  if (const auto& ends = row.judged.ratio_interval) {
    add("change_percent_low", 100 * (ends->low - 1), "The lower end of the change's interval.");
    add("change_percent_high", 100 * (ends->high - 1), "The upper end of the change's interval.");
  }
  add("verdict", verdict_number(row.judged.verdict), about_verdict);
  return records;
}

std::string session_records(const results::Results& run, const Moment& moment) {
  auto records = text_record(moment, "session", session_text(run));
  for (const auto& row : run.rows) records += row_records(row, moment);
  return records;
}

fs::path event_file_in(const fs::path& folder) {
  return folder / (std::string(tensorboard::event_file_prefix) + "tuneproof");
}

}  // namespace

float verdict_number(Verdict verdict) {
  if (verdict == Verdict::helps) return 1;
  if (verdict == Verdict::no_effect) return 0;
  return verdict == Verdict::hurts ? -1 : std::numeric_limits<float>::quiet_NaN();
}

EventFiles event_files_of(std::vector<results::Results> runs) {
  std::ranges::stable_sort(runs, {}, [](const auto& run) { return seconds_since_1970(run.session.started); });
  EventFiles files;
  std::map<fs::path, std::int64_t> sessions;
  std::set<std::string> seen;
  for (const auto& run : runs) {
    if (!seen.insert(run.session.id).second) continue;
    const auto place = event_file_in(run_folder(run));
    const Moment moment{seconds_since_1970(run.session.started), sessions[place]++};
    auto& text = files[place];
    if (text.empty()) text = tensorboard::version_record(moment.wall_time);
    text += session_records(run, moment);
  }
  return files;
}

void export_tensorboard(const std::vector<std::string>& files, const fs::path& folder,
                        results::StandIn stand_in) {
  std::vector<results::Results> runs;
  for (const auto& name : files) runs.push_back(read_run_file(name, stand_in));
  std::deque<std::pair<ReplaceFile, std::string>> open;
  for (auto& [place, text] : event_files_of(std::move(runs))) {
    make_folders_of(folder / place);
    open.emplace_back(ReplaceFile(folder / place), text);
  }
  for (const auto& [file, text] : open) file.write(text);
}

}  // namespace harness::compare
