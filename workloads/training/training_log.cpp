#include "workloads/training/training_log.hpp"

#include "harness/support/replace_file.hpp"

#include "workloads/settings/train_settings.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <system_error>

namespace workloads::training {
namespace {

using std::chrono::steady_clock;

/// Made here: a folder that is already there gets a number behind its name.
std::filesystem::path new_folder(const std::filesystem::path& wanted) {
  constexpr int most_folders = 10'000;
  harness::make_folders_of(wanted);
  auto folder = wanted;
  for (int number = 2; number < most_folders; ++number) {
    std::error_code error;
    if (std::filesystem::create_directory(folder, error)) return folder;
    if (error)
      throw harness::BadInput(fmt::format("--log {}: cannot be made: {}", folder.string(), error.message()));
    folder = wanted.string() + fmt::format("-{}", number);
  }
  throw harness::BadInput(fmt::format("--log {}: is full of logs", wanted.string()));
}

/// The loss once the device has it. The copy is queued behind what computes it, so that nobody waits here.
std::function<double()> when_known(const at::Tensor& loss) {
  if (!loss.is_cuda()) return [loss] { return loss.item<double>(); };
  const auto copy = at::empty(loss.sizes(), loss.options().device(at::kCPU).pinned_memory(true));
  copy.copy_(loss, /*non_blocking=*/true);
  const auto done = std::make_shared<at::cuda::CUDAEvent>();
  done->record();
  return [copy, done] {
    done->synchronize();
    return copy.item<double>();
  };
}

/// Of this process; on a CUDA device, what LibTorch holds there.
double memory_mib(at::Device device) {
  constexpr double mib = 1 << 20;
  if (device.is_cuda()) {
    const auto all = static_cast<std::size_t>(c10::CachingDeviceAllocator::StatType::AGGREGATE);
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device.index());
    return static_cast<double>(stats.reserved_bytes[all].current) / mib;
  }
  std::ifstream statm("/proc/self/statm");
  double all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / mib;
}

std::function<double()> known(double value) {
  return [value] { return value; };
}

}  // namespace

std::vector<harness::catalogue::Option> log_options(const std::string& steps) {
  return {
      {"log", "FOLDER",
       "Log each training to its end for TensorBoard: loss, accuracy, samples per second, waiting, memory",
       steps},
      {"log-every", "N", "Log every Nth step; default 10", steps}};
}

std::optional<LogPlan> log_plan(const harness::Setup& setup, const std::string& workload) {
  const auto folder = setup.option("log", "");
  const auto every = settings::count_option(setup.options, "log-every", 10);
  if (folder.empty()) return std::nullopt;
  return LogPlan{std::filesystem::path(folder) / workload, every};
}

TrainingLog::TrainingLog(const LogPlan& plan, const std::string& name, at::Device device)
    : device_(device),
      every_(plan.every),
      since_(steady_clock::now()),
      log_(new_folder(plan.folder / name)) {}

void TrainingLog::step(const at::Tensor& loss, std::int64_t samples) {
  ++step_;
  samples_ += samples;
  if (step_ % every_ != 0) return;
  const auto now = steady_clock::now();
  const auto seconds = std::chrono::duration<double>(now - since_).count();
  const auto waited = std::chrono::duration<double>(waited_).count();
  log_.put(step_, {{"training/loss", when_known(loss)},
                   {"training/samples_per_second", known(static_cast<double>(samples_) / seconds)},
                   {"training/waiting_share", known(waited / seconds)},
                   {"training/memory_mib", known(memory_mib(device_))}});
  samples_ = 0;
  waited_ = {};
  since_ = steady_clock::now();
}

void TrainingLog::validated(double loss, std::optional<double> right) {
  std::vector<harness::results::LoggedScalar> scalars{{"validation/loss", known(loss)}};
  if (right) scalars.push_back({"validation/accuracy", known(*right)});
  log_.put(step_, std::move(scalars));
  samples_ = 0;  // the time of a validation is none of the training's
  waited_ = {};
  since_ = steady_clock::now();
}

std::shared_ptr<TrainingLog> begin_log(const std::optional<LogPlan>& plan, const std::string& name,
                                       at::Device device) {
  return plan ? std::make_shared<TrainingLog>(*plan, name, device) : nullptr;
}

Course::Course(std::function<std::vector<Numbers>(std::int64_t epoch)> batches_of)
    : batches_of_(std::move(batches_of)) {
  rewind(0);
}

void Course::rewind(std::int64_t epoch, std::int64_t batch) {
  losses_.clear();
  epoch_ = epoch;
  batches_ = batches_of_(epoch);
  cursor_ = static_cast<std::size_t>(batch) % batches_.size();
}

bool Course::advance() {
  if (++cursor_ < batches_.size()) return false;
  begin_next_epoch();
  return true;
}

void Course::begin_next_epoch() {
  batches_ = batches_of_(++epoch_);
  cursor_ = 0;
}

std::vector<Numbers> Course::batches_left() const {
  return {batches_.begin() + static_cast<std::ptrdiff_t>(cursor_), batches_.end()};
}

const at::Tensor& Course::only_loss() const {
  if (losses_.size() != 1) throw std::logic_error("a first step is asked for after none or several");
  return losses_.front();
}

std::vector<float> Course::finite_losses() const {
  if (losses_.empty()) return {};
  const auto all = at::stack(losses_).to(at::kFloat).cpu();
  const auto* data = all.const_data_ptr<float>();
  std::vector<float> values(data, data + all.numel());
  const auto bad = std::ranges::find_if(values, [](float loss) { return !std::isfinite(loss); });
  if (bad != values.end())
    throw std::runtime_error(fmt::format("batch {}: the loss is not finite", bad - values.begin() + 1));
  return values;
}

}  // namespace workloads::training
