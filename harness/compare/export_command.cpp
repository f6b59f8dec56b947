#include "harness/compare/compare.hpp"
#include "harness/compare/export_formats.hpp"
#include "harness/compare/export_tensorboard.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/stand_in_option.hpp"
#include "harness/support/shown.hpp"
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
    "  tuneproof export tensorboard a.json b.json -o events && tensorboard --logdir events";

constexpr std::string_view tensorboard_format = "tensorboard";

using Writer = std::string (*)(const results::Results&);

constexpr std::array<std::pair<std::string_view, Writer>, 5> printed_formats{{
    {"bmf", bmf_text},
    {"gha", gha_text},
    {"csv", csv_text},
    {"junit", [](const results::Results& run) { return junit_text(run_report(run)); }},
    {"markdown", [](const results::Results& run) { return markdown_text(run_report(run)); }},
}};

struct ExportArguments {
  std::string format;
  std::vector<std::string> files;
  std::string folder;  // of event files
  results::StandIn stand_in = results::StandIn::refuse;
};

Writer writer_of(const std::string& word) {
  std::vector<std::string> known;
  for (const auto& [name, writer] : printed_formats) {
    if (name == word) return writer;
    known.emplace_back(name);
  }
  known.emplace_back(tensorboard_format);
  throw BadInput(fmt::format("export {}: unknown format; expected one of {}", word, join_or(known)));
}

int print_export(const ExportArguments& arguments) {
  const auto writer = writer_of(arguments.format);
  if (!arguments.folder.empty())
    throw BadInput(fmt::format("export {}: -o is for tensorboard; this format is printed", arguments.format));
  if (arguments.files.size() > 1)
    throw BadInput(fmt::format("export {}: give one FILE; only tensorboard takes several", arguments.format));
  fmt::print("{}", writer(read_run_file(arguments.files.front(), arguments.stand_in)));
  return 0;
}

int write_events(const ExportArguments& arguments) {
  if (arguments.folder.empty()) throw BadInput("export tensorboard: give -o FOLDER for the event files");
  export_tensorboard(arguments.files, arguments.folder, arguments.stand_in);
  const auto folder = printable(arguments.folder);
  fmt::print("{}: written; look at it with tensorboard --logdir {}\n", folder, folder);
  return 0;
}

}  // namespace

void add_export(CLI::App& app, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<ExportArguments>();
  auto* command = app.add_subcommand("export", "Write results in another tool's format");
  command->add_option("FORMAT", arguments->format, "bmf, gha, csv, junit, markdown or tensorboard")
      ->required();
  command->add_option("FILE", arguments->files, "A file from `run --json`; for tensorboard also several")
      ->required();
  command->add_option("-o,--out", arguments->folder, "Folder for TensorBoard's event files")
      ->type_name("FOLDER");
  results::declare_stand_in(*command, arguments->stand_in);
  command->footer(export_examples);
  command->callback([arguments, &chosen] {
    chosen = [arguments] {
      return arguments->format == tensorboard_format ? write_events(*arguments) : print_export(*arguments);
    };
  });
}

}  // namespace harness::compare
