#include "harness/machine/program_commit.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/run_program.hpp"

#include <cstdlib>

namespace harness::inline machine {
namespace {

/// Empty where the folder is in no repository, or there is no git.
std::string commit_of_git(const std::filesystem::path& folder) {
  try {
    const Command describe{
        "git", {"-C", folder.string(), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"}};
    auto [exit, said] = run_program(describe, {});
    if (exit != Exit{}) return {};
    return said.substr(0, said.find('\n'));
  } catch (const BadInput&) {
    return {};
  }
}

}  // namespace

std::string program_commit(const std::filesystem::path& folder) {
  if (auto commit = commit_of_git(folder); !commit.empty()) return commit;
  for (const auto* name : {"GITHUB_SHA", "CI_COMMIT_SHA"})
    if (const auto* const value = std::getenv(name);
        value != nullptr && *value != '\0')  // NOLINT(concurrency-mt-unsafe)
      return std::string(value).substr(0, 12);
  return "unknown";
}

}  // namespace harness::inline machine
