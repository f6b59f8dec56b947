// The tests' own main(): a ProcessLoader starts this same program again as its worker.
#include "tests/harness/support/test_sources.hpp"

#include "harness/support/channel.hpp"
#include "harness/support/process_loader.hpp"

#include <catch2/catch_session.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>

namespace loader_test {
namespace {

void put(std::span<std::byte> out, std::string_view text) {
  std::memset(out.data(), 0, out.size());
  std::memcpy(out.data(), text.data(), std::min(out.size(), text.size()));
}

void count(std::int64_t index, std::span<std::byte> out) { put(out, std::to_string(index)); }

void throw_at_1(std::int64_t index, std::span<std::byte> out) {
  if (index == 1) throw std::runtime_error("the file is gone");
  count(index, out);
}

void no_memory_at_1(std::int64_t index, std::span<std::byte> out) {
  if (index == 1) throw std::bad_alloc();
  count(index, out);
}

void killed_at_2(std::int64_t index, std::span<std::byte> out) {
  if (index == 2) std::raise(SIGKILL);
  count(index, out);
}

void exit_at_0(std::int64_t, std::span<std::byte>) { _exit(3); }

void never(std::int64_t, std::span<std::byte>) {
  for (;;) pause();
}

void openmp_threads(std::int64_t, std::span<std::byte> out) {
  const char* value = std::getenv("OMP_NUM_THREADS");
  put(out, value == nullptr ? "none" : value);
}

void process_of(std::int64_t, std::span<std::byte> out) { put(out, std::to_string(getpid())); }

constexpr harness::BatchSource all[] = {
    {"count", count},
    {"throw_at_1", throw_at_1},
    {"no_memory_at_1", no_memory_at_1},
    {"killed_at_2", killed_at_2},
    {"exit_at_0", exit_at_0},
    {"never", never},
    {"openmp_threads", openmp_threads},
    {"process_of", process_of},
};

}  // namespace

std::span<const harness::BatchSource> sources() { return all; }

const harness::BatchSource& source(std::string_view name) {
  for (const auto& s : all)
    if (s.name == name) return s;
  throw std::out_of_range("no test source of that name");
}

int leave_orphans() {
  const harness::ProcessLoader loader(source("never"), {.batches = 9, .batch_bytes = 64, .workers = 2});
  for (const auto process : loader.processes()) std::printf("%d\n", process);
  std::fflush(stdout);
  std::raise(SIGKILL);
  return 1;
}

}  // namespace loader_test

int main(int argc, char** argv) {
  if (harness::is_loader_call(argc, argv)) return harness::loader_main(argc, argv, loader_test::sources());
  if (argc > 1 && std::strcmp(argv[1], "--leave-orphans") == 0) return loader_test::leave_orphans();
  return Catch::Session().run(argc, argv);
}
