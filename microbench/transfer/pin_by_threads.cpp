// Do not pin memory for each request where many threads serve requests.
//
// Question: The threads of a server send a tensor each to the device, again and again. They pin memory for
// each request first, or copy the bytes as they lie. What becomes of the difference with eight threads?
//
// To pin memory is a call into the driver, which holds a lock while pages are mapped, kept in place and
// entered into the device's tables. One thread pays its own price only (transfer/pinned_alloc_cost). Threads
// that pin at the same time wait in a queue, and so does every other call that wants the lock: now and then a
// request takes many times as long as it usually does. LibTorch's cache of pinned blocks hides it while a
// block is free; with many requests under way none may be, since a block that a copy still reads from is not
// given out again, and it asks the driver after all.
//
// When it does not matter: where each thread keeps one pinned block and uses it again, which is best of all;
// for `bytes:16KiB` most of the time, since the driver serves small blocks out of larger ones that it has.
//
// A row starts `threads` threads, each with a stream of its own; each serves four requests one after the
// other and waits for each to arrive. The first side pins, copies on the host, sends and frees. The second
// sends the ordinary memory as it is. The time is that of all requests, so what one waits for another is in
// it; the rare stall of a single one is not seen in a median.
//
// Answer: It grows, since under the lock eight threads are one. The source had stalls of up to 12 ms a call
// with 24 requests at once on an H100, and copying without pinning cured them.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

#include <future>

namespace microbench::transfer_pin_by_threads {

constexpr int requests = 4;  // of each thread
constexpr Axis axes[] = {
    {.name = "threads", .about = "that serve requests at once", .values = {1, 8}, .quick = {8}},
    {.name = "bytes",
     .about = "of each request",
     .values = {16 << 10, 4 << 20},
     .quick = {4 << 20},
     .unit = Unit::bytes}};

/// What one thread sends, and where to.
struct Server {
  Server(std::size_t size, std::uint64_t seed) : source(size), target(size) {
    fill_pattern(source.bytes(), seed);
  }

  void send(const std::byte* from) const {
    check(cudaMemcpyAsync(target.data(), from, target.size(), cudaMemcpyHostToDevice, stream.get()));
    stream.synchronize();
  }
  void send_pinned() const {
    const PinnedBuffer pinned(source.size());
    std::memcpy(pinned.data(), source.data(), source.size());
    send(pinned.data());
  }

  PageableBuffer source;
  DeviceBuffer target;
  Stream stream;
};

struct State {
  State(const Setup& setup, std::size_t threads, std::size_t size) : device(setup.device.index) {
    for (std::size_t i = 0; i < threads; ++i)
      servers.push_back(std::make_unique<Server>(size, setup.seed + i));
  }

  /// Each server on a thread of its own; what fails in one is thrown here.
  template <class Request>
  void serve_all(const Request& request) const {
    std::vector<std::future<void>> threads;
    for (const auto& server : servers)
      threads.push_back(std::async(std::launch::async, [&, one = server.get()] {
        check(cudaSetDevice(device));
        for (int i = 0; i < requests; ++i) request(*one);
      }));
    for (auto& thread : threads) thread.get();
  }

  int device;
  std::vector<std::unique_ptr<Server>> servers;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto threads = static_cast<std::size_t>(point["threads"]);
  const auto size = static_cast<std::size_t>(point["bytes"]);
  require_device_memory(threads * size);
  const auto s = std::make_shared<State>(setup, threads, size);
  return {
      .naive = [s] { s->serve_all([](const Server& server) { server.send_pinned(); }); },
      .optimized = [s] { s->serve_all([](const Server& server) { server.send(server.source.data()); }); },
      .clear =
          [s] {
            for (const auto& server : s->servers) scribble(server->target, server->stream);
          },
      .answer = [s](Form) -> Answer {
        std::vector<std::byte> all;
        for (const auto& server : s->servers) {
          const auto arrived = read_back(server->target, server->stream);
          all.insert(all.end(), arrived.begin(), arrived.end());
        }
        return all;
      },
      .bytes_moved = threads* requests* size,
  };
}

extern constexpr Step step = checked({
    .id = "transfer/pin_by_threads",
    .claim = "Threads that send their requests as they lie are faster than threads that pin each first.",
    .sides = {"pinned for each", "as they are"},
    .source = {"vLLM", "https://github.com/vllm-project/vllm/pull/37006", "pull request 37006"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "stalls of up to 12 ms a call gone (24 requests at a time, H100)",
                    .about = "threads:8/bytes:4MiB"},
});

}  // namespace microbench::transfer_pin_by_threads
