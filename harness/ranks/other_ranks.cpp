#include "harness/ranks/other_ranks.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/ranks/blame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

namespace harness::ranks {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// What a row may well end with, on one process too.
bool is_no_trouble(const std::exception& error) {
  return dynamic_cast<const Skip*>(&error) != nullptr || dynamic_cast<const BadInput*>(&error) != nullptr ||
         dynamic_cast<const Disagreement*>(&error) != nullptr;
}

}  // namespace

std::vector<std::string> rank_names(int size) {
  std::vector<std::string> names;
  for (int rank = 0; rank < size; ++rank) names.push_back(fmt::format("rank {}", rank));
  return names;
}

OtherRanks::OtherRanks(std::vector<std::string> names, const Device& device, milliseconds patience)
    : names_(std::move(names)), device_(device), patience_(patience), replies_(names_.size()) {}

void OtherRanks::together(std::string_view message, const std::function<void()>& own) {
  if (!broken_.empty()) throw std::runtime_error(broken_);
  for (auto& reply : replies_) reply.end = End::open;
  // Who is gone is noticed where its reply is awaited.
  if (!message.empty())
    for (const auto& other : others_) other->ask(message);
  try {
    own();
  } catch (const std::exception& error) {
    if (!is_no_trouble(error)) give_up(fault_of(error, device_).sentence);
    leave(error.what());
    throw;
  }
  for (std::size_t i = 0; i < others_.size(); ++i) await(i);
}

bool OtherRanks::somebody_spoke() const {
  return std::ranges::any_of(others_, [](const auto& other) { return other->has_news(steady_clock::now()); });
}

void OtherRanks::await(std::size_t other) {
  auto& reply = replies_[other + 1];
  reply = others_[other]->answer(steady_clock::now() + patience_);
  if (reply.end != End::done) give_up("");
}

void OtherRanks::leave(const std::string& reason) {
  broken_ = reason;
  others_.clear();  // what waits for them in this process then ends at once
}

void OtherRanks::give_up(const std::string& own_reason) {
  constexpr milliseconds grace{1000};
  const auto until = steady_clock::now() + grace;
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (replies_[i + 1].end == End::open) replies_[i + 1] = others_[i]->answer(until);
  if (const auto skipped = std::ranges::find(replies_, End::skipped, &Reply::end);
      skipped != replies_.end()) {
    leave(skipped->why);
    throw Skip(broken_);
  }
  leave(who_broke_it(names_, replies_, own_reason));
  throw std::runtime_error(broken_);
}

}  // namespace harness::ranks
