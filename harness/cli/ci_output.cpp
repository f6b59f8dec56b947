#include "harness/cli/ci_output.hpp"

#include "harness/record/replace_file.hpp"
#include "harness/setup.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

namespace harness {
namespace {

/// The summary of a GitHub job is a file that each step adds to.
void append_to_summary(const std::string& text) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here sets it
  const auto* const file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr || *file == '\0') return;
  std::ofstream out(file, std::ios::app | std::ios::binary);
  out << text;
  out.close();
  if (!out) throw BadInput(fmt::format("{}: cannot be written; $GITHUB_STEP_SUMMARY names it", file));
}

}  // namespace

void declare(CLI::App& command, CiArguments& arguments) {
  command.add_option("--junit", arguments.junit, "Write JUnit's XML, one test case per row")
      ->type_name("FILE");
  command
      .add_option("--markdown", arguments.markdown,
                  "Write a table; also appended to $GITHUB_STEP_SUMMARY where that is set")
      ->type_name("FILE");
  command.add_flag("--annotations", arguments.annotations, "Print GitHub's annotations, one line per row");
}

void write_ci(const CiReport& report, const CiArguments& arguments) {
  if (!arguments.junit.empty()) ReplaceFile(arguments.junit).write(junit_text(report));
  if (!arguments.markdown.empty()) {
    const auto text = markdown_text(report);
    ReplaceFile(arguments.markdown).write(text);
    append_to_summary(text);
  }
  if (arguments.annotations) fmt::print("{}", annotations_text(report));
}

}  // namespace harness
