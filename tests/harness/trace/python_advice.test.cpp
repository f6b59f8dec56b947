#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <ranges>
#include <string>

using namespace harness;
using namespace harness::trace;

namespace {

Finding with_steps_of(std::string_view kind) {
  Finding finding{.id = std::string(kind), .message = ""};
  for (const auto step : finding_kind(kind)->steps) finding.steps.emplace_back(step);
  return finding;
}

}  // namespace

TEST_CASE("below a finding stand the Python lines of its first step, whole, so that they can be typed",
          "[trace]") {
  CHECK(python_advice(with_steps_of("item_sync"), {}) ==
        "          in Python, as in sync/item_every_step:\n"
        "            total = torch.zeros((), device=losses[0].device)\n"
        "            for loss in losses:\n"
        "                total += loss.detach()\n"
        "            total = total.item()  # waits once\n");
  CHECK(
      python_advice(with_steps_of("loader_transform"), {}) ==
      "          in Python, as in dataload/workers_slow_source:\n"
      "            loader = DataLoader(slow_dataset, batch_size=8, num_workers=4, persistent_workers=True)\n"
      "            for epoch in range(2):  # loads beside the training; starts four workers once\n"
      "                total = sum(batch.sum() for batch in loader)\n");
}

TEST_CASE("a remark that does not fit a narrow terminal is left out", "[trace]") {
  CHECK(python_advice(with_steps_of("zero_grad_fills"), {.columns = 50}) ==
        "          in Python, as in optimizer/zero_grad_none:\n"
        "            for inputs, targets in loader:\n"
        "                optimizer.zero_grad()\n"
        "                loss_fn(model(inputs), targets).backward()\n"
        "                optimizer.step()\n");
}

TEST_CASE("no lines stand below a finding whose steps show what the trace does already", "[trace]") {
  CHECK(python_advice(with_steps_of("recomputation"), {}).empty());
  CHECK(python_advice(with_steps_of("autocast_without_unit"), {}).empty());
  CHECK(python_advice(Finding{.id = "item_sync", .message = ""}, {}).empty());
}

TEST_CASE("every other finding with steps has Python lines, at most eight of 104 columns", "[trace]") {
  for (const auto& kind : finding_kinds()) {
    if (kind.steps.empty() || kind.id == "recomputation" || kind.id == "autocast_without_unit") continue;
    const auto text = python_advice(with_steps_of(kind.id), {});
    INFO(kind.id);
    CHECK_FALSE(text.empty());
    CHECK(std::ranges::count(text, '\n') <= 9);
    for (const auto line : std::views::split(text, '\n')) CHECK(std::ranges::ssize(line) <= 104);
  }
}
