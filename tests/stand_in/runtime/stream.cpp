#include "tests/stand_in/runtime/stream.hpp"

#include "tests/stand_in/runtime.hpp"
#include "tests/stand_in/runtime/machine.hpp"
#include "tests/stand_in/runtime/thread_state.hpp"

#include <chrono>
#include <exception>
#include <thread>

namespace stand_in {
namespace {

/// Sebastiano Vigna's splitmix64: as good as independent for neighbouring inputs.
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

void be_late(std::uint64_t stream, std::uint64_t number) {
  const auto& settings = machine().settings;
  if (!settings.seed || settings.delay_us == 0) return;
  const auto random = scrambled(scrambled(scrambled(*settings.seed) + stream) + number);
  std::this_thread::sleep_for(std::chrono::microseconds(random % (settings.delay_us + 1)));
}

}  // namespace

Stream::Stream(int on_device, unsigned with_flags, int with_priority)
    : device(on_device), flags(with_flags), priority(with_priority), id(machine().new_id()) {}

bool Stream::is_blocking() const { return (flags & cudaStreamNonBlocking) == 0; }

std::uint64_t Stream::push(Item item) {
  const std::lock_guard lock(mutex_);
  if (!started_) {
    started_ = true;
    std::thread([self = shared_from_this()] { self->work_off(); }).detach();
  }
  queue_.push_back(std::move(item));
  more_.notify_one();
  return ++submitted_;
}

void Stream::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  more_.notify_one();
}

Mark Stream::mark() {
  const std::lock_guard lock(mutex_);
  return {shared_from_this(), submitted_};
}

bool Stream::has_reached(std::uint64_t ticket) {
  const std::lock_guard lock(mutex_);
  return completed_ >= ticket;
}

void Stream::wait_for(std::uint64_t ticket) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return completed_ >= ticket; });
}

void Stream::work_off() {
  this_thread().device = device;
  std::unique_lock lock(mutex_);
  for (;;) {
    more_.wait(lock, [&] { return !queue_.empty() || stopped_; });
    if (queue_.empty()) return;
    auto item = std::move(queue_.front());
    queue_.pop_front();
    const auto number = completed_;
    lock.unlock();
    run(item, number);
    item = {};  // what the work holds goes before anybody learns that it has ended
    lock.lock();
    ++completed_;
    done_.notify_all();
  }
}

void Stream::run(Item& item, std::uint64_t number) {
  be_late(id, number);
  for (const auto& mark : item.after) mark.stream->wait_for(mark.ticket);
  if (machine().lost() != cudaSuccess && !item.even_if_lost) return;
  this_thread().running = &item.name;
  try {
    item.work();
  } catch (const HostPointer& error) {
    fail(cudaErrorIllegalAddress, item.name + ": " + error.what());
  } catch (const std::exception& error) {
    fail(cudaErrorLaunchFailure, item.name + ": " + error.what());
  }
  this_thread().running = nullptr;
}

}  // namespace stand_in
