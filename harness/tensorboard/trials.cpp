#include "harness/tensorboard/trials.hpp"

#include "harness/tensorboard/event_records.hpp"

#include <algorithm>
#include <set>

namespace harness::tensorboard {
namespace {

// Fields of TensorBoard's plugin_data.proto and api.proto, and of protobuf's struct.proto.
constexpr auto hparams = "hparams";
constexpr int of_experiment = 2, of_start = 3, of_end = 4;  // in HParamsPluginData

std::string hparams_record(double wall_time, const char* tag, int field, const Message& content) {
  return plugin_record({wall_time, 0}, tag, hparams, Message().message(field, content));
}

/// google.protobuf.Value
Message value_of(const Setting& setting) {
  constexpr int number = 2, string = 3, boolean = 4;
  if (const auto* flag = std::get_if<bool>(&setting)) return Message().whole(boolean, *flag ? 1 : 0);
  if (const auto* text = std::get_if<std::string>(&setting)) return Message().bytes(string, *text);
  return Message().real(number, std::get<double>(setting));
}

/// DataType
std::uint64_t type_of(const Setting& setting) {
  constexpr std::uint64_t types[] = {2, 3, 1};  // bool, double, string: in the variant's order
  return types[setting.index()];
}

}  // namespace

std::string experiment_file(std::span<const Trial> trials) {
  std::map<std::string, std::uint64_t> knobs;
  std::set<std::string> results;
  double begun = 0;
  for (const auto& trial : trials) {
    for (const auto& [name, setting] : trial.settings) knobs.emplace(name, type_of(setting));
    for (const auto& [name, value] : trial.results) results.insert(name);
    begun = begun == 0 ? trial.started : std::min(begun, trial.started);
  }
  Message experiment;
  experiment.real(3, begun);
  for (const auto& [name, type] : knobs) experiment.message(4, Message().bytes(1, name).whole(4, type));
  for (const auto& name : results) experiment.message(5, Message().message(1, Message().bytes(2, name)));
  return version_record(begun) + hparams_record(begun, "_hparams_/experiment", of_experiment, experiment);
}

std::string trial_file(const Trial& trial) {
  constexpr std::uint64_t succeeded = 1, failed = 2;  // Status
  Message start;
  for (const auto& [name, setting] : trial.settings)
    start.message(1, Message().bytes(1, name).message(2, value_of(setting)));
  start.bytes(4, trial.name).real(5, trial.started);
  const auto end = Message().whole(1, trial.succeeded ? succeeded : failed).real(2, trial.ended);
  auto text = version_record(trial.started) +
              hparams_record(trial.started, "_hparams_/session_start_info", of_start, start);
  for (const auto& [name, value] : trial.results)
    text += scalar_record({trial.ended, 0}, name, static_cast<float>(value));
  return text + hparams_record(trial.ended, "_hparams_/session_end_info", of_end, end);
}

}  // namespace harness::tensorboard
