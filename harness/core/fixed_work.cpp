#include "harness/core/fixed_work.hpp"

#include "harness/core/slot.hpp"

namespace harness::inline core {
namespace {

/// A chain of multiplications in which each needs the one before: neither memory nor the number of cores has
/// a part in it.
void multiply(int links) {
  std::uint64_t state = 1;
  for (int i = 0; i < links; ++i) state = state * 6364136223846793005u + 1442695040888963407u;
  [[maybe_unused]] volatile std::uint64_t kept = state;  // else the loop is left out
}

/// The links that take as long as the work; of both the better of two runs counts.
int links_of(const std::function<void()>& work) {
  constexpr int some = 100'000, least = 100, most = 1'000'000'000;
  const auto better = [](const auto& run) { return std::min(host_seconds(run), host_seconds(run)); };
  const auto links = some * better(work) / better([] { multiply(some); });
  return static_cast<int>(std::clamp<double>(links, least, most));
}

}  // namespace

Trial beside_fixed_work(Setup& setup, std::function<void()> work) {
  const auto links = setup.calibrated("links of the fixed work", [&] { return links_of(work); });
  return {.naive = [links] { multiply(links); },
          .optimized = std::move(work),
          .clear = [] {},
          .answer = [](Form) -> Answer { return std::vector{std::byte{1}}; }};  // there is no other to equal
}

}  // namespace harness::inline core
