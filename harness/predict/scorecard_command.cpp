#include "harness/predict/scorecard_command.hpp"

#include "harness/predict/scorecard.hpp"
#include "harness/predict/scorecard_reader.hpp"
#include "harness/predict/scorecard_text.hpp"
#include "harness/results/stand_in_option.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace harness::predict {
namespace {

constexpr const char* usual_folder = "results";

struct ScorecardArguments {
  std::vector<std::string> paths;
  std::string json;
  std::string misses;
  std::string rows;
  results::StandIn stand_in = results::StandIn::refuse;
};

/// However it was named. The file need not be there.
std::filesystem::path place_of(const ReplaceFile& file) {
  return std::filesystem::weakly_canonical(std::filesystem::absolute(file.path()));
}

/// A file that an option names. Nothing is written where one of them is among the results.
class Written {
 public:
  Written(std::string option, const std::string& name) : option_(std::move(option)) {
    if (name == "-") throw BadInput(fmt::format("scorecard: {} -: only --json prints; name a file", option_));
    if (!name.empty()) file_.emplace(name);
  }
  void spare_results(const ScorecardReader& reader) const {
    if (file_ && reader.took(file_->path()))
      throw BadInput(fmt::format("scorecard: {} {} would overwrite results that the scorecard reads", option_,
                                 file_->path().string()));
  }
  void refuse_file_of(const Written& other) const {
    if (file_ && other.file_ && place_of(*file_) == place_of(*other.file_))
      throw BadInput(
          fmt::format("scorecard: {} and {} both name {}", other.option_, option_, file_->path().string()));
  }
  template <class Make>
  void write(const Make& make) const {
    if (file_) file_->write(pretty(make()));
  }

 private:
  std::string option_;
  std::optional<ReplaceFile> file_;
};

/// Those that are named, or the usual folder.
std::vector<std::string> paths_of(const ScorecardArguments& arguments) {
  if (!arguments.paths.empty()) return arguments.paths;
  std::error_code ignored;
  if (!std::filesystem::exists(usual_folder, ignored))
    throw BadInput(fmt::format(
        "scorecard: there is no folder {} here; name results files, or folders of them", usual_folder));
  return {usual_folder};
}

void refuse_without_predictions(const Scorecard& card, const ScorecardReader& reader,
                                const std::vector<std::string>& paths) {
  if (!card.rows.empty() || !card.without.empty() || card.unmeasured > 0) return;
  throw BadInput(fmt::format(
      "{}: {} results file{} and no prediction; make some with tuneproof run --predict --json FILE",
      fmt::join(paths, ", "), reader.files(), reader.files() == 1 ? "" : "s"));
}

int scorecard_command(const ScorecardArguments& arguments) {
  const bool prints = arguments.json == "-";
  const auto paths = paths_of(arguments);
  const Written file("--json", prints ? "" : arguments.json);
  const Written misses("--misses", arguments.misses);
  const Written rows("--rows", arguments.rows);
  misses.refuse_file_of(file);
  rows.refuse_file_of(file);
  rows.refuse_file_of(misses);
  Scorecard card;
  ScorecardReader reader(card, arguments.stand_in);
  for (const auto& path : paths) reader.read(path);
  for (const auto* written : {&file, &misses, &rows}) written->spare_results(reader);
  const auto measured = card.known;
  std::ranges::move(shipped_rows(), std::back_inserter(card.known));
  finish(card);
  refuse_without_predictions(card, reader, paths);
  misses.write([&] { return misses_to_json(misses_of(card.rows)); });
  rows.write([&] { return known_to_json(measured); });
  if (prints) {
    fmt::print("{}", pretty(scorecard_to_json(card)));
    return 0;
  }
  file.write([&] { return scorecard_to_json(card); });
  fmt::print("{}", scorecard_text(card, style_of(stdout)));
  return 0;
}

}  // namespace

void add_scorecard(CLI::App& app, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<ScorecardArguments>();
  auto* command = app.add_subcommand(
      "scorecard", "Show how good the predictions of `run --predict` were, over results files");
  command->add_option("RESULTS", arguments->paths, "Results files, or folders of them; default: results");
  command->add_option("--json", arguments->json, "Write everything as JSON; - prints it instead of the text")
      ->type_name("FILE");
  command
      ->add_option(
          "--misses", arguments->misses,
          "Write how far these predictions were off; harness/predict/shipped_misses.json is such a file")
      ->type_name("FILE");
  command
      ->add_option("--rows", arguments->rows,
                   "Write what these rows saved; harness/predict/shipped_rows.json is such a file")
      ->type_name("FILE");
  results::declare_stand_in(*command, arguments->stand_in);
  command->footer(
      "An error is the predicted less the measured saving, as a share of the naive form's time.\n"
      "An interval held if it overlaps the measured one. MORE and LESS count misses that saved\n"
      "more, or less, than predicted. WIDTH is the median width of the intervals and SCORE their mean\n"
      "interval score, both as shares of the same time: the lower the better. The last lines compare\n"
      "other rules, two of which ignore the work; what a row saved on another machine comes\n"
      "from these files and from those that the program brings along. docs/predictions.md describes the\n"
      "model.\n"
      "\n"
      "Examples:\n"
      "  tuneproof run 'stgym/*' --suite quick --predict --json r.json\n"
      "  tuneproof scorecard r.json\n"
      "  tuneproof scorecard results/ --json -");
  command->callback([arguments, &chosen] { chosen = [arguments] { return scorecard_command(*arguments); }; });
}

}  // namespace harness::predict
