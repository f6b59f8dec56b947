// The files that CI reads, and the options that name them.
#include "harness/compare/ci.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <system_error>

namespace harness::compare {
namespace {

/// The summary of a GitHub job is a file that each step adds to.
std::string summary_file() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here sets it
  const auto* const file = std::getenv("GITHUB_STEP_SUMMARY");
  return file == nullptr ? std::string() : file;
}

/// Without waiting for who reads it, should it be a pipe.
void append(const std::string& file, const std::string& text) {
  const Fd out(open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666));
  if (out.get() < 0 || !write_all(out.get(), text))
    throw BadInput(fmt::format("{}: cannot be written: {}; $GITHUB_STEP_SUMMARY names it", file,
                               std::generic_category().message(errno)));
}

}  // namespace

void declare(CLI::App& command, CiArguments& arguments) {
  add_value(command, "--junit", arguments.junit, "FILE", "Write JUnit XML, one test case per row");
  add_value(command, "--markdown", arguments.markdown, "FILE",
            "Write a Markdown table; also append it to $GITHUB_STEP_SUMMARY if that is set");
  command.add_flag("--annotations", arguments.annotations,
                   "Print GitHub's annotations to standard error, one line per row");
}

CiOutput::CiOutput(const CiArguments& arguments) : annotations_(arguments.annotations) {
  if (!arguments.junit.empty() || !arguments.markdown.empty()) no_pipe_.emplace();
  if (!arguments.junit.empty()) junit_.emplace(arguments.junit, OldFile::empty);
  if (arguments.markdown.empty()) return;
  guard("tuneproof", [&] {
    markdown_.emplace(arguments.markdown);
    auto summary = summary_file();
    if (!summary.empty()) append(summary, "");
    summary_ = std::move(summary);  // only what can be written is written to where this fails
    return 0;
  });
}

Conclusion CiOutput::write(CiReport report, const std::function<void(const std::string&)>& say) const {
  const auto attempt = [&](const auto& put) {
    try {
      put();
    } catch (const BadInput& error) {
      report.errors.emplace_back(error.what());
      tell(error.what());
    }
  };
  for (const auto* file : {&junit_, &markdown_}) {
    if (!*file || !(*file)->take_back()) continue;
    report.errors.push_back(
        fmt::format("{}: a program wrote it meanwhile, perhaps one of those that are compared; give this "
                    "report a file of its own",
                    (*file)->path().string()));
    tell(report.errors.back());
  }
  const auto flush_after = [&](const auto& print) {
    try {
      print();
      require_output();
    } catch (const std::runtime_error& error) {
      if (std::ranges::find(report.errors, error.what()) == report.errors.end())
        report.errors.emplace_back(error.what());
    }
  };
  flush_after([] {});
  if (!summary_.empty()) attempt([&] { append(summary_, page_text(report)); });
  if (markdown_) attempt([&] { markdown_->write(page_text(report)); });
  if (say) flush_after([&] { say(conclusion_of(report).line); });
  if (junit_)
    attempt([&] { junit_->write(junit_text(with_reason(report))); });  // the last: it has all errors
  if (annotations_) tell_lines(annotations_text(report));
  return conclusion_of(report);
}

void report_wrong_use(std::span<char* const> arguments, const std::string& sentence) {
  constexpr std::string_view option = "--junit";
  if (arguments.size() < 2 ||
      (std::string_view(arguments[1]) != "versus" && std::string_view(arguments[1]) != "compare"))
    return;
  std::string file;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == option && i + 1 < arguments.size()) file = arguments[i + 1];
    if (word.starts_with("--junit=")) file = word.substr(option.size() + 1);
  }
  const auto named = std::ranges::count_if(arguments, [&](const char* word) {
    return std::string_view(word).find(file) != std::string_view::npos;
  });
  if (file.empty() || file.starts_with("-") || named != 1) return;
  try {
    CiOutput({.junit = file})
        .write({.title = fmt::format("tuneproof {}", arguments[1]), .errors = {sentence}});
  } catch (const BadInput&) {
    return;  // leaves it at the sentence, which the caller tells
  }
}

void CiOutput::announce(const std::string& title) const {
  const CiReport report{.title = title, .errors = {"it has not ended: it still runs, or was killed"}};
  if (markdown_) markdown_->write(page_text(report));
  if (junit_) junit_->write(junit_text(with_reason(report)));
}

int CiOutput::guard(const std::string& title, const std::function<int()>& body) const {
  try {
    return body();
  } catch (const std::exception& error) {
    write({.title = title, .errors = {error.what()}});
    throw;
  }
}

}  // namespace harness::compare
