#include "harness/predict/run_predict.hpp"

#include "harness/predict/count_trace.hpp"
#include "harness/predict/intervals.hpp"
#include "harness/results/prediction.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/run/rank_count.hpp"
#include "harness/run/rounds.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/child.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>

#include <chrono>
#include <poll.h>
#include <system_error>
#include <utility>

namespace harness::predict {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;
constexpr std::chrono::seconds to_end{10};

/// The rows that harness/predict/price_book.cpp asks for, and no size that takes long to fill and check.
constexpr auto host_rows =
    "memcpy/bytes:([0-9]+KiB|(1|4|16|64|256)MiB)|allocate/malloc/bytes:4KiB|"
    "allocate/(malloc|kept)_touched/bytes:(256KiB|4MiB|64MiB)|dispatch/host|thread/wake/(condition|pipe)|"
    "product/host|collective/all_reduce/gloo/ranks:[0-9]+/bytes:(4KiB|64KiB|1MiB|16MiB)";
constexpr auto device_rows =
    "|copy/(h2d|d2h)/host:(pageable|pinned)/bytes:([0-9]+KiB|(1|4|16|64|256)MiB)|"
    "copy/d2d/bytes:([0-9]+KiB|(1|4|16|64|256)MiB)|launch/return|stream/synchronize|"
    "collective/all_reduce/nccl/ranks:[0-9]+/bytes:(4KiB|64KiB|1MiB|16MiB)";

std::string key_of(const PricePlace& place) {
  return fmt::format("{}-{}-{}-threads", place.fingerprint, to_string(place.device), place.threads);
}

Command command_of(const PricePlace& place, const PriceTaker& taker, const std::filesystem::path& out) {
  const std::string rows = std::string(host_rows) + (place.device.is_cuda() ? device_rows : "");
  return {taker.worker,
          {"--prices", "--device=" + to_string(place.device), "--place=" + place.fingerprint,
           "--benchmark_filter=^prices/(" + rows + ")", "--benchmark_min_time=0.02",
           fmt::format("--benchmark_repetitions={}", fewest_repetitions),
           "--benchmark_enable_random_interleaving=false", "--benchmark_out_format=json",
           "--benchmark_out=" + out.string()},
          run::worker_environment(place.threads)};
}

/// The last line that the child said; nothing where a signal came first.
std::optional<std::string> last_words(Child& child, SignalWatch& signals) {
  LineReader lines;
  std::string last;
  for (bool open = true; open;) {
    pollfd ready[] = {{child.said(), POLLIN, 0}, {signals.fd(), POLLIN, 0}};
    poll(ready, 2, -1);
    if (ready[1].revents != 0) return std::nullopt;
    open = lines.read(child.said());
    while (const auto line = lines.next())
      if (!line->empty()) last = *line;
  }
  return last;
}

/// False where a signal came.
bool take(const PricePlace& place, const PriceTaker& taker, const std::filesystem::path& out,
          SignalWatch& signals) {
  taker.say("measuring the prices of this machine; they are kept while its fingerprint stays the same");
  // Rows are written as they end; a list that lacks prices would be read again and again.
  const std::filesystem::path taking = out.string() + ".taking";
  Child child(command_of(place, taker, taking));
  child.send({});
  const auto said = last_words(child, signals);
  const auto exit = said ? child.wait(to_end) : std::nullopt;
  std::error_code ignored;
  if (exit && *exit == Exit{}) {
    std::filesystem::rename(taking, out);
    return true;
  }
  child.kill();
  std::filesystem::remove(taking, ignored);
  if (!said) return false;
  throw BadInput(fmt::format("could not measure the prices: {} {}; it said: {}",
                             taker.worker.filename().string(),
                             exit ? to_string(*exit) : std::string("did not end"), trace::printable(*said)));
}

PriceBook read(const std::filesystem::path& file) {
  return price_book_from(parse_json(read_text(file, most_bytes), file.string()), file.string());
}

void require_place(const PriceBook& book, const PricePlace& place, const std::string& file) {
  const auto& origin = book.origin();
  if (origin.fingerprint != place.fingerprint)
    throw BadInput(file +
                   ": its prices come from another machine or other software (the fingerprint differs); name "
                   "another file, or none");
  if (origin.threads != place.threads)
    throw BadInput(fmt::format(
        "{}: its prices were measured with {} threads, but this run has {}; name another file, or none", file,
        origin.threads, place.threads));
}

results::Prediction prediction_of(const results::Row& row, const PriceBook& prices, int ranks) {
  if (!row.profile) return results::no_prediction("could not profile the row: " + row.reason);
  const auto why_not = results::unpredictable(row);
  if (!why_not.empty()) return results::no_prediction(why_not);
  try {
    auto before = count_forms(row.profile->forms, ranks);
    before.replay = row.profile->replay;
    return predict(before, prices);
  } catch (const BadInput& error) {
    return results::no_prediction(std::string("cannot read its trace: ") + error.what());
  }
}

std::string why_not_run_again(const results::Row& profiled) {
  return profiled.profile && profiled.profile->replay ? profiled.profile->replay->reason : "";
}

/// The counted saving gets its interval; where another machine has measured the row, its result is taken.
void rest_on(const Earlier& earlier, results::Row& row, const results::Results& results) {
  const Calibration known{row.step, results::machine_class(results.fingerprint), earlier.misses};
  widen(*row.prediction, known);
  if (!has_usual_options(results.session) || results::on_stand_in(results.fingerprint)) return;
  if (const auto elsewhere = elsewhere_of(row, earlier.rows, machine_facts(results.fingerprint)))
    take_from(*elsewhere, *row.prediction, known);
}

bool is_waiting(const results::Row& row) {
  return !results::is_error(row) && !row.prediction && row.measured.log_ratios.empty();
}

}  // namespace

