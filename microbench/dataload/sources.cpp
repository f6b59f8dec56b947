#include "microbench/dataload/sources.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <random>
#include <thread>
#include <vector>

namespace microbench {
namespace {

void fill(std::span<std::byte> out, std::uint64_t seed) {
  std::minstd_rand engine(static_cast<std::uint_fast32_t>(seed + 1));
  for (std::size_t i = 0; i < out.size(); i += sizeof(std::uint32_t)) {
    const auto word = static_cast<std::uint32_t>(engine());
    std::memcpy(out.data() + i, &word, std::min(sizeof word, out.size() - i));
  }
}

/// Waits like a thread that waits for a device: the processor is free meanwhile.
void wait_for_sample() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

void produce_slowly(std::int64_t index, std::span<std::byte> out) {
  for (std::size_t at = 0; at < out.size(); at += slow_sample_bytes) wait_for_sample();
  std::memset(out.data(), static_cast<int>(index % 251), out.size());
}

/// Waits like a thread that waits for a disk; then a batch that tells its index.
template <class WaitOf>
void wait_and_fill(std::int64_t index, std::span<std::byte> out, const WaitOf& wait_of) {
  std::this_thread::sleep_for(wait_of(index));
  std::memset(out.data(), static_cast<int>(index % 251), out.size());
}

void produce_evenly(std::int64_t index, std::span<std::byte> out) {
  wait_and_fill(index, out, [](std::int64_t) { return std::chrono::microseconds(480); });
}

void produce_unevenly(std::int64_t index, std::span<std::byte> out) {
  wait_and_fill(index, out,
                [](std::int64_t i) { return std::chrono::microseconds(i % 16 == 8 ? 4000 : 250); });
}

/// Processor time of this thread so far. Time in which the process was stopped does not count.
std::chrono::nanoseconds thread_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

void keep_busy(std::int64_t index, std::span<std::byte> out) {
  std::minstd_rand engine;
  const auto end = thread_time() + std::chrono::microseconds(index > 0 ? out.size() : 0);
  while (thread_time() < end) engine.discard(100'000);   // asks seldom: a processor in the kernel is not load
  [[maybe_unused]] const volatile auto used = engine();  // or nothing would have to be computed
  std::memcpy(out.data(), &index, std::min(sizeof index, out.size()));
}

/// Made at the first batch of a process, as a data set that is read into memory once.
const std::vector<std::byte>& data_set() {
  static const std::vector<std::byte> all = [] {
    std::vector<std::byte> bytes(16 << 20);
    fill(bytes, 0);
    return bytes;
  }();
  return all;
}

void produce_from_memory(std::int64_t index, std::span<std::byte> out) {
  const auto& all = data_set();
  const auto batches = all.size() / out.size();
  const auto at = static_cast<std::size_t>(index) % batches * out.size();
  std::memcpy(out.data(), all.data() + at, out.size());
}

}  // namespace

constexpr harness::BatchSource slow_source{"dataload/slow_source", produce_slowly};
constexpr harness::BatchSource ready_source{"dataload/ready_source", produce_from_memory};
constexpr harness::BatchSource even_source{"dataload/even_source", produce_evenly};
constexpr harness::BatchSource uneven_source{"dataload/uneven_source", produce_unevenly};
constexpr harness::BatchSource busy_source{"dataload/busy_source", keep_busy};

std::span<const harness::BatchSource> loader_sources() {
  static constexpr harness::BatchSource all[] = {slow_source, ready_source, even_source, uneven_source,
                                                 busy_source};
  return all;
}

}  // namespace microbench
