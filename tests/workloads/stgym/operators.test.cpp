// The naive form beside STGym's first version, operator by operator: workloads/stgym/operators.md.
#include "tests/workloads/stgym/golden_file.hpp"
#include "tests/workloads/stgym/operator_reasons.hpp"

#include "harness/libtorch/kineto.hpp"
#include "harness/trace/op_table.hpp"
#include "harness/trace/trace.hpp"

#include "workloads/stgym/train/torch_modes.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace workloads::stgym;
using Calls = std::map<std::string, std::int64_t, std::less<>>;

constexpr std::int64_t graphs = 16;
constexpr std::int64_t nodes = 89;  // of a graph

bool is_counted(std::string_view name) { return name.starts_with("aten::"); }

/// The batch of the reference: the numbers differ, the sizes do not.
Batch some_batch(const ModelShape& shape) {
  std::vector<GraphItem> items;
  for (std::int64_t g = 0; g < graphs; ++g) {
    const auto from = at::arange(nodes - 1, at::kLong);
    const auto to = from + 1;
    const auto edges = at::cat({at::stack({from, to}), at::stack({to, from})}, 1);
    items.push_back({at::rand({nodes, shape.features}), at::randint(shape.classes, {nodes}, at::kLong), edges,
                     adjacency_of(edges, nodes)});
  }
  return join(items);
}

/// Two threads, as the reference had: with one, cat takes another way through the same copy.
class TwoThreads {
 public:
  TwoThreads() : before_(at::get_num_threads()) { at::set_num_threads(2); }
  ~TwoThreads() { at::set_num_threads(before_); }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;

 private:
  int before_;
};

/// Calls of each operator in one training step of the naive form, without anomaly detection's.
Calls ours() {
  const TwoThreads threads;
  Switches naive;
  naive.no_anomaly = true;
  const Modes modes(naive);
  const ModelShape shape;
  const auto batch = some_batch(shape);
  Model model(shape, 1, at::kCPU);
  workloads::training::Optimizer adam(model.parameters(), recipe_of({}), /*fused=*/false);
  const auto step = [&] {
    adam.zero_grad();
    backward(model.losses(model.forward(batch, naive), batch).total, naive);
    adam.step();
  };
  step();  // the optimizer's tensors are made in the first one
  harness::Kineto recording({});
  recording.start();
  step();
  const auto file = std::filesystem::temp_directory_path() / fmt::format("operators.{}.json", getpid());
  recording.save(file.string());
  const auto trace = harness::trace::read_trace(file.string());
  std::filesystem::remove(file);
  Calls calls;
  for (const auto& row : harness::trace::op_table(trace).rows)
    if (is_counted(row.name)) calls[row.name] = row.calls;
  return calls;
}

Calls theirs() {
  Calls calls;
  const auto file = golden::load("optable/cpu_stgym_first_version.optable.json");
  for (const auto& row : file.at("rows"))
    if (is_counted(row.at("name").get<std::string>())) calls[row.at("name")] = row.at("calls");
  return calls;
}

struct OperatorCalls {
  std::string name;
  std::int64_t theirs = 0;
  std::int64_t ours = 0;
};

/// By falling calls of the first version, then of ours.
std::vector<OperatorCalls> beside_each_other() {
  std::map<std::string, OperatorCalls> rows;
  for (const auto& [name, calls] : theirs()) rows[name].theirs = calls;
  for (const auto& [name, calls] : ours()) rows[name].ours = calls;
  std::vector<OperatorCalls> all;
  for (auto& [name, row] : rows) all.push_back({name, row.theirs, row.ours});
  std::ranges::stable_sort(all, [](const OperatorCalls& a, const OperatorCalls& b) {
    return std::pair(-a.theirs, -a.ours) < std::pair(-b.theirs, -b.ours);
  });
  return all;
}

/// LibTorch's own operators changed with 2.15, which the table is of.
constexpr bool is_libtorch_of_table = TORCH_VERSION_MINOR >= 15;

std::string_view reason(std::string_view name) {
  const auto* found = std::ranges::find(operator_reasons, name, &OperatorReason::name);
  if (found == std::end(operator_reasons)) return "";
  return found->why == negative_count && !is_libtorch_of_table ? "" : found->why;
}

std::string table() {
  std::string text = "| operator | first version | ours, naive | why |\n|---|---|---|---|\n";
  for (const auto& row : beside_each_other())
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, row.theirs, row.ours,
                        row.theirs == row.ours ? "" : reason(row.name));
  return text;
}

TEST_CASE("golden: the naive form calls each operator as often as STGym's first version, or says why not",
          "[stgym][golden]") {
  for (const auto& row : beside_each_other()) {
    INFO(row.name << ": " << row.theirs << " there, " << row.ours << " here");
    CHECK((row.theirs == row.ours) == reason(row.name).empty());
  }
}

/// The table of workloads/stgym/operators.md, between the lines that say so.
TEST_CASE("the table of operators is the one that this build calls", "[stgym][golden]") {
  if constexpr (!is_libtorch_of_table) SKIP("the table is of LibTorch 2.15");
  const std::filesystem::path file = "workloads/stgym/operators.md";
  std::stringstream all;
  all << std::ifstream(file).rdbuf();
  auto text = all.str();
  constexpr std::string_view begin = "<!-- operators -->\n";
  const auto from = text.find(begin);
  const auto to = text.find("<!-- end of operators -->");
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  const auto made = table();
  const auto shown = text.substr(from + begin.size(), to - from - begin.size());
  if (std::getenv("TUNEPROOF_WRITE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe): one thread
    std::ofstream(file) << text.replace(from + begin.size(), shown.size(), made);
    SUCCEED("written");
  } else {
    CHECK(shown == made);
  }
}

}  // namespace
