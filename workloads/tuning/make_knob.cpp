#include "workloads/tuning/make_knob.hpp"

#include "harness/core/parse_number.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace workloads::tuning {

Knob number_knob(const std::string& name, const std::string& about, const std::vector<std::int64_t>& values,
                 std::int64_t standard, const std::string& code) {
  Knob knob{.name = name,
            .about = about,
            .values = {},
            .standard = std::to_string(standard),
            .ordered = true,
            .in_code = {}};
  for (const auto value : values) {
    knob.values.push_back(std::to_string(value));
    if (!code.empty()) knob.in_code.push_back(fmt::format(fmt::runtime(code), value));
  }
  return knob;
}

Knob batch_knob(const std::string& about, std::vector<std::int64_t> sizes, std::int64_t standard) {
  if (std::ranges::find(sizes, standard) == sizes.end()) sizes.push_back(standard);
  std::ranges::sort(sizes);
  auto knob = number_knob("batch_size", about, sizes, standard, "DataLoader(batch_size={})");
  knob.changes_answer = true;
  knob.advice = knob.values.back();
  return knob;
}

std::vector<Knob> rate_knobs() {
  return {{.name = "learning_rate",
           .about = "the learning rate as a multiple of the standard one",
           .values = {"0.25", "0.5", "1", "2", "4"},
           .standard = "1",
           .ordered = true,
           .changes_answer = true,
           .in_code = {"lr=0.25 * lr", "lr=0.5 * lr", "", "lr=2 * lr", "lr=4 * lr"}},
          {.name = "rate_grows",
           .about = "no: the rate stays whatever the batch; with_batch: it grows as the batch does",
           .values = {"no", "with_batch"},
           .standard = "no",
           .advice = "with_batch",
           .changes_answer = true,
           .in_code = {"", "lr=lr * batch_size / the standard batch_size"}}};
}

Knob threads_knob(int most) {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return number_knob("threads", "threads that LibTorch's operators use", counts, most,
                     "torch.set_num_threads({})");
}

Knob workers_knob(const std::vector<std::int64_t>& counts) {
  auto knob = number_knob("workers", "workers that make the batches ahead; 0: the training makes them itself",
                          counts, 0, "DataLoader(num_workers={})");
  knob.advice = "2";
  return knob;
}

Knob execution_knob(bool on_cuda) {
  Knob knob{.name = "execution",
            .about = "operators one by one; compiled by torch's compiler into one function",
            .values = {"operators", "compiled"},
            .standard = "operators",
            .advice = "compiled",
            .in_code = {"", "torch.compile(model)"}};
  if (!on_cuda) return knob;
  knob.about += "; or recorded once as a CUDA graph";
  knob.values.emplace_back("cuda_graph");
  knob.in_code.emplace_back("torch.cuda.graph(...) around the step");
  return knob;
}

double number_of(const Settings& settings, const std::string& name) {
  const auto found = settings.find(name);
  const auto number = found == settings.end() ? std::nullopt : harness::parse_number<double>(found->second);
  if (!number) throw harness::BadInput("settings: " + name + " is missing or no number");
  return *number;
}

bool has(const Settings& settings, const std::string& name, const std::string& value) {
  const auto found = settings.find(name);
  return found != settings.end() && found->second == value;
}

Settings standard_of(const std::vector<Knob>& knobs) {
  Settings settings;
  for (const auto& knob : knobs) settings[knob.name] = knob.standard;
  return settings;
}

double rate_factor(const Settings& settings, std::int64_t standard_batch) {
  const auto factor = number_of(settings, "learning_rate");
  if (!has(settings, "rate_grows", "with_batch")) return factor;
  return factor * number_of(settings, "batch_size") / static_cast<double>(standard_batch);
}

}  // namespace workloads::tuning
