#include "harness/pages/explain.hpp"

#include "harness/catalogue/in_python.hpp"
#include "harness/compare/history.hpp"
#include "harness/pages/assembly.hpp"
#include "harness/pages/lesson.hpp"
#include "harness/pages/narrow.hpp"
#include "harness/pages/search.hpp"
#include "harness/pages/topics.hpp"
#include "harness/results/results.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/support/usual_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>

namespace harness::pages {
namespace {

struct ExplainArguments {
  std::vector<std::string> words;
  std::string step;  // they, with blanks between them
  bool json = false;
  bool markdown = false;
  bool assembly = false;
  std::vector<std::string> results;
  std::string prices;
  std::string history;
  results::StandIn stand_in = results::StandIn::refuse;
};

void add_history_results(const std::string& file, const catalogue::Step& step, MeasuredHere& here) {
  const compare::History history(file, compare::Database::Mode::read);
  for (const auto& series : history.series()) {
    if (std::ranges::find(step.rows, series.row, &catalogue::Row::name) == step.rows.end()) continue;
    here.results.push_back({.row = series.row,
                            .from = file,
                            .started = series.started.back(),
                            .commit = series.commits.back(),
                            .machine = "machine " + series.machine.substr(0, 19),
                            .ratio = std::exp(series.ratio.back())});
  }
}

/// Files that were named are read or complained about; the usual ones only where they are there.
MeasuredHere measured_here(const ExplainArguments& arguments, const catalogue::Program& program,
                           const catalogue::Step& step) {
  MeasuredHere here;
  here.has_prices = !prices_named_for(program.step_prices, step.id).empty();
  const auto prices = or_usual(arguments.prices, usual_prices);
  if (!prices.empty())
    here.prices =
        prices_bearing_on(read_shown_prices(prices, arguments.stand_in), program.step_prices, step.id);
  const auto note = [&](const std::string& file) {
    here.looked_in += (here.looked_in.empty() ? "" : ", ") + file;
  };
  for (const auto& file : arguments.results) {
    std::ranges::move(results_of(results::read_results(file, arguments.stand_in), file, step),
                      std::back_inserter(here.results));
    note(file);
  }
  const auto history = or_usual(arguments.history, usual_history);
  if (!history.empty()) {
    add_history_results(history, step, here);
    note(history);
  }
  here.results = latest(std::move(here.results), step);
  return here;
}

Json prices_json(const ShownPrices& prices) {
  auto rows = Json::array();
  for (const auto& row : prices.rows)
    rows.push_back({{"name", row.name},
                    {"seconds", row.seconds},
                    {"bytes_per_second", row.bytes_per_second > 0 ? Json(row.bytes_per_second) : Json()}});
  return {{"from", prices.from}, {"rows", std::move(rows)}};
}

Json results_json(const std::vector<LastResult>& results) {
  auto rows = Json::array();
  for (const auto& result : results) {
    Json row{{"row", result.row},
             {"from", result.from},
             {"started", result.started},
             {"commit", result.commit},
             {"machine", result.machine},
             {"other_machine", result.other_machine},
             {"verdict", Json()},
             {"ratio", Json()},
             {"ratio_ci", Json()},
             {"naive", result.naive},
             {"optimized", result.optimized},
             {"reason", result.reason}};
    if (result.verdict) row["verdict"] = to_string(*result.verdict);
    if (result.ratio > 0) row["ratio"] = finite(result.ratio);
    if (result.interval) row["ratio_ci"] = {finite(result.interval->low), finite(result.interval->high)};
    rows.push_back(std::move(row));
  }
  return rows;
}

Json page_json(const catalogue::Program& program, const catalogue::Step& step, const MeasuredHere& here) {
  const auto sources = sources_of(program, step);
  auto page = catalogue::step_json(step);
  page["lesson"] = whole_lesson(sources);
  page["code"] = Json::array();
  for (const auto& code : code_parts(step, sources))
    page["code"].push_back({{"file", code.file},
                            {"first_line", code.first_line},
                            {"last_line", code.last_line},
                            {"text", code.text}});
  const auto lesson = parts_of(page["lesson"].get<std::string>());
  auto expected = Json::array();
  for (const auto& field : expectations_of(step)) expected.push_back(field.text);
  page["parts"] = {{"title", lesson.title},
                   {"question", lesson.question},
                   {"hardware", lesson.hardware},
                   {"forms", {{"measured", lesson.measured}, {"code", page["code"]}}},
                   {"when", {{"text", lesson.when}, {"prices", prices_json(here.prices)}}},
                   {"published",
                    {{"figure", step.published},
                     {"expected", std::move(expected)},
                     {"claim_ids", step.claim_ids},
                     {"last_results", results_json(here.results)}}},
                   {"answer", lesson.answer}};
  if (const auto lines = catalogue::in_python(step.id))
    page["parts"]["in_python"] = {{"before", lines->before},
                                  {"after", lines->after},
                                  {"note", lines->note},
                                  {"none", lines->none},
                                  {"needs_cuda", lines->needs_cuda}};
  return page;
}

/// Topics are drawings as well as text: Markdown must leave them as they are.
int explain_topic(const ExplainArguments& arguments) {
  if (!arguments.markdown || arguments.step == "topics") return run_topic(arguments.step, arguments.json);
  const auto& topic = find_topic(arguments.step);
  fmt::print("# {}\n\n```{}```\n", title_of(topic), topic.text.substr(title_of(topic).size()));
  return 0;
}

constexpr std::string_view prefix_of_commands = "tuneproof ";

/// Pages that are near: those of a folder or a glob, else those that the words are about; `first` is said
/// above them. Exit code.
int list_pages(const std::vector<FoundPage>& pages, const ExplainArguments& arguments,
               const std::string& first = {}) {
  if (arguments.json) {
    auto list = Json::array();
    for (const auto& page : pages) list.push_back({{"name", page.name}, {"title", page.title}});
    Json found{{"pages", std::move(list)}};
    if (!first.empty()) found["said"] = first;
    fmt::print("{}\n", found.dump(2));
    return 0;
  }
  std::size_t longest = 0;
  for (const auto& page : pages) longest = std::max(longest, page.name.size());
  const auto name_columns = static_cast<int>(longest) + 2;
  const auto style = style_of(stdout);
  if (!first.empty()) fmt::print("{}\n", indented("", first, 0, style));
  fmt::print("Pages about '{}', the best first:\n\n", printable(arguments.step));
  for (const auto& page : pages) fmt::print("{}", entry_text(page.name, page.title, name_columns, style));
  const bool commands = std::ranges::any_of(
      pages, [](const FoundPage& page) { return page.name.starts_with(prefix_of_commands); });
  const auto next = fmt::format("`tuneproof explain NAME` shows one{}.",
                                commands ? "; of a command, `tuneproof COMMAND --help`" : "");
  fmt::print("\n{}", indented("", next, 0, style));
  return 0;
}

std::vector<FoundPage> commands_of(const CLI::App& app) {
  std::vector<FoundPage> commands;
  for (const auto* command : app.get_subcommands({}))
    commands.push_back({std::string(prefix_of_commands) + command->get_name(), command->get_description()});
  return commands;
}

bool is_step_or_row(const catalogue::Catalogue& catalogue, const std::string& name) {
  return std::ranges::any_of(catalogue.steps, [&](const catalogue::Step& step) {
    return step.id == name || std::ranges::find(step.rows, name, &catalogue::Row::name) != step.rows.end();
  });
}

/// "sync/nosuch", "sync/nosuch/n:16".
bool looks_like_an_id(std::string_view word) {
  const auto slash = word.find('/');
  if (slash == word.npos || slash == 0 || slash + 1 == word.size()) return false;
  const auto is_of_ids = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return word.find(' ') == word.npos && is_of_ids(word.front()) && is_of_ids(word[slash + 1]);
}

/// What is said above the pages that were found for words in the form of an id; empty of other words.
std::string no_step_text(const catalogue::Catalogue& catalogue, const std::string& word) {
  if (!looks_like_an_id(word)) return {};
  const auto folder = word.substr(0, word.find('/'));
  const bool known = std::ranges::any_of(
      catalogue.steps, [&](const catalogue::Step& step) { return step.id.starts_with(folder + "/"); });
  const auto list = known ? fmt::format("`tuneproof list {0}` lists those of {0}", folder)
                          : std::string("`tuneproof list` lists them all");
  return fmt::format("There is no step {}; {}.", printable(word), list);
}

int run_explain(const catalogue::Program& program, const std::vector<FoundPage>& commands,
                const ExplainArguments& arguments) {
  if (asks_for_topics(arguments.step)) return explain_topic(arguments);
  if (!is_step_or_row(program.catalogue, arguments.step) && !arguments.assembly) {
    if (const auto pages = pages_like(program, arguments.step); !pages.empty())
      return list_pages(pages, arguments);
    const bool several_words = arguments.step.find(' ') != arguments.step.npos;
    const auto near = pages_near(program.catalogue, arguments.step);
    const bool misspelt = !near.empty() && !several_words && arguments.step.find('/') != arguments.step.npos;
    const auto found = misspelt ? FoundPages() : search_pages(program, commands, arguments.step);
    const auto first = no_step_text(program.catalogue, arguments.step);
    if (!found.pages.empty()) return list_pages(found.pages, arguments, first.empty() ? found.said : first);
    if (near.empty() || several_words)
      throw BadInput(fmt::format(
          "no page found about '{}'; run 'tuneproof explain topics' to list the topics", arguments.step));
  }
  const auto& step = find_step(program.catalogue, arguments.step);
  if (arguments.assembly) return print_assembly(program, step);
  const auto here = measured_here(arguments, program, step);
  if (arguments.json) {
    fmt::print("{}\n", page_json(program, step, here).dump(2));
    return 0;
  }
  const auto page = step_page(step, sources_of(program, step), here);
  show_lines(stdout, arguments.markdown ? page_markdown(page) : page_text(page, style_of(stdout)));
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<ExplainArguments>();
  auto* command =
      app.add_subcommand("explain", "Explain one step, with the code of both sides, or one topic; or search");
  command
      ->add_option("WORDS", arguments->words,
                   "A step, a row, a topic, 'topics' to list these, a folder, or words to search for")
      ->required();
  auto* json = command->add_flag("--json", arguments->json, "Print it as JSON");
  command->add_flag("--markdown", arguments->markdown, "Print it as Markdown")->excludes(json);
  command->add_flag("--assembly", arguments->assembly, "Print its kernels' PTX and SASS, or compiled source")
      ->excludes(json);
  add_value(*command, "--results", arguments->results, "FILE",
            "Also show the last result in these files (run --json)");
  add_value(*command, "--history", arguments->history, "FILE",
            "Also show this history; default: history.sqlite where it exists");
  add_value(*command, "--prices", arguments->prices, "FILE",
            "Also show these prices (prices --benchmark_out); default: prices.json where it exists");
  results::declare_stand_in(*command, arguments->stand_in);
  command->footer(
      "Examples:\n"
      "  tuneproof explain sync/item_every_step\n"
      "  tuneproof explain sync/item_every_step --results r.json --prices prices.json\n"
      "  tuneproof explain topic/warm_up\n"
      "  tuneproof explain why is my GPU idle\n\n"
      "Topics:\n" +
      topic_names_text());
  command->callback([arguments, &app, &program, &chosen] {
    arguments->step = fmt::format("{}", fmt::join(arguments->words, " "));
    chosen = [arguments, &program, commands = commands_of(app)] {
      return run_explain(program, commands, *arguments);
    };
  });
}

}  // namespace harness::pages
