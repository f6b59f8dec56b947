#include "harness/machine/instructions.hpp"

#include "harness/support/run_program.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

using namespace harness;

namespace {

constexpr const char* folder_of_dumps = "TUNEPROOF_TEST_DUMPS";

bool is_installed(const char* program) {
  try {
    return run_program({program, {"--version"}, {}}, "").exit == Exit{};
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a dump of callgrind states its cost on the line of the totals", "[instructions]") {
  CHECK(callgrind_cost("version: 1\nevents: Ir\nfn=(1) work\n5 120\n\ntotals: 1425570956\n") == 1425570956);
  CHECK_FALSE(callgrind_cost("version: 1\nevents: Ir\n"));  // was cut
  CHECK_FALSE(callgrind_cost("totals: \n"));
}

TEST_CASE("where the kernel counts, more work has more instructions; where it does not, it says why",
          "[instructions]") {
  const auto work = [](int n) {
    volatile int sum = 0;
    for (int i = 0; i < n; ++i) sum = sum + i;
  };
  if (!why_no_counter().empty()) {
    CHECK_THROWS_AS(InstructionCount(std::filesystem::path()), std::runtime_error);
    return;
  }
  InstructionCount count{std::filesystem::path()};
  const auto few = count.of([&] { work(10'000); });
  const auto many = count.of([&] { work(100'000); });
  CHECK(few > 10'000);
  CHECK(many > 5 * few);
}

TEST_CASE("without callgrind there is no dump, and the count says so", "[instructions]") {
  CHECK_THROWS_AS(InstructionCount(std::filesystem::temp_directory_path()), std::runtime_error);
}

TEST_CASE("takes of the same work, in a process that callgrind runs", "[.callgrind]") {
  const auto* const folder = std::getenv(folder_of_dumps);
  if (folder == nullptr) SKIP("the next test starts it");
  const std::function<void()> work = [] {
    volatile int sum = 0;
    for (int i = 0; i < 100; ++i) sum = sum + std::atoi("7");  // another library's: called through a stub
  };
  for (int i = 0; i < 10; ++i) work();
  InstructionCount count{std::filesystem::path(folder)};
  const auto one = count.of(work);
  CHECK(one > 1000);
  CHECK(count.of(work) == one);
}

TEST_CASE("under callgrind two takes of the same work are equal, whatever ran before them",
          "[instructions]") {
#if defined(__SANITIZE_ADDRESS__)
  SKIP("valgrind runs no program with AddressSanitizer");
#endif
  if (!is_installed("valgrind")) SKIP("valgrind is not installed");
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  auto arguments = callgrind_options(scratch.path());
  arguments.insert(arguments.end(),
                   {std::filesystem::read_symlink("/proc/self/exe").string(), "[.callgrind]"});
  const auto done = run_program(
      {"valgrind", arguments, {std::string(folder_of_dumps) + "=" + scratch.path().string()}}, "");
  INFO(done.output);
  CHECK(done.exit == Exit{});
}
