#include "workloads/tuning/proof.hpp"

#include "workloads/tuning/settings_option.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace workloads::tuning {

TwoSettings settings_at(const harness::Setup& setup, const harness::Point& point,
                        const harness::catalogue::TunableWorkload& workload) {
  const harness::catalogue::TuningPlace place{setup.options, setup.device, setup.threads};
  const auto all = settings_in(place, workload);
  const auto at = static_cast<std::size_t>(point["setting"]);
  if (all.empty())
    throw harness::Skip(
        fmt::format("no settings of {} were given; --config FILE takes them", workload.workload));
  if (at > all.size()) throw harness::Skip(fmt::format("--config has {} settings, not {}", all.size(), at));
  Settings standard = standard_of(workload.knobs(place));
  return {std::move(standard), all[at - 1]};
}

std::vector<harness::Figure> fresh_losses(harness::Setup& setup, std::string_view workload,
                                          const TwoSettings& settings, const LossOf& loss) {
  constexpr std::uint64_t beyond_trials = 1'000'003;
  const auto mean = [&](const Settings& of) {
    const auto first = setup.seed + beyond_trials;
    return (loss(of, first) + loss(of, first + 1)) / 2;
  };
  const auto naive = setup.shared<double>(fmt::format("{}: loss of the standard settings", workload),
                                          [&] { return mean(settings.standard); });
  return {{std::string(loss_figure), "", *naive, mean(settings.chosen)}};
}

}  // namespace workloads::tuning
