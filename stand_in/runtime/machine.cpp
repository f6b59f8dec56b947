#include "stand_in/runtime/machine.hpp"

#include "stand_in/runtime.hpp"
#include "stand_in/runtime/call.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <unistd.h>

namespace stand_in {

Machine& machine() {
  static auto* const all = [] {
    auto* const made = new Machine;
    catch_faults();
    return made;
  }();
  return *all;
}

ThreadState& this_thread() {
  static thread_local ThreadState state;
  return state;
}

ThreadState::~ThreadState() {
  for (const auto& [on, stream] : own_streams) stream->stop();
}

Machine::Machine()
    : settings(read_settings()),
      memory(settings.devices, settings.memory),
      record(settings.record, settings.trace),
      calls(settings.calls),
      captures(settings.seed),
      kernels(settings.major, settings.minor),
      process_(getpid()) {}

void Machine::end_with_process(const std::string& name) {
  const std::lock_guard lock(ends_);
  if (ends_behind_.insert(name).second) std::atexit([] { machine().end(); });
}

void Machine::end() {
  constexpr auto longest = std::chrono::seconds(1);  // a kernel may wait for a host that no longer answers
  if (is_forked()) return;                           // the threads are the parent's
  if (ending_.exchange(true)) return;
  std::vector<Mark> queued;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& device : devices_) std::ranges::move(device->all_work(), std::back_inserter(queued));
  }
  for (const auto& mark : queued) mark.stream->wait_for(mark.ticket, longest);
}

bool Machine::is_forked() const { return getpid() != process_; }

Device& Machine::device(int index) {
  const std::lock_guard lock(mutex_);
  while (devices_.size() <= static_cast<std::size_t>(index))
    devices_.push_back(std::make_unique<Device>(static_cast<int>(devices_.size())));
  return *devices_[static_cast<std::size_t>(index)];
}

std::shared_ptr<Stream> Machine::stream(cudaStream_t handle) {
  const auto index = this_thread().device;
  if (handle == nullptr || handle == cudaStreamLegacy) return device(index).legacy();
  if (handle == cudaStreamPerThread) {
    auto& own = this_thread().own_streams[index];
    if (!own) own = device(index).add_stream(cudaStreamDefault, 0);
    return own;
  }
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(handle);
  return found == streams_.end() ? nullptr : found->second;
}

cudaStream_t Machine::add_stream(unsigned flags, int priority) {
  auto stream = device(this_thread().device).add_stream(flags, priority);
  const auto handle = reinterpret_cast<cudaStream_t>(stream.get());
  const std::lock_guard lock(mutex_);
  streams_[handle] = std::move(stream);
  return handle;
}

bool Machine::remove_stream(cudaStream_t handle) {
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(handle);
  if (found == streams_.end()) return false;
  found->second->stop();
  streams_.erase(found);
  return true;
}

std::shared_ptr<Event> Machine::event(cudaEvent_t handle) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(handle);
  return found == events_.end() ? nullptr : found->second;
}

cudaEvent_t Machine::add_event(unsigned flags) {
  auto event = std::make_shared<Event>(this_thread().device, flags);
  const auto handle = reinterpret_cast<cudaEvent_t>(event.get());
  const std::lock_guard lock(mutex_);
  events_[handle] = std::move(event);
  return handle;
}

bool Machine::remove_event(cudaEvent_t handle) {
  const std::lock_guard lock(mutex_);
  return events_.erase(handle) == 1;
}

bool Machine::reaches(int from, int to) {
  if (from == to) return true;
  auto& peers = device(from).peers;
  const std::lock_guard lock(mutex_);
  return peers.contains(to);
}

cudaError_t Machine::set_peer(int from, int to, bool on) {
  auto& peers = device(from).peers;
  const std::lock_guard lock(mutex_);
  if (on) return peers.insert(to).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
  return peers.erase(to) == 1 ? cudaSuccess : cudaErrorPeerAccessNotEnabled;
}

void Machine::require_reach(int owner) {
  const auto& state = this_thread();
  if ((!state.launching && state.running == nullptr) || reaches(state.device, owner)) return;
  throw HostPointer("memory of device " + std::to_string(owner) + ", which device " +
                    std::to_string(state.device) + " does not reach (see cudaDeviceEnablePeerAccess)");
}

void Machine::lose(cudaError_t error) {
  int none = cudaSuccess;
  lost_.compare_exchange_strong(none, error);
}

void fail(cudaError_t error, const std::string& why) {
  std::fprintf(stderr, "stand-in: the device fails with %s: %s\n", cudaGetErrorName(error), why.c_str());
  machine().lose(error);
}

void drain() { wait_for(machine().device(this_thread().device).all_work()); }

}  // namespace stand_in
