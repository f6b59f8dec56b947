#include "harness/run/run_profile.hpp"

#include "harness/support/scratch_folder.hpp"
#include "harness/trace/op_table.hpp"
#include "harness/trace/trace.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <system_error>

namespace harness::run {
namespace {

/// The traces under their final names, beside each other.
void keep(results::RowProfile& profile, const std::string& row, const std::filesystem::path& out) {
  for (auto& form : profile.forms)
    for (auto& trace : form.traces)
      trace = keep_trace(trace, out, file_name_of(row) + "-" + std::string(to_string(form.form))).string();
  profile.figures = profile_figures(profile.forms);
}

/// What came of it, as it stands in the results.
results::RowProfile outcome(Profiled profiled, const catalogue::Step& step,
                            const results::Schedule& schedule) {
  if (!profiled.row.profile)
    return {.schedule = schedule, .forms = {}, .figures = {}, .reason = std::move(profiled.row.reason)};
  add_published(*profiled.row.profile, step, profiled.row.at);
  return *std::move(profiled.row.profile);
}

constexpr int compression_level = 6;  // gzip's own default

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what, int error = errno) {
  throw BadInput(fmt::format("{}: {}: {}", file.string(), what, std::generic_category().message(error)));
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  // The profiler says nothing when it cannot write.
  if (!in.is_open() || text.empty())
    fail(file.parent_path(), "the profiler could not write its trace", ENOSPC);
  if (!in.good() && !in.eof()) fail(file, "cannot be read");
  return text;
}

/// Kineto notes the path that it wrote to, which is about to vanish.
void name_trace(std::string& json, const std::string& name) {
  constexpr std::string_view key = "\"traceName\": \"";
  const auto at = json.rfind(key);
  if (at == json.npos) return;
  const auto begin = at + key.size();
  const auto end = json.find('"', begin);
  if (end != json.npos) json.replace(begin, end - begin, name);
}

std::string packed(const std::string& text) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(compression_level), libdeflate_free_compressor);
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), text.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), text.data(), text.size(), out.data(), out.size()));
  return out;
}

void write(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << bytes;
  out.close();
  if (!out) fail(file, "cannot be written");
}

/// False where `to` exists already.
bool move_to_new(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  // Some file systems know no such rename; a link does not replace anything either.
  if (errno == EINVAL && ::link(from.c_str(), to.c_str()) == 0) return unlink(from.c_str()) == 0;
  if (errno == EEXIST) return false;
  fail(to, "cannot be written");
}

constexpr double seconds_per_us = 1e-6;

/// Sums over one form's traces, in microseconds and calls.
struct Totals {
  bool device_worked = false;
  double self_cpu = 0, self_cuda = 0;
  double copy_calls = 0, copy_cpu = 0, copy_cuda = 0;
  double htod_calls = 0, htod = 0;
};

void add(Totals& totals, const trace::Trace& trace) {
  const auto table = trace::op_table(trace);
  totals.device_worked = totals.device_worked || std::ranges::any_of(trace.events, [](const trace::Event& e) {
                           return trace::on_device(e.kind);
                         });
  totals.self_cpu += table.self_cpu_us;
  totals.self_cuda += table.self_device_us;
  for (const auto& row : table.rows) {
    if (row.name == "aten::copy_") {
      totals.copy_calls += static_cast<double>(row.calls);
      totals.copy_cpu += row.self_cpu_us;
      totals.copy_cuda += row.self_device_us;
    }
    if (row.device_row && row.name.starts_with("Memcpy HtoD")) {
      totals.htod_calls += static_cast<double>(row.calls);
      totals.htod += row.self_device_us;
    }
  }
}

struct Column {
  std::string_view name;
  std::string_view unit;
  double Totals::* value;
  bool of_device;
};
constexpr std::array<Column, 7> figure_columns{{{"Self CPU", "s", &Totals::self_cpu, false},
                                                {"Self CUDA", "s", &Totals::self_cuda, true},
                                                {"aten::copy_ calls", "calls", &Totals::copy_calls, false},
                                                {"aten::copy_ Self CPU", "s", &Totals::copy_cpu, false},
                                                {"aten::copy_ Self CUDA", "s", &Totals::copy_cuda, true},
                                                {"Memcpy HtoD calls", "calls", &Totals::htod_calls, true},
                                                {"Memcpy HtoD time", "s", &Totals::htod, true}}};

}  // namespace

