#include "harness/support/read_text.hpp"

#include "prices/curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace prices {
namespace {

/// Lines of the balance that tell how good a machine is.
constexpr std::array<std::string_view, 6> telling{"device: share of its data sheet",
                                                  "beside the machines of results/",
                                                  "copies that get slower with size",
                                                  "copies h2d, pinned",
                                                  "copies d2h, pinned",
                                                  "shortest kernel that hides a launch"};

}  // namespace

std::vector<std::string> machine_lines(const std::filesystem::path& file, std::string_view place) {
  const auto json = harness::parse_json(harness::read_text(file, harness::most_results_bytes), file.string());
  if (!is_price_file(json)) return {};
  const auto data = curves_data(harness::Field(json, file.string()));
  if (data["context"].value("fingerprint", std::string()) != place) return {};
  std::vector<std::string> lines;
  for (const auto& line : data["balance"]) {
    const auto about = line["about"].get<std::string>();
    if (line["said"].empty() || std::ranges::find(telling, about) == telling.end()) continue;
    lines.push_back(
        fmt::format("{}: {}", about, fmt::join(line["said"].get<std::vector<std::string>>(), "; ")));
  }
  return lines;
}

}  // namespace prices
