// The store in which the processes of a job meet, and what they say to each other in it beside what ranks
// say to rank 0.
#pragma once

#include "harness/libtorch/message.hpp"

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>

namespace harness::inline libtorch {

using Store = c10::intrusive_ptr<c10d::Store>;
using Bytes = std::vector<std::uint8_t>;

/// Listens at that address and nowhere else until the store goes. Throws BadInput where it cannot.
Store open_store(const std::string& address, int port, std::chrono::milliseconds patience);
/// Connects to it; nothing where nobody listens there in time.
Store reach_store(const std::string& address, int port, std::chrono::milliseconds patience);
/// The part of a store whose keys begin with `prefix`.
Store part_of(const Store& store, const std::string& prefix);

/// True as soon as the key or an entry of the queue is there. Throws what LibTorch throws where the store is
/// gone.
bool comes(const Store& store, const std::string& key, std::chrono::milliseconds time);
/// True if the queue has an entry now.
bool waits(const Store& store, const std::string& queue);

/// This machine's address on the way to another one: where others can reach it. Throws std::system_error.
std::string own_address(const std::string& towards, int port);

/// To a process of the job: start a fresh rank; pass a request on to it; end it; the run is over.
enum class Order : std::uint8_t { start, request, leave, over };

/// An order, and behind it the call of a rank, a request, or the exit code.
struct JobMessage {
  Order order = Order::leave;
  std::string text = {};
};

Bytes to_bytes(const JobMessage& message);
/// Throws std::runtime_error where that is none.
JobMessage job_message_from(const Bytes& bytes);

/// What as_text() has made of it. Throws std::runtime_error where the text has another length.
Reply reply_from(std::string_view text);

/// The keys below it.
std::string orders_of(int rank);                            // a queue: what the process is to do
std::string whereabouts_of(int rank);                       // where it is, once it has come
std::string started_by(const std::string& team, int rank);  // that it has a fresh rank for that team
std::string replies_of(const std::string& team, int rank);  // a queue: what this rank has replied

}  // namespace harness::inline libtorch
