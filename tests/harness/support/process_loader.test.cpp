#include "harness/support/process_loader.hpp"

#include "tests/harness/support/test_sources.hpp"

#include "harness/support/remote_work.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using harness::ProcessLoader;
using loader_test::source;

std::string text_of(std::span<const std::byte> batch) { return reinterpret_cast<const char*>(batch.data()); }

std::vector<std::string> drain(ProcessLoader& loader) {
  std::vector<std::string> all;
  while (const auto batch = loader.next()) all.push_back(text_of(*batch));
  return all;
}

std::vector<std::string> first(int n) {
  std::vector<std::string> all;
  for (int i = 0; i < n; ++i) all.push_back(std::to_string(i));
  return all;
}

bool is_gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

bool maps_batches() {
  std::ifstream maps("/proc/self/maps");
  const std::string all((std::istreambuf_iterator<char>(maps)), {});
  return all.find("tuneproof-batches") != std::string::npos;
}

TEST_CASE("batches come in order, however many processes make them", "[loader]") {
  for (const int workers : {0, 1, 2, 3}) {
    ProcessLoader loader(source("count"), {.batches = 100, .batch_bytes = 64, .workers = workers});
    CHECK(drain(loader) == first(100));
    CHECK_FALSE(loader.next());
  }
}

TEST_CASE("a batch larger than a page arrives whole", "[loader]") {
  ProcessLoader loader(source("count"), {.batches = 5, .batch_bytes = 4097, .workers = 2});
  while (const auto batch = loader.next()) CHECK(batch->size() == 4097);
}

TEST_CASE("workers are processes of their own and stay over the epochs", "[loader]") {
  ProcessLoader loader(source("process_of"), {.batches = 4, .batch_bytes = 64, .workers = 2});
  std::set<std::string> expected;
  for (const auto process : loader.processes()) expected.insert(std::to_string(process));
  for (int epoch = 0; epoch < 3; ++epoch) {
    loader.restart();
    const auto seen = drain(loader);
    CHECK(std::set(seen.begin(), seen.end()) == expected);
  }
}

TEST_CASE("a restarted loader counts from 0 again, also where workers share an epoch unevenly", "[loader]") {
  ProcessLoader loader(source("count"), {.batches = 7, .batch_bytes = 64, .workers = 2});
  for (int epoch = 0; epoch < 5; ++epoch) {
    loader.restart();
    CHECK(drain(loader) == first(7));
  }
}

TEST_CASE("restarting a loader of processes in the middle of an epoch is refused", "[loader]") {
  ProcessLoader loader(source("count"), {.batches = 3, .batch_bytes = 64, .workers = 1});
  CHECK(loader.next());
  CHECK_THROWS_AS(loader.restart(), std::logic_error);
}

TEST_CASE("a worker process computes with one OpenMP thread", "[loader]") {
  ProcessLoader loader(source("openmp_threads"), {.batches = 1, .batch_bytes = 64, .workers = 1});
  CHECK(drain(loader) == std::vector<std::string>{"1"});
}

TEST_CASE("what a source throws is thrown by next() in that batch's place", "[loader]") {
  ProcessLoader loader(source("throw_at_1"), {.batches = 3, .batch_bytes = 64, .workers = 2});
  CHECK(text_of(loader.next().value()) == "0");
  CHECK_THROWS_WITH(loader.next(), "loader worker 1, batch 1: the file is gone");
  CHECK(text_of(loader.next().value()) == "2");
}

TEST_CASE("a source without memory says so", "[loader]") {
  ProcessLoader loader(source("no_memory_at_1"), {.batches = 2, .batch_bytes = 64, .workers = 1});
  CHECK(text_of(loader.next().value()) == "0");
  CHECK_THROWS_WITH(loader.next(), "loader worker 0, batch 1: needs more memory than is available");
}

TEST_CASE("a killed worker is an error that names it and the signal, and stays one", "[loader]") {
  ProcessLoader loader(source("killed_at_2"), {.batches = 9, .batch_bytes = 64, .workers = 2});
  CHECK(loader.next());
  CHECK(loader.next());
  const auto process = std::to_string(loader.processes()[0]);
  const auto message =
      "loader worker 0 (process " + process + ") was killed by signal 9 (Killed) before batch 2";
  CHECK_THROWS_WITH(loader.next(), message);
  CHECK_THROWS_WITH(loader.next(), message);
}

TEST_CASE("a worker that exits is an error that names its exit code", "[loader]") {
  ProcessLoader loader(source("exit_at_0"), {.batches = 9, .batch_bytes = 64, .workers = 1});
  CHECK_THROWS_WITH(loader.next(), EndsWith("exited with 3 before batch 0"));
}

TEST_CASE("a source that the worker does not know is an error, not a hang", "[loader]") {
  ProcessLoader loader({"unheard_of", nullptr}, {.batches = 1, .batch_bytes = 64, .workers = 1});
  CHECK_THROWS_WITH(loader.next(), ContainsSubstring("exited with 1"));
}

TEST_CASE("a worker that cannot be started is an error at once", "[loader]") {
  CHECK_THROWS_WITH(
      ProcessLoader(source("count"),
                    {.batches = 1, .batch_bytes = 64, .workers = 1, .executable = "/nowhere/worker"}),
      ContainsSubstring("/nowhere/worker"));
}

TEST_CASE("a loader leaves no process, descriptor or memory behind", "[loader]") {
  const auto descriptors = open_descriptors();
  std::vector<pid_t> processes;
  {
    ProcessLoader loader(source("never"), {.batches = 9, .batch_bytes = 64, .workers = 3});
    processes = loader.processes();
    CHECK(maps_batches());
  }
  for (const auto process : processes) CHECK(is_gone(process));
  CHECK(open_descriptors() == descriptors);
  CHECK_FALSE(maps_batches());
}

TEST_CASE("workers end with a parent that is killed", "[loader]") {
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // the orphans become ours, so that their end can be waited for
  std::vector<pid_t> orphans;
  FILE* parent = popen("/proc/$PPID/exe --leave-orphans 2>/dev/null", "r");
  REQUIRE(parent != nullptr);
  for (int orphan = 0; std::fscanf(parent, "%d", &orphan) == 1;) orphans.push_back(orphan);
  pclose(parent);
  CHECK(orphans.size() == 2);
  for (const auto orphan : orphans) CHECK(waitpid(orphan, nullptr, 0) == orphan);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_CASE("a worker's environment is the plan's where it says something", "[loader]") {
  ProcessLoader loader(source("openmp_threads"),
                       {.batches = 1, .batch_bytes = 64, .workers = 1, .environment = {"OMP_NUM_THREADS=7"}});
  CHECK(drain(loader) == std::vector<std::string>{"7"});
}

TEST_CASE("remote work runs when it is called, each time anew, and in one process", "[loader]") {
  harness::RemoteWork work(source("count"), 64, {});
  CHECK(text_of(work.answer()) == "0");
  work.run();
  work.run();
  CHECK(text_of(work.answer()) == "2");
  work.forget();
  CHECK(work.answer().empty());
}

TEST_CASE("remote work that throws says why, and one whose process dies says how", "[loader]") {
  harness::RemoteWork throws(source("throw_at_1"), 64, {});
  CHECK_THROWS_WITH(throws.run(), ContainsSubstring("the file is gone"));
  harness::RemoteWork dies(source("killed_at_2"), 64, {});
  dies.run();
  CHECK_THROWS_WITH(dies.run(), ContainsSubstring("was killed by signal 9"));
}

}  // namespace
