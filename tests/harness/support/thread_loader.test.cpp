#include "harness/support/thread_loader.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <atomic>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using harness::ThreadLoader;

template <class Batch>
std::vector<Batch> drain(ThreadLoader<Batch>& loader) {
  std::vector<Batch> all;
  while (auto batch = loader.next()) all.push_back(std::move(*batch));
  return all;
}

std::vector<std::int64_t> first(std::int64_t n) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST_CASE("batches come in order, however many threads make them", "[loader]") {
  for (const int workers : {0, 1, 2, 5}) {
    ThreadLoader<std::int64_t> loader({.batches = 500, .workers = workers}, [](std::int64_t i) { return i; });
    CHECK(drain(loader) == first(500));
    CHECK_FALSE(loader.next());
  }
}

TEST_CASE("a late batch holds back those that are ready before it", "[loader]") {
  std::latch second_made(1);
  ThreadLoader<std::int64_t> loader({.batches = 2, .workers = 2}, [&](std::int64_t i) {
    if (i == 0) second_made.wait();
    if (i == 1) second_made.count_down();
    return i;
  });
  CHECK(drain(loader) == first(2));
}

TEST_CASE("without workers a batch is made when it is asked for, on the caller's thread", "[loader]") {
  int made = 0;
  ThreadLoader<std::thread::id> loader({.batches = 3}, [&](std::int64_t) {
    ++made;
    return std::this_thread::get_id();
  });
  CHECK(made == 0);
  CHECK(loader.next() == std::this_thread::get_id());
  CHECK(made == 1);
}

TEST_CASE("workers run ahead by their prefetch and no further", "[loader]") {
  std::atomic<int> made = 0;
  std::latch four(4);
  ThreadLoader<int> loader({.batches = 100, .workers = 2, .prefetch = 2}, [&](std::int64_t) {
    const int before = made++;
    if (before < 4) four.count_down();
    return before;
  });
  four.wait();
  CHECK(made == 4);  // a fifth could only start once next() has made room
}

TEST_CASE("what a worker throws is thrown by next() in that batch's place", "[loader]") {
  for (const int workers : {0, 2}) {
    ThreadLoader<std::int64_t> loader({.batches = 3, .workers = workers}, [](std::int64_t i) {
      if (i == 1) throw std::runtime_error("batch 1 is unreadable");
      return i;
    });
    CHECK(loader.next() == 0);
    CHECK_THROWS_WITH(loader.next(), "batch 1 is unreadable");
    CHECK(loader.next() == 2);
    CHECK_FALSE(loader.next());
  }
}

TEST_CASE("a worker that cannot start makes next() throw", "[loader]") {
  const auto refuse = [] { throw std::runtime_error("no such device"); };
  ThreadLoader<int> loader({.batches = 3, .workers = 2, .on_start = refuse}, [](std::int64_t) { return 1; });
  CHECK_THROWS_WITH(loader.next(), "no such device");
}

TEST_CASE("destroying a loader in the middle of an epoch drops every batch it made", "[loader]") {
  const auto token = std::make_shared<int>(7);
  {
    ThreadLoader<std::shared_ptr<int>> loader({.batches = 1000, .workers = 3},
                                              [token](std::int64_t) { return token; });
    CHECK(loader.next());
  }
  CHECK(token.use_count() == 1);
}

TEST_CASE("a loader destroyed at once leaves no thread that holds its source", "[loader]") {
  const auto token = std::make_shared<int>(7);
  for (int i = 0; i < 50; ++i)
    ThreadLoader<int>({.batches = 10, .workers = 4}, [token](std::int64_t) { return *token; });
  CHECK(token.use_count() == 1);
}

TEST_CASE("a restarted loader gives the epoch again with the same threads", "[loader]") {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  ThreadLoader<std::int64_t> loader({.batches = 20, .workers = 2}, [&](std::int64_t i) {
    const std::scoped_lock lock(mutex);
    seen.insert(std::this_thread::get_id());
    return i;
  });
  for (int epoch = 0; epoch < 30; ++epoch) {
    loader.restart();
    CHECK(drain(loader) == first(20));
  }
  CHECK(seen.size() <= 2);
}

TEST_CASE("restarting in the middle of an epoch is refused", "[loader]") {
  ThreadLoader<std::int64_t> loader({.batches = 3, .workers = 1}, [](std::int64_t i) { return i; });
  loader.restart();  // nothing taken yet: nothing to do
  CHECK(loader.next() == 0);
  CHECK_THROWS_AS(loader.restart(), std::logic_error);
}

TEST_CASE("an epoch of no batches is over at once", "[loader]") {
  ThreadLoader<int> loader({.batches = 0, .workers = 2}, [](std::int64_t) { return 1; });
  CHECK_FALSE(loader.next());
}

TEST_CASE("a batch needs no copy and no default constructor", "[loader]") {
  struct Batch {
    explicit Batch(std::int64_t i) : value(std::make_unique<std::int64_t>(i)) {}
    std::unique_ptr<std::int64_t> value;
  };
  ThreadLoader<Batch> loader({.batches = 4, .workers = 2}, [](std::int64_t i) { return Batch(i); });
  std::int64_t sum = 0;
  while (const auto batch = loader.next()) sum += *batch->value;
  CHECK(sum == 6);
}

}  // namespace
