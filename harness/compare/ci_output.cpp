#include "harness/compare/ci.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

namespace harness::compare {
namespace {

/// The summary of a GitHub job is a file that each step adds to.
std::string summary_file() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here sets it
  const auto* const file = std::getenv("GITHUB_STEP_SUMMARY");
  return file == nullptr ? std::string() : file;
}

void append(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::app | std::ios::binary);
  out << text;
  out.close();
  if (!out) throw BadInput(fmt::format("{}: cannot be written; $GITHUB_STEP_SUMMARY names it", file));
}

}  // namespace

void declare(CLI::App& command, CiArguments& arguments) {
  command.add_option("--junit", arguments.junit, "Write JUnit XML, one test case per row")->type_name("FILE");
  command
      .add_option("--markdown", arguments.markdown,
                  "Write a Markdown table; also append it to $GITHUB_STEP_SUMMARY if that is set")
      ->type_name("FILE");
  command.add_flag("--annotations", arguments.annotations,
                   "Print GitHub's annotations to standard error, one line per row");
}

CiOutput::CiOutput(const CiArguments& arguments) : annotations_(arguments.annotations) {
  if (!arguments.junit.empty()) junit_.emplace(arguments.junit);
  if (arguments.markdown.empty()) return;
  markdown_.emplace(arguments.markdown);
  summary_ = summary_file();
  if (!summary_.empty()) append(summary_, "");
}

int CiOutput::write(const CiReport& report, int code) const {
  bool written = true;
  const auto attempt = [&](const auto& put) {
    try {
      put();
    } catch (const BadInput& error) {
      written = false;
      tell(error.what());
    }
  };
  if (junit_) attempt([&] { junit_->write(junit_text(report)); });
  if (markdown_) attempt([&] { markdown_->write(markdown_text(report)); });
  if (!summary_.empty()) attempt([&] { append(summary_, markdown_text(report)); });
  if (annotations_) tell_lines(annotations_text(report));
  return written || code != 0 ? code : 1;
}

}  // namespace harness::compare
