#include "harness/compare/compare.hpp"
#include "harness/compare/exports.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/stand_in_option.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

namespace harness::compare {
namespace {

constexpr auto export_examples =
    "Examples:\n"
    "  tuneproof export bmf results.json            Bencher's metric format\n"
    "  tuneproof export gha results.json            github-action-benchmark, customSmallerIsBetter\n"
    "  tuneproof export csv results.json >> all.csv\n"
    "  tuneproof export junit results.json > report.xml";

using Writer = std::string (*)(const results::Results&);

constexpr std::array<std::pair<std::string_view, Writer>, 5> formats{{
    {"bmf", bmf_text},
    {"gha", gha_text},
    {"csv", csv_text},
    {"junit", [](const results::Results& run) { return junit_text(run_report(run)); }},
    {"markdown", [](const results::Results& run) { return markdown_text(run_report(run)); }},
}};

struct ExportArguments {
  std::string format;
  std::string file;
  results::StandIn stand_in = results::StandIn::refuse;
};

Writer writer_of(const std::string& word) {
  std::vector<std::string> known;
  for (const auto& [name, writer] : formats) {
    if (name == word) return writer;
    known.emplace_back(name);
  }
  throw BadInput(fmt::format("export {}: there is no such format; expected one of {}", word, join_or(known)));
}

}  // namespace

void add_export(CLI::App& app, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<ExportArguments>();
  auto* command = app.add_subcommand("export", "Print a results file in another tool's format");
  command->add_option("FORMAT", arguments->format, "bmf, gha, csv, junit or markdown")->required();
  command->add_option("FILE", arguments->file, "A file from `tuneproof run --json`")->required();
  results::declare_stand_in(*command, arguments->stand_in);
  command->footer(export_examples);
  command->callback([arguments, &chosen] {
    chosen = [arguments] {
      const auto writer = writer_of(arguments->format);
      fmt::print("{}", writer(read_run_file(arguments->file, arguments->stand_in)));
      return 0;
    };
  });
}

}  // namespace harness::compare