Profiled profile(const ProfileOrder& order, const ProfileReports& reports, SignalWatch& signals) {
  auto worker_plan = order.worker_plan;
  const ScratchFolder scratch(order.out);
  worker_plan.task.profile->folder = scratch.path().string();
  Profiled result;
  const Reports heard{.begun = [](const std::string&) {},
                      .ended = [&](results::Row row) { result.row = std::move(row); },
                      .said = reports.said,
                      .stop = [] { return false; },
                      .walked = reports.walked};
  result.signal = Supervisor(worker_plan, heard, signals).run().signal;
  if (!result.signal && result.row.profile) keep(*result.row.profile, result.row.name, order.out);
  return result;
}

void add_published(results::RowProfile& profile, const catalogue::Step& step,
                   const std::vector<Coordinate>& at) {
  const auto meant = [&](const Coordinate& c) { return c.axis + ":" + c.text == step.about; };
  if (!step.about.empty() && std::ranges::none_of(at, meant)) return;
  for (auto& figure : profile.figures) {
    const auto found = std::ranges::find(step.published_profile, figure.name, &catalogue::Figure::name);
    if (found != step.published_profile.end())
      figure.published = results::PublishedChange{found->before, found->after, found->where};
  }
}

std::optional<int> profile_finished_rows(results::Results& results, const catalogue::Catalogue& catalogue,
                                         const ProfileOrder& order, const Limits& limits, RunOutput& output,
                                         SignalWatch& signals) {
  const auto begin = std::chrono::steady_clock::now();
  std::size_t left_out = 0;
  for (auto& row : results.rows) {
    if (output.abandoned()) break;
    const auto step = std::ranges::find(catalogue.steps, row.step, &catalogue::Step::id);
    if (results::is_error(row) || step == catalogue.steps.end()) continue;
    auto one = order;
    if (limits.budget) {
      one.worker_plan.budget = limits.budget->time - (std::chrono::steady_clock::now() - begin);
      if (one.worker_plan.budget->count() <= 0) {
        ++left_out;
        continue;
      }
    }
    output.say("profiling " + row.name);
    one.worker_plan.rows = {place_of(row)};
    auto profiled =
        profile(one, {[](int, int) {}, [&](const std::string& line) { output.say(line); }}, signals);
    if (profiled.signal) return profiled.signal;
    if (profiled.row.name.empty()) {  // it had not ended
      ++left_out;
      continue;
    }
    row.profile = outcome(std::move(profiled), *step, order.worker_plan.task.profile->schedule);
    output.store(results);
  }
  if (left_out > 0) output.say(left_out_text("profiled", left_out, limits));
  return std::nullopt;
}

std::string file_name_of(const std::string& row) {
  auto name = row;
  std::ranges::replace(name, '/', '-');
  std::ranges::replace(name, ':', '_');
  return name;
}

std::filesystem::path keep_trace(const std::filesystem::path& json, const std::filesystem::path& folder,
                                 const std::string& name) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  auto stamp = std::chrono::duration_cast<milliseconds>(now).count();
  auto text = contents(json);
  std::filesystem::remove(json);
  auto partial = json;
  partial += ".gz";
  for (;; ++stamp) {
    const auto final_name = fmt::format("{}.{}.pt.trace.json", name, stamp);
    name_trace(text, final_name);
    write(partial, packed(text));
    const auto file = folder / (final_name + ".gz");
    if (move_to_new(partial, file)) return file;
  }
}

std::vector<results::ProfileFigure> profile_figures(const std::vector<results::FormProfile>& forms) {
  std::vector<results::ProfileFigure> figures;
  for (const auto& column : figure_columns)
    figures.push_back({std::string(column.name), std::string(column.unit), {}, {}});
  for (const auto& form : forms) {
    Totals totals;
    for (const auto& file : form.traces) add(totals, trace::read_trace(file));
    for (std::size_t i = 0; i < figure_columns.size(); ++i) {
      const auto& column = figure_columns[i];
      if (column.of_device && !totals.device_worked) continue;
      const double per_run = totals.*column.value / form.runs * (column.unit == "s" ? seconds_per_us : 1);
      (form.form == Form::naive ? figures[i].naive : figures[i].optimized) = per_run;
    }
  }
  return figures;
}

}  // namespace harness::run
