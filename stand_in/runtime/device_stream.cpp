#include "stand_in/runtime/device_stream.hpp"

#include "stand_in/runtime.hpp"
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/machine.hpp"

#include <algorithm>
#include <exception>

namespace stand_in {
namespace {

/// Sebastiano Vigna's splitmix64: as good as independent for neighbouring inputs.
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Whether a stream starts nothing that nobody waits for. With the seed 0 every stream is like that; with the
/// seeds 1 and 2 those whose number is even or odd, with 3 and 4 by the next bit, and so on: of two streams
/// each is late in turn.
bool is_reluctant(std::uint64_t stream) {
  const auto& seed = machine().settings.seed;
  if (!seed) return false;
  if (*seed == 0) return true;
  constexpr std::uint64_t bits = 8;
  const auto bit = (*seed - 1) / 2 % bits;
  return (stream >> bit) % 2 == (*seed - 1) % 2;
}

void be_late(std::uint64_t stream, std::uint64_t number) {
  const auto& settings = machine().settings;
  if (!settings.seed || settings.delay_us == 0) return;
  const auto random = scrambled(scrambled(scrambled(*settings.seed) + stream) + number);
  std::this_thread::sleep_for(std::chrono::microseconds(random % (settings.delay_us + 1)));
}

}  // namespace

Stream::Stream(int on_device, unsigned with_flags, int with_priority)
    : device(on_device),
      flags(with_flags),
      priority(with_priority),
      id(machine().new_id()),
      reluctant_(is_reluctant(id)) {}

bool Stream::is_blocking() const { return (flags & cudaStreamNonBlocking) == 0; }

std::uint64_t Stream::push(Item item) {
  const std::lock_guard lock(mutex_);
  if (!started_) {
    started_ = true;
    machine().end_with_process({});
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

void Stream::demand(std::uint64_t ticket) {
  const std::lock_guard lock(mutex_);
  demanded_ = std::max(demanded_, ticket);
  more_.notify_one();
}

void Stream::wait_for(std::uint64_t ticket) {
  demand(ticket);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return completed_ >= ticket; });
}

void Stream::wait_for(std::uint64_t ticket, std::chrono::milliseconds longest) {
  demand(ticket);
  std::unique_lock lock(mutex_);
  done_.wait_for(lock, longest, [&] { return completed_ >= ticket; });
}

void Stream::work_off() {
  this_thread().device = device;
  std::unique_lock lock(mutex_);
  for (;;) {
    more_.wait(lock, [&] { return !queue_.empty() || stopped_; });
    if (queue_.empty()) return;
    if (!may_start(lock)) continue;
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

/// Waits until somebody waits for the next command, or for as long as a device might take: host code may wait
/// by looking at memory. That is from when the command's turn has come, not from when it was queued: on a
/// busy machine the host may come late to the read that ought to have waited.
bool Stream::may_start(std::unique_lock<std::mutex>& lock) {
  if (!reluctant_ || demanded_ > completed_) return true;
  constexpr auto longest = std::chrono::milliseconds(50);
  more_.wait_for(lock, longest, [this] { return demanded_ > completed_; });
  return !queue_.empty();
}

void Stream::run(Item& item, std::uint64_t number) {
  if (!machine().is_ending()) be_late(id, number);
  for (const auto& mark : item.after) mark.stream->wait_for(mark.ticket);
  const bool is_there = machine().lost() == cudaSuccess && !machine().is_ending();
  if (!is_there && !item.even_if_lost) return;
  this_thread().running = &item.name;
  try {
    item.work();
  } catch (const HostPointer& error) {
    fail(cudaErrorIllegalAddress, item.name + ": " + error.what());
  } catch (const std::exception& error) {
    fail(cudaErrorLaunchFailure, item.name + ": " + error.what());
  }
  this_thread().running = nullptr;
  machine().end_with_process(item.name);
}

Device::Device(int number) : index(number), legacy_(std::make_shared<Stream>(number, cudaStreamDefault, 0)) {}

std::shared_ptr<Stream> Device::add_stream(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(index, flags, priority);
  const std::lock_guard lock(order_);
  std::erase_if(streams_, [](const auto& one) { return one.expired(); });
  streams_.push_back(stream);
  return stream;
}

std::vector<Mark> Device::blocking_work() {
  std::vector<Mark> marks;
  for (const auto& weak : streams_)
    if (const auto stream = weak.lock(); stream && stream->is_blocking())
      if (auto mark = stream->mark(); !stream->has_reached(mark.ticket)) marks.push_back(std::move(mark));
  return marks;
}

Mark Device::enqueue(Stream& stream, Stream::Item item) {
  const std::lock_guard lock(order_);
  if (&stream == legacy_.get()) {
    auto before = blocking_work();
    item.after.insert(item.after.end(), before.begin(), before.end());
  } else if (stream.is_blocking()) {
    if (auto mark = legacy_->mark(); !legacy_->has_reached(mark.ticket))
      item.after.push_back(std::move(mark));
  }
  const auto ticket = stream.push(std::move(item));
  return {stream.shared_from_this(), ticket};
}

std::vector<Mark> Device::work_of(Stream& stream) {
  const std::lock_guard lock(order_);
  std::vector<Mark> marks;
  if (&stream == legacy_.get()) marks = blocking_work();
  marks.push_back(stream.mark());
  return marks;
}

std::vector<Mark> Device::all_work() {
  const std::lock_guard lock(order_);
  std::vector<Mark> marks{legacy_->mark()};
  for (const auto& weak : streams_)
    if (const auto stream = weak.lock()) marks.push_back(stream->mark());
  return marks;
}

void wait_for(const std::vector<Mark>& marks) {
  for (const auto& mark : marks) mark.stream->wait_for(mark.ticket);
}

bool have_ended(const std::vector<Mark>& marks) {
  for (const auto& mark : marks) mark.stream->demand(mark.ticket);
  return std::ranges::all_of(marks, [](const Mark& mark) { return mark.stream->has_reached(mark.ticket); });
}

}  // namespace stand_in
