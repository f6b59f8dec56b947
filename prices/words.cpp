#include "prices/words.hpp"

#include "harness/core/setup.hpp"

#include "prices/command.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace prices {
namespace {

constexpr std::string_view out = "--benchmark_out=";
constexpr std::string_view out_format = "--benchmark_out_format=";
constexpr std::string_view list_tests = "--benchmark_list_tests";
constexpr std::string_view not_whole = R"("whole": "no")", is_whole = R"("whole": "yes")";  // in the context
constexpr std::string_view share_to_come = R"("other_cpu_share": "unknown")";

/// Google Benchmark calls this instead of its usage, and then would end with success.
void refuse_value() {
  std::fputs(
      "tuneproof: a flag of Google Benchmark has a value it does not take; see tuneproof prices --help\n",
      stderr);
  std::exit(1);
}

/// A variable of the environment; empty where it is not set.
std::string_view variable(const char* name) {
  const auto* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets one
  return value == nullptr ? "" : value;
}

/// The last value of the flag, or the one of the environment, as a number of at least 0.
double number_of(std::span<const std::string_view> flags, std::string_view flag, const char* name,
                 double otherwise) {
  auto text = variable(name);
  for (const auto word : flags)
    if (word.starts_with(flag)) text = word.substr(flag.size());
  double number = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Google Benchmark looks for the number of runs that last long enough: in all, about twice that long.
double seconds_of_a_row(std::span<const std::string_view> flags) {
  constexpr double search = 2, setting_up = 0.15;
  const bool lists = std::ranges::any_of(flags, [](auto flag) { return flag.starts_with(list_tests); });
  if (lists || !variable("BENCHMARK_LIST_TESTS").empty()) return 0;
  const auto least = number_of(flags, "--benchmark_min_time=", "BENCHMARK_MIN_TIME", 0.5);
  const auto warm_up = number_of(flags, "--benchmark_min_warmup_time=", "BENCHMARK_MIN_WARMUP_TIME", 0);
  const auto times = number_of(flags, "--benchmark_repetitions=", "BENCHMARK_REPETITIONS", 1);
  return setting_up + warm_up + search * least + (times - 1) * least;
}

/// Asks Google Benchmark for the names of the rows, or for their times. It keeps `program` for its context.
void ask_for_names(char* program, bool names) {
  auto flag = fmt::format("{}={}", list_tests, names);
  std::array<char*, 3> words{program, flag.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, words.data());
}

}  // namespace

JsonFile::JsonFile(const OutFile& file, const harness::OtherWork& other) : file_(file), other_(other) {
  json_.SetOutputStream(&text_);
  json_.SetErrorStream(&text_);
}

bool JsonFile::ReportContext(const Context& context) {
  benchmark::AddCustomContext("whole", "no");
  benchmark::AddCustomContext("other_cpu_share", "unknown");
  return json_.ReportContext(context);
}

/// A disk that is full for a while costs no row: the next one is stored with all before it.
void JsonFile::ReportRuns(const std::vector<Run>& runs) {
  json_.ReportRuns(runs);
  any_ = true;
  if (!file_.is_ordinary()) return;
  try {
    file_.keep(document());
  } catch (const harness::BadInput&) {
    return;  // finish() tries again, and says why not
  }
}

void JsonFile::finish() {
  if (!any_) return;
  auto text = document();
  if (const auto at = text.find(not_whole); at != text.npos) text.replace(at, not_whole.size(), is_whole);
  file_.keep(text);
}

/// With its end, which the next row will be put in front of.
std::string JsonFile::document() {
  auto open = text_.str();
  json_.Finalize();
  auto text = text_.str();
  text_.str(std::move(open));
  const auto share = other_.share();
  if (const auto at = text.find(share_to_come); share && at != text.npos)
    text.replace(at, share_to_come.size(), fmt::format(R"("other_cpu_share": "{:.3f}")", *share));
  return text;
}

Words::Words(std::span<const std::string_view> flags, const harness::OtherWork& other)
    : seconds_of_a_row_(seconds_of_a_row(flags)), texts_{"tuneproof"} {
  if (!variable("NO_COLOR").empty()) texts_.emplace_back("--benchmark_color=false");
  for (const auto flag : flags) {
    if (!flag.starts_with(out)) texts_.emplace_back(flag);
    const bool time =
        flag.starts_with("--benchmark_min_time=") || flag.starts_with("--benchmark_min_warmup_time=");
    if (time && flag.ends_with('s')) texts_.back().pop_back();  // version 1.7 wants none
  }
  take_out_flags(flags, other);
  for (auto& text : texts_) pointers_.push_back(text.data());
  pointers_.push_back(nullptr);
}

void Words::take_out_flags(std::span<const std::string_view> flags, const harness::OtherWork& other) {
  auto file = variable("BENCHMARK_OUT");
  auto format = variable("BENCHMARK_OUT_FORMAT");
  for (const auto flag : flags) {
    if (flag.starts_with(out)) file = flag.substr(out.size());
    if (flag.starts_with(out_format)) format = flag.substr(out_format.size());
  }
  if (file.empty()) return;
  file_ = file;
  texts_.push_back(std::string(out) + out_.emplace(file).place());
  if (format.empty() || format == "json") json_.emplace(*out_, other);
}

void Words::hand_over() {
  int count = static_cast<int>(texts_.size());
  benchmark::Initialize(&count, pointers_.data(), refuse_value);
  if (count > 1) throw harness::BadInput(unknown_word(pointers_[1]));
}

std::optional<Pace> Words::pace() {
  if (seconds_of_a_row_ == 0) return std::nullopt;
  std::ostringstream names;
  benchmark::ConsoleReporter reader;
  reader.SetOutputStream(&names);
  reader.SetErrorStream(&names);
  ask_for_names(pointers_.front(), true);
  const auto rows = benchmark::RunSpecifiedBenchmarks(&reader, reporter());
  ask_for_names(pointers_.front(), false);
  return rows == 0 ? std::nullopt : std::optional(Pace(static_cast<int>(rows), seconds_of_a_row_));
}

void Words::keep_file() {
  if (json_) return json_->finish();
  if (out_) out_->keep();
}

}  // namespace prices
