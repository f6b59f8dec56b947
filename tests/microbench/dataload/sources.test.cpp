#include "microbench/dataload/sources.hpp"

#include "microbench/dataload/epoch.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <vector>

namespace {

using namespace microbench;

std::vector<std::byte> batch(const harness::BatchSource& source, std::int64_t index, std::size_t size) {
  std::vector<std::byte> out(size);
  source.produce(index, out);
  return out;
}

TEST_CASE("each batch of a source is the same when it is made again and unlike its neighbour", "[dataload]") {
  for (const auto& source : loader_sources()) {
    CHECK(batch(source, 3, 4096) == batch(source, 3, 4096));
    CHECK(batch(source, 3, 4096) != batch(source, 4, 4096));
  }
}

TEST_CASE("an epoch gives the same checksum whoever loads it and however often", "[dataload]") {
  EpochPlan plan{ready_source, 20, 4096, 0, WorkerKind::threads};
  const auto expected = start_epochs(plan).run();
  for (const auto kind : {WorkerKind::threads, WorkerKind::processes})
    for (const int workers : {0, 1, 3}) {
      plan.kind = kind;
      plan.workers = workers;
      const auto epochs = start_epochs(plan);
      CHECK(epochs.run() == expected);
      CHECK(epochs.run() == expected);
    }
}

TEST_CASE("an epoch gives the same checksum with workers of its own and with a longer queue", "[dataload]") {
  EpochPlan plan{ready_source, 20, 4096, 2, WorkerKind::threads};
  const auto expected = start_epochs(plan).run();
  for (const auto kind : {WorkerKind::threads, WorkerKind::processes}) {
    plan.kind = kind;
    plan.prefetch = 5;
    CHECK(start_epochs(plan).run() == expected);
    const auto epoch = start_in_each_epoch(plan);
    CHECK(epoch() == expected);
    CHECK(epoch() == expected);
  }
}

TEST_CASE("the checksum of an epoch depends on the order of its batches", "[dataload]") {
  harness::BatchSource backwards = ready_source;
  backwards.produce = [](std::int64_t index, std::span<std::byte> out) {
    ready_source.produce(19 - index, out);
  };
  const auto forwards = start_epochs({ready_source, 20, 4096, 0, WorkerKind::threads}).run();
  CHECK(start_epochs({backwards, 20, 4096, 0, WorkerKind::threads}).run() != forwards);
}

}  // namespace
