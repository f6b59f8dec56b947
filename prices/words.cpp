#include "prices/words.hpp"

#include "harness/core/setup.hpp"

#include "prices/command.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace prices {
namespace {

constexpr std::string_view out = "--benchmark_out=";
constexpr std::string_view out_format = "--benchmark_out_format=";
constexpr std::string_view not_whole = R"("whole": "no")", is_whole = R"("whole": "yes")";  // in the context

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

}  // namespace

JsonFile::JsonFile(const OutFile& file) : file_(file) {
  json_.SetOutputStream(&text_);
  json_.SetErrorStream(&text_);
}

bool JsonFile::ReportContext(const Context& context) {
  benchmark::AddCustomContext("whole", "no");
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
  return text;
}

Words::Words(std::span<const std::string_view> flags) : texts_{"tuneproof"} {
  if (!variable("NO_COLOR").empty()) texts_.emplace_back("--benchmark_color=false");
  for (const auto flag : flags) {
    if (!flag.starts_with(out)) texts_.emplace_back(flag);
    const bool time =
        flag.starts_with("--benchmark_min_time=") || flag.starts_with("--benchmark_min_warmup_time=");
    if (time && flag.ends_with('s')) texts_.back().pop_back();  // version 1.7 wants none
  }
  take_out_flags(flags);
  for (auto& text : texts_) pointers_.push_back(text.data());
  pointers_.push_back(nullptr);
}

void Words::take_out_flags(std::span<const std::string_view> flags) {
  auto file = variable("BENCHMARK_OUT");
  auto format = variable("BENCHMARK_OUT_FORMAT");
  for (const auto flag : flags) {
    if (flag.starts_with(out)) file = flag.substr(out.size());
    if (flag.starts_with(out_format)) format = flag.substr(out_format.size());
  }
  if (file.empty()) return;
  texts_.push_back(std::string(out) + out_.emplace(file).place());
  if (format.empty() || format == "json") json_.emplace(*out_);
}

void Words::hand_over() {
  int count = static_cast<int>(texts_.size());
  benchmark::Initialize(&count, pointers_.data(), refuse_value);
  if (count > 1) throw harness::BadInput(unknown_word(pointers_[1]));
}

void Words::keep_file() {
  if (json_) return json_->finish();
  if (out_) out_->keep();
}

}  // namespace prices
