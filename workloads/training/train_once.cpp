#include "workloads/training/train_once.hpp"

#include "harness/core/median.hpp"

#include "workloads/training/growth.hpp"

#include <chrono>
#include <vector>

namespace workloads::training {

harness::worker::Trained train_once(const harness::Device& device, const std::function<TrainingWork()>& make,
                                    const harness::worker::TellPart& tell) {
  using Clock = std::chrono::steady_clock;
  harness::worker::Trained trained;
  trained.peak_bytes = growth_by(device, [&] {
    const auto work = make();
    trained.batch = work.batch;
    trained.epoch = work.epoch;
    std::vector<double> behind_first;
    for (int part = 1; part <= harness::worker::training_parts; ++part) {
      const auto begin = Clock::now();
      work.train_part();
      const std::chrono::duration<double> seconds = Clock::now() - begin;
      const auto of_sample = seconds.count() / static_cast<double>(work.samples_of_part);
      if (part > 1) behind_first.push_back(of_sample);
      trained.seconds_per_sample = part > 1 ? harness::median(behind_first) : of_sample;
      tell(part, of_sample);
    }
    trained.loss = work.loss();
  });
  return trained;
}

}  // namespace workloads::training