std::optional<PriceBook> prices_of(const PricePlace& place, const std::string& file, const PriceTaker& taker,
                                   SignalWatch& signals) {
  std::optional<std::filesystem::path> kept;
  if (file.empty())
    kept = cache_file("prices", key_of(place));
  else
    kept = file;
  std::error_code ignored;
  if (kept && std::filesystem::exists(*kept, ignored)) {
    auto book = read(*kept);
    require_place(book, place, kept->string());
    taker.say(fmt::format("prices of {} from {}", book.origin().taken, kept->string()));
    return book;
  }
  std::optional<ScratchFolder> scratch;
  if (!kept) kept = scratch.emplace(std::filesystem::temp_directory_path()).path() / "prices.json";
  if (file.empty()) make_folders_of(*kept);
  if (!take(place, taker, *kept, signals)) return std::nullopt;
  auto book = read(*kept);
  require_place(book, place, kept->string());
  return book;
}

std::optional<int> predict_rows(results::Results& results, const PriceBook& prices, const Earlier& earlier,
                                const profile::ProfileOrder& order, run::RunOutput& output,
                                SignalWatch& signals) {
  const ScratchFolder scratch(order.out);
  for (auto& row : results.rows) {
    if (output.abandoned()) break;
    if (!is_waiting(row)) continue;
    output.say("predicting " + row.name);
    auto worker_plan = order.worker_plan;
    worker_plan.rows = {run::place_of(row)};
    worker_plan.task.profile->folder = scratch.path().string();
    results::Row profiled;
    const run::Reports reports{.begun = [](const std::string&) {},
                               .ended = [&](results::Row ended) { profiled = std::move(ended); },
                               .said = [&](const std::string& line) { output.say(line); },
                               .stop = [] { return false; }};
    if (const auto signal = run::Supervisor(worker_plan, reports, signals).run().signal) return signal;
    row.prediction = prediction_of(profiled, prices, run::rank_count(results.session.options));
    if (const auto why = why_not_run_again(profiled); !why.empty())
      output.say("  prices stand for its operators: " + why);
    rest_on(earlier, row, results);
    output.store(results);
  }
  return std::nullopt;
}

}  // namespace harness::predict
