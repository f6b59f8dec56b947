// What a job's processes say to each other in its store, beside what ranks say to rank 0.
#pragma once

#include "harness/ranks/message.hpp"
#include "harness/ranks/store.hpp"

#include <string>
#include <string_view>

namespace harness::ranks {

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

/// Of this run's keys: each process of the job counts its runs, and all come to the same number.
std::string run_prefix(const Store& whole, int rank);

/// The keys below it.
std::string orders_of(int rank);                            // a queue: what the process is to do
std::string whereabouts_of(int rank);                       // where it is, once it has come
std::string farewell_of(int rank);                          // that it has heard of the end
std::string started_by(const std::string& team, int rank);  // that it has a fresh rank for that team
std::string replies_of(const std::string& team, int rank);  // a queue: what this rank has replied

}  // namespace harness::ranks
