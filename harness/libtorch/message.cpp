#include "harness/libtorch/message.hpp"

#include <cstring>

namespace harness::inline libtorch {

Reply reply_of(End end, std::string_view why) {
  Reply reply{.end = end};
  std::memcpy(reply.why, why.data(), std::min(why.size(), sizeof reply.why - 1));
  return reply;
}

std::uint64_t digest_of(const Answer& answer) {
  // FNV-1a: a replica that has drifted is no adversary.
  constexpr std::uint64_t offset = 0xcbf29ce484222325;
  constexpr std::uint64_t prime = 0x100000001b3;
  const auto bytes = std::visit([](const auto& values) { return std::as_bytes(std::span(values)); }, answer);
  if (bytes.empty()) return 0;
  auto digest = offset;
  for (const auto byte : bytes) digest = (digest ^ std::to_integer<std::uint64_t>(byte)) * prime;
  return digest;
}

}  // namespace harness::inline libtorch
