#include "harness/cli/usage.hpp"

#include "harness/cli/near_miss.hpp"

#include <CLI/CLI.hpp>

namespace harness {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    if (option->nonpositional()) names.push_back("--" + option->get_lnames().front());
  return names;
}

std::string unexpected(const CLI::App& app) {
  const auto words = app.remaining(true);
  const auto& word = words.front();
  const auto named = app.get_subcommands();
  if (named.empty()) {
    if (word.starts_with("-"))
      return "there is no option '" + word + "'" + did_you_mean(word, option_names(app));
    return "there is no command '" + word + "'" + did_you_mean(word, command_names(app));
  }
  const auto& command = *named.front();
  if (word.starts_with("-"))
    return command.get_name() + " has no option '" + word + "'" + did_you_mean(word, option_names(command));
  return command.get_name() + " has no use for '" + word + "'";
}

}  // namespace

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const auto named = app.get_subcommands();
  const auto help = named.empty() ? "tuneproof --help" : "tuneproof " + named.front()->get_name() + " --help";
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const auto said = extras && !app.remaining(true).empty() ? unexpected(app) : std::string(error.what());
  return said.ends_with('?') ? said : said + "; see " + help;
}

}  // namespace harness
