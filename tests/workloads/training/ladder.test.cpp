#include "harness/core/same_answer.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/resnet50/resnet50_rung.hpp"
#include "workloads/training/size.hpp"
#include "workloads/training/switches.hpp"
#include "workloads/unet/unet_rung.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>

namespace {

using namespace harness;
using namespace workloads;
using training::Switches;

constexpr Tolerance exact{};

struct Promises {
  const Tolerance& other_order = training::other_order;
  const Tolerance& half_precision = training::half_precision;
  const Tolerance& fused_update = training::other_order;
};
const Promises of_gpt{gpt::other_order, gpt::half_precision, gpt::fused_update};
const Promises of_resnet50{.half_precision = resnet50::half_precision};
const Promises of_unet{.other_order = unet::other_order, .fused_update = unet::other_order};

/// What each rung promises of its answer, as its record says.
const Tolerance& promised(bool Switches::* change, const Promises& promises) {
  if (change == &Switches::bf16) return promises.half_precision;
  if (change == &Switches::fused_optimizer) return promises.fused_update;
  if (change == &Switches::log_every_n || change == &Switches::gradients_to_none ||
      change == &Switches::workers || change == &Switches::transform_ahead)
    return exact;
  return promises.other_order;
}

Setup small_setup() {
  Setup setup;
  setup.seed = 7;
  return setup;
}

void check_rung(const Trial& trial, bool Switches::* change, const Promises& promises = {}) {
  CHECK_NOTHROW(check_same_answer(trial, promised(change, promises), [] {}));
}

TEST_CASE("every rung of ResNet-50 gives the answer that it promises", "[ladder]") {
  auto setup = small_setup();
  for (const auto change :
       {&Switches::log_every_n, &Switches::gradients_to_none, &Switches::workers, &Switches::transform_ahead,
        &Switches::channels_last, &Switches::bf16, &Switches::fused_optimizer})
    check_rung(training::rung_trial(setup, resnet50::job, change), change, of_resnet50);
}

TEST_CASE("every rung of the GPT gives the answer that it promises", "[ladder]") {
  auto setup = small_setup();
  for (const auto change :
       {&Switches::log_every_n, &Switches::gradients_to_none, &Switches::workers, &Switches::transform_ahead,
        &Switches::fused_attention, &Switches::bf16, &Switches::fused_optimizer, &Switches::foreach_clip})
    check_rung(training::rung_trial(setup, gpt::job, change), change, of_gpt);
}

TEST_CASE("every rung of the U-Net gives the answer that it promises", "[ladder]") {
  auto setup = small_setup();
  for (const auto change :
       {&Switches::log_every_n, &Switches::gradients_to_none, &Switches::workers, &Switches::transform_ahead,
        &Switches::channels_last, &Switches::bf16, &Switches::fused_optimizer})
    check_rung(training::rung_trial(setup, unet::job, change), change, of_unet);
}

TEST_CASE("the best form gives the naive form's answer", "[ladder]") {
  auto setup = small_setup();
  const training::Forms forms{.naive = {}, .optimized = training::best()};
  CHECK_NOTHROW(check_same_answer(training::forms_trial(setup, resnet50::job(setup), forms),
                                  training::other_order, [] {}));
  CHECK_NOTHROW(
      check_same_answer(training::forms_trial(setup, gpt::job(setup), forms), gpt::other_order, [] {}));
  CHECK_NOTHROW(
      check_same_answer(training::forms_trial(setup, unet::job(setup), forms), unet::other_order, [] {}));
}

TEST_CASE("the U-Net's best form gives the naive form's answer with the seeds whose rounding grows most",
          "[ladder]") {
  Setup setup;
  for (const std::uint64_t seed : {4, 15, 38}) {
    setup.seed = seed;
    const training::Forms forms{.naive = {}, .optimized = training::best()};
    CHECK_NOTHROW(
        check_same_answer(training::forms_trial(setup, unet::job(setup), forms), unet::other_order, [] {}));
  }
}

TEST_CASE("a batch norm over two images skips the row, a GPT takes one piece", "[ladder]") {
  auto setup = small_setup();
  setup.options.insert_or_assign("batch-size", "2");
  CHECK_THROWS_AS(training::rung_trial(setup, unet::job, &Switches::fused_optimizer), Skip);
  CHECK_THROWS_AS(training::rung_trial(setup, resnet50::job, &Switches::fused_optimizer), Skip);
  setup.options.insert_or_assign("batch-size", "1");
  CHECK_NOTHROW(training::rung_trial(setup, gpt::job, &Switches::fused_optimizer));
}

template <class MakeTrial>
void check_compiled(const MakeTrial& trial, const training::Forms& forms, const Tolerance& tolerance) {
  auto setup = small_setup();
  try {
    const auto made = trial(setup, forms);
    CHECK_NOTHROW(check_same_answer(made, tolerance, [] {}));
  } catch (const Skip& reason) {
    SKIP(reason.what());
  }
}

const training::Forms compiled = training::rung_forms(&Switches::compiled, training::TimedUnit::step);
const training::Forms compiled_bf16{.naive = training::best({&Switches::bf16}),
                                    .optimized = training::best({&Switches::bf16, &Switches::compiled})};

TEST_CASE("the step that torch's compiler writes for ResNet-50 gives the operators' answer", "[compiled]") {
  const auto trial = [](Setup& setup, const training::Forms& forms) {
    return training::forms_trial(setup, resnet50::job(setup), forms);
  };
  check_compiled(trial, compiled, training::other_order);
  check_compiled(trial, compiled_bf16, resnet50::half_precision);
}
TEST_CASE("the step that torch's compiler writes for the GPT gives the operators' answer", "[compiled]") {
  const auto trial = [](Setup& setup, const training::Forms& forms) {
    return training::forms_trial(setup, gpt::job(setup), forms);
  };
  check_compiled(trial, compiled, gpt::other_order);
  check_compiled(trial, compiled_bf16, gpt::half_precision);
}
TEST_CASE("the step that torch's compiler writes for the U-Net gives the operators' answer", "[compiled]") {
  const auto trial = [](Setup& setup, const training::Forms& forms) {
    return training::forms_trial(setup, unet::job(setup), forms);
  };
  check_compiled(trial, compiled, unet::other_order);
  check_compiled(trial, compiled_bf16, training::half_precision);
}

TEST_CASE("each model's batch is as large as was asked for", "[ladder]") {
  auto setup = small_setup();
  CHECK(gpt::job(setup).batch_size == 16);
  setup.options.insert_or_assign("batch-size", "6");
  for (const auto job : {resnet50::job, gpt::job, unet::job}) CHECK(job(setup).batch_size == 6);
}

TEST_CASE("a scale is a share of a device's size, and without one a CPU keeps its own", "[ladder]") {
  auto setup = small_setup();
  const auto shape = [](const training::Job& job) { return job.dataset->get(0).input.sizes().vec(); };
  CHECK(shape(resnet50::job(setup)) == std::vector<std::int64_t>{3, 64, 64});
  CHECK(shape(gpt::job(setup)) == std::vector<std::int64_t>{64});
  CHECK(shape(unet::job(setup)) == std::vector<std::int64_t>{1, 32, 32});
  setup.options["scale"] = "0.0625";
  CHECK(shape(resnet50::job(setup)) == std::vector<std::int64_t>{3, 56, 56});
  CHECK(shape(gpt::job(setup)) == std::vector<std::int64_t>{256});
  CHECK(shape(unet::job(setup)) == std::vector<std::int64_t>{1, 64, 64});
  CHECK(resnet50::job(setup).batch_size == 64);
  for (const auto job : {gpt::job, unet::job}) CHECK(job(setup).batch_size == 8);
  CHECK(gpt::job(setup).make(at::kFloat).parameters.size() == 2 + 3 * 12 + 2);  // of three layers
}

TEST_CASE("a device gets the largest scale that its memory holds", "[ladder]") {
  constexpr training::Gigabytes needed{20, 7, 4};
  CHECK(training::fitting_scale(24e9, needed) == 1);
  CHECK(training::fitting_scale(16e9, needed) == 1. / 4);
  CHECK(training::fitting_scale(6e9, needed) == 1. / 16);
  CHECK(training::fitting_scale(1e9, needed) == 1. / 16);  // it may not fit: then the row says so
}

/// What `use` writes to stderr.
template <class Use>
std::string said(const Use& use) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  const int own = dup(STDERR_FILENO);
  dup2(fileno(file.get()), STDERR_FILENO);
  use();
  dup2(own, STDERR_FILENO);
  close(own);
  REQUIRE(std::fseek(file.get(), 0, SEEK_END) == 0);
  std::string text(static_cast<std::size_t>(std::ftell(file.get())), '\0');
  std::rewind(file.get());
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

TEST_CASE("the share that a short memory leaves of a size is printed once, and none that the user chose",
          "[ladder]") {
  auto setup = small_setup();
  setup.device = {Device::Kind::cuda, 0};
  CHECK(said([&] { training::tell_scale(setup, "unet", 1); }).empty());
  CHECK(said([&] { training::tell_scale(setup, "unet", 0.25); }) ==
        "tuneproof: unet: cuda:0 has memory for 1/4 of its size; --scale takes another\n");
  CHECK(said([&] { training::tell_scale(setup, "unet", 0.25); }).empty());
  CHECK(said([&] { training::tell_scale(setup, "gpt", 0.0625); }).find("gpt: cuda:0 has memory for 1/16") !=
        std::string::npos);
  setup.options["scale"] = "0.25";
  CHECK(said([&] { training::tell_scale(setup, "resnet50", 0.25); }).empty());
}

TEST_CASE("a rung is measured against the kept rungs below it, a branch does not carry the next",
          "[ladder]") {
  CHECK(training::below(&Switches::log_every_n) == Switches{});
  CHECK(training::with(&Switches::bf16).bf16);
  CHECK_FALSE(training::below(&Switches::fused_optimizer).bf16);
  CHECK(training::with(&Switches::foreach_clip) == training::best());
}

}  // namespace
