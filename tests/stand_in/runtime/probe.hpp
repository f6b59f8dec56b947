// What the tests of the stand-in's runtime share.
#pragma once

#include "stand_in/runtime.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <sys/wait.h>
#include <utility>

namespace stand_in::probe {

/// Work that waits for it goes on when it is opened.
class Gate {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { open(); }

  void open() {
    if (!std::exchange(open_, true)) promise_.set_value();
  }
  std::function<void()> waiting() const {
    return [future = future_] { future.wait(); };
  }

 private:
  bool open_ = false;
  std::promise<void> promise_;
  std::shared_future<void> future_{promise_.get_future()};
};

/// As a kernel's launch.
inline cudaError_t launch(cudaStream_t stream, std::function<void()> work) {
  return submit(stream, "kernel", std::move(work));
}

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamNonBlocking) { cudaStreamCreateWithFlags(&handle_, flags); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(handle_); }
  operator cudaStream_t() const { return handle_; }

 private:
  cudaStream_t handle_{};
};

class Event {
 public:
  explicit Event(unsigned flags = cudaEventDefault) { cudaEventCreateWithFlags(&handle_, flags); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(handle_); }
  operator cudaEvent_t() const { return handle_; }

 private:
  cudaEvent_t handle_{};
};

/// `size` bytes from cudaMalloc.
class Memory {
 public:
  explicit Memory(std::size_t size) { cudaMalloc(&data_, size); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { cudaFree(data_); }
  char* data() const { return static_cast<char*>(data_); }

 private:
  void* data_ = nullptr;
};

/// `size` bytes from cudaMallocHost.
class Pinned {
 public:
  explicit Pinned(std::size_t size) { cudaMallocHost(&data_, size); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(data_); }
  char* data() const { return static_cast<char*>(data_); }

 private:
  void* data_ = nullptr;
};

struct Ended {
  int status = 0;     // of the process, 128 and more for a signal
  std::string words;  // what it printed
};

/// Runs a hidden test of this program in a process of its own, where it may fail or die.
inline Ended run_alone(const std::string& test, const std::string& environment = {}) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto command = environment + " '" + program + "' '" + test + "' 2>&1";
  Ended ended;
  FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 4096> part{};
  while (const auto size = std::fread(part.data(), 1, part.size(), pipe))
    ended.words.append(part.data(), size);
  ended.status = WEXITSTATUS(pclose(pipe));
  return ended;
}

}  // namespace stand_in::probe
