#include "harness/ranks/job_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace harness::ranks {

Bytes to_bytes(const JobMessage& message) {
  Bytes bytes(1 + message.text.size());
  bytes[0] = static_cast<std::uint8_t>(message.order);
  std::ranges::copy(message.text, bytes.begin() + 1);
  return bytes;
}

JobMessage job_message_from(const Bytes& bytes) {
  if (bytes.empty() || bytes[0] > static_cast<std::uint8_t>(Order::over))
    throw std::runtime_error("a message without an order came from the job's first process");
  return {static_cast<Order>(bytes[0]), {bytes.begin() + 1, bytes.end()}};
}

Reply reply_from(std::string_view text) {
  Reply reply;
  if (text.size() != sizeof reply) throw std::runtime_error("a reply of another length");
  std::memcpy(&reply, text.data(), sizeof reply);
  reply.why[sizeof reply.why - 1] = '\0';
  return reply;
}

std::string run_prefix(const Store& whole, int rank) {
  return fmt::format("tuneproof/{}", whole->add(fmt::format("tuneproof/runs/{}", rank), 1));
}

std::string orders_of(int rank) { return fmt::format("orders/{}", rank); }
std::string whereabouts_of(int rank) { return fmt::format("whereabouts/{}", rank); }
std::string farewell_of(int rank) { return fmt::format("farewell/{}", rank); }
std::string started_by(const std::string& team, int rank) { return fmt::format("{}/started/{}", team, rank); }
std::string replies_of(const std::string& team, int rank) { return fmt::format("{}/replies/{}", team, rank); }

}  // namespace harness::ranks
