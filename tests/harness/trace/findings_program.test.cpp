// What the recorder of `tuneproof watch` knew, and what is advised by it.
#include "tests/harness/trace/thread_story.hpp"

#include "harness/trace/program_facts.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace harness::trace;
using Catch::Matchers::ContainsSubstring;
using tests::ThreadStory;

const Finding* named(const Diagnosis& diagnosis, std::string_view id) {
  const auto found = std::ranges::find(diagnosis.findings, id, &Finding::id);
  return found == diagnosis.findings.end() ? nullptr : &*found;
}

constexpr auto with_workers = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
constexpr auto in_the_loop = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

/// Two CPUs that were busy with one large product of FP32 numbers.
ProgramFacts computing() {
  ProgramFacts program;
  program.known = true;
  program.cpus = program.threads = 2;
  program.used_cpus = 1.9;
  program.bf16_unit = program.fp16_unit = false;
  program.denormals = Denormals{"weights", 0};
  program.calls = 1;
  program.rows = 64;
  return program;
}

Diagnosis step_of(const ProgramFacts& program, const std::function<void(ThreadStory&)>& body = {}) {
  ThreadStory story;
  story.program = program;
  if (body) body(story);
  return story.diagnosis();
}

/// A loader that keeps the thread for that long, and says why.
Finding loader_finding(LoaderFacts loader, double wait_us, const std::string& range = with_workers,
                       double used = 1) {
  auto program = computing();
  program.used_cpus = used;
  program.loader = std::move(loader);
  const auto diagnosis =
      step_of(program, [&](ThreadStory& story) { story.range(range, [&] { story.python(wait_us); }); });
  const auto* finding = named(diagnosis, "data_loader_wait");
  return finding == nullptr ? Finding{} : *finding;
}

std::string advice(LoaderFacts loader, double wait_us, const std::string& range = with_workers,
                   double used = 1) {
  return loader_finding(std::move(loader), wait_us, range, used).message;
}

TEST_CASE("two busy CPUs without trouble are where a processor should be", "[trace][program]") {
  const auto diagnosis = step_of(computing());
  REQUIRE(diagnosis.verdict.regime == Regime::compute);
  CHECK_THAT(diagnosis.verdict.would_change, ContainsSubstring("this is where a processor should be"));
}

TEST_CASE("what was not looked at is not claimed", "[trace][program]") {
  const auto claims = [](const ProgramFacts& program) {
    return step_of(program).verdict.would_change.find("should be") != std::string::npos;
  };
  CHECK_FALSE(claims({}));
  auto program = computing();
  program.denormals.reset();
  CHECK_FALSE(claims(program));
  program = computing();
  program.calls = 0;
  CHECK_FALSE(claims(program));
  program = computing();
  program.used_cpus = 1;
  CHECK_FALSE(claims(program));
}

TEST_CASE("small products are not where a processor should be", "[trace][program]") {
  const auto diagnosis = step_of(computing(), [](ThreadStory& story) {
    for (int i = 0; i < 1200; ++i) story.op("aten::mm", 80);
  });
  REQUIRE(diagnosis.verdict.regime == Regime::compute);
  CHECK(diagnosis.verdict.would_change.find("should be") == std::string::npos);
}

/// Each trouble has its finding and its words in the verdict, and takes the claim away.
void check_trouble(const ProgramFacts& program, const char* id, const char* way) {
  const auto diagnosis = step_of(program);
  REQUIRE(named(diagnosis, id) != nullptr);
  CHECK_THAT(diagnosis.verdict.would_change, ContainsSubstring(way));
  CHECK(diagnosis.verdict.would_change.find("should be") == std::string::npos);
  CHECK(named(step_of(computing()), id) == nullptr);
}

TEST_CASE("denormal numbers are named from one in a hundred on", "[trace][program]") {
  auto program = computing();
  program.denormals = Denormals{"optimizer state", 0.01};
  check_trouble(program, "denormal_numbers", "torch.set_flush_denormal(True)");
  program.denormals->share = 0.009;
  CHECK(named(step_of(program), "denormal_numbers") == nullptr);
}

TEST_CASE("float64 is named", "[trace][program]") {
  auto program = computing();
  program.fp64 = 1;
  check_trouble(program, "fp64_numbers", "float32 instead of float64");
}

TEST_CASE("threads that are fewer than the CPUs are named, but not beside workers", "[trace][program]") {
  auto program = computing();
  program.threads = 1;
  check_trouble(program, "unused_cpus", "all 2 CPUs instead of 1 thread");
  program.loader = LoaderFacts{.workers = 1};
  CHECK(named(step_of(program), "unused_cpus") == nullptr);
}

TEST_CASE("autocast is told from what the processor has a unit for", "[trace][program]") {
  auto program = computing();
  program.autocast = "bfloat16";
  check_trouble(program, "autocast_without_unit", "leaving autocast off");
  CHECK(named(step_of(program), "fp32_on_cpu") == nullptr);
  program.bf16_unit = true;
  CHECK(named(step_of(program), "autocast_without_unit") == nullptr);
  program.bf16_unit.reset();
  CHECK(named(step_of(program), "autocast_without_unit") == nullptr);
  program.autocast = "float16";
  CHECK(named(step_of(program), "autocast_without_unit") != nullptr);
}

TEST_CASE("BF16 is advised only where there is a unit and autocast is off", "[trace][program]") {
  auto program = computing();
  CHECK(step_of(program).verdict.would_change.find("BF16") == std::string::npos);
  CHECK(named(step_of(program), "fp32_on_cpu") == nullptr);
  program.bf16_unit = true;
  CHECK_THAT(step_of(program).verdict.would_change, ContainsSubstring("BF16 (torch.autocast)"));
}

TEST_CASE("a model that is called for a few rows at a time is named", "[trace][program]") {
  auto program = computing();
  program.calls = 8;
  program.rows = 16;
  check_trouble(program, "calls_by_the_piece", "more rows in each call");
  program.calls = 7;
  CHECK(named(step_of(program), "calls_by_the_piece") == nullptr);
  program.calls = 8;
  program.rows = 17;
  CHECK(named(step_of(program), "calls_by_the_piece") == nullptr);
}

TEST_CASE("workers that cost more than they load are advised against", "[trace][program]") {
  const LoaderFacts loader{.workers = 4, .batch = 128, .threads = 1, .load_s = 0.006, .cpu_s = 0.006};
  CHECK_THAT(advice(loader, 10'000), ContainsSubstring("num_workers=0"));
  auto slower = loader;
  slower.load_s = slower.cpu_s = 0.008;
  CHECK_THAT(advice(slower, 10'000), ContainsSubstring("so more cannot help"));
  auto sleeping = loader;
  sleeping.cpu_s = 0.001;
  CHECK_THAT(advice(sleeping, 10'000), ContainsSubstring("more cannot help"));
  sleeping.load_s = 0.008;
  CHECK_THAT(advice(sleeping, 10'000), ContainsSubstring("add workers"));
}

TEST_CASE("steps that show workers are named only where workers are advised", "[trace][program]") {
  const LoaderFacts full{.workers = 4, .batch = 128, .threads = 1, .load_s = 0.008, .cpu_s = 0.008};
  const auto without = loader_finding(full, 10'000).steps;
  REQUIRE(!without.empty());
  CHECK(without.front() == "dataload/precompute_transform");
  CHECK(std::ranges::count(without, "dataload/workers_slow_source") == 0);
  CHECK(std::ranges::count(without, without.front()) == 1);
  CHECK(loader_finding({.batch = 1000}, 10'000, in_the_loop).steps.front() == "dataload/vectorize");
  CHECK(loader_finding({.workers = 1, .threads = 1, .load_s = 0.06, .cpu_s = 0.06}, 50'000).steps.front() ==
        "dataload/workers_slow_source");
}

TEST_CASE("too many threads in too many workers are named as such", "[trace][program]") {
  const auto text = advice({.workers = 8, .threads = 16, .load_s = 0.1, .cpu_s = 0.08}, 50'000);
  CHECK_THAT(text, ContainsSubstring("its 8 workers of 16 threads share 2 CPUs: take fewer of both"));
}

TEST_CASE("where workers and their threads keep all CPUs busy no operator's time is its own",
          "[trace][program]") {
  const auto verdict = [](LoaderFacts loader, const char* name) {
    auto program = computing();
    program.used_cpus = 0.7;
    program.loader = std::move(loader);
    return step_of(program, [&](ThreadStory& story) { story.op(name, 100'000); }).verdict;
  };
  for (const auto* name : {"aten::_log_softmax", "aten::mm"}) {
    const auto shared = verdict({.workers = 6, .threads = 8, .load_s = 0.3, .cpu_s = 0.1}, name);
    CHECK(shared.regime == Regime::unknown);
    CHECK_THAT(shared.evidence,
               ContainsSubstring("its 6 workers of 8 threads and the training share 2 CPUs"));
    CHECK(shared.would_change == "fewer workers of one thread each, at most 2");
  }
  const auto regime = [&](LoaderFacts loader) { return verdict(std::move(loader), "aten::mm").regime; };
  CHECK(regime({.workers = 6, .threads = 8, .load_s = 0.3, .cpu_s = 0.08}) == Regime::compute);
  CHECK(regime({.workers = 1, .threads = 2, .load_s = 0.3, .cpu_s = 0.1}) == Regime::compute);
}

TEST_CASE("more workers are advised where they can help", "[trace][program]") {
  CHECK_THAT(advice({.workers = 1, .threads = 1, .load_s = 0.06, .cpu_s = 0.06}, 50'000),
             ContainsSubstring("there are 2 CPUs: add workers"));
  CHECK_THAT(advice({.workers = 4, .threads = 1, .load_s = 0.06, .cpu_s = 0.001}, 50'000),
             ContainsSubstring("rather than compute: add workers"));
}

TEST_CASE("without workers the advice goes by what a sample takes", "[trace][program]") {
  CHECK_THAT(advice({.workers = 0, .batch = 1000}, 50'000, tests::loader),
             ContainsSubstring("a batch at a time"));
  CHECK_THAT(advice({.workers = 0, .batch = 100}, 50'000, tests::loader),
             ContainsSubstring("load ahead in worker processes (there are 2 CPUs)"));
  CHECK_THAT(advice({.workers = 0, .batch = 1000}, 50'000, tests::loader, 0.1),
             ContainsSubstring("load ahead in worker processes"));
}

TEST_CASE("a wait in an epoch's first step is the workers' start", "[trace][program]") {
  auto program = computing();
  program.loader = LoaderFacts{.workers = 2, .threads = 1, .load_s = 0.06, .cpu_s = 0.06};
  program.epoch_steps = {1};
  const auto wait = [](ThreadStory& story) { story.range(with_workers, [&] { story.python(50'000); }); };
  CHECK_THAT(named(step_of(program, wait), "data_loader_wait")->message,
             ContainsSubstring("persistent_workers=True"));
  program.epoch_steps = {2};
  CHECK(named(step_of(program, wait), "data_loader_wait")->message.find("persistent") == std::string::npos);
}

TEST_CASE("the verdict, the wait and the transforms have one advice: that of both together",
          "[trace][program]") {
  auto program = computing();
  program.used_cpus = 1;
  program.loader = LoaderFacts{.batch = 200};
  const auto diagnosis = step_of(program, [](ThreadStory& story) {
    story.range(tests::loader, [&] {
      story.python(15'000);  // 75 us a sample, which alone would cost more to pass between processes
      story.op("aten::mul", 30'000);
    });
  });
  for (const auto* id : {"data_loader_wait", "loader_transform"})
    CHECK_THAT(named(diagnosis, id)->message, ContainsSubstring("load ahead in worker processes"));
}

TEST_CASE("a thread that other programs kept from a CPU has a verdict that says so", "[trace][program]") {
  auto program = computing();
  program.held_back = 0.09;
  CHECK(named(step_of(program), "busy_cpus") == nullptr);
  CHECK(step_of(program).verdict.evidence.find("other programs") == std::string::npos);
  CHECK_THAT(step_of(program).verdict.would_change, ContainsSubstring("where a processor should be"));
  program.held_back = 0.2;
  const auto held_back = step_of(program);
  CHECK_THAT(held_back.verdict.would_change, !ContainsSubstring("where a processor should be"));
  REQUIRE(named(held_back, "busy_cpus") != nullptr);
  CHECK(named(held_back, "busy_cpus")->severity == Severity::low);
  CHECK_THAT(held_back.verdict.evidence,
             ContainsSubstring("other programs kept its thread from a CPU for at least 20 % of the time"));
  program.held_back = 0.3;
  const auto spoiled = step_of(program);
  CHECK(named(spoiled, "busy_cpus")->severity == Severity::high);
  CHECK(spoiled.verdict.regime == Regime::unknown);
  CHECK(spoiled.verdict.would_change == "recording again while the machine is quiet");
}

TEST_CASE("workers that are started in each epoch are a finding from 2 % of the run on", "[trace][program]") {
  auto program = computing();
  program.loader = LoaderFacts{.workers = 2, .start = "forkserver"};
  program.epochs = EpochStarts{5, 1.5, 0.4};
  const auto diagnosis = step_of(program);
  REQUIRE(named(diagnosis, "workers_each_epoch") != nullptr);
  CHECK_THAT(named(diagnosis, "workers_each_epoch")->message,
             ContainsSubstring("started 5 times (forkserver)") && ContainsSubstring("1.50 s more"));
  program.epochs->share = 0.019;
  CHECK(named(step_of(program), "workers_each_epoch") == nullptr);
}

TEST_CASE("facts are read from the trace, and nonsense is none", "[trace][program]") {
  const auto facts = program_facts(
      R"({"cpus": 2, "threads": 1, "units": {"bfloat16": false}, "used_cpus": 0.99, "held_back": 0.25, "autocast": "bfloat16",
          "numbers": {"denormal": {"weights": 0.5, "gradients": 0.1}, "fp64": 1.0, "parameters": 4, "numel": 100},
          "forwards": {"calls": 3, "rows": 32, "chained": true, "denormal": 0.2},
          "loader": {"workers": 4, "batch": 128, "start": "fork", "load_s": 0.01, "cpu_s": 0.02, "threads": 1},
          "epochs": {"starts": 3, "each_s": 0.5, "share": 0.25}, "epoch_steps": [4, 8]})");
  CHECK(facts.known);
  CHECK(facts.cpus == 2);
  CHECK(facts.held_back == 0.25);
  CHECK(facts.denormals->where == "weights");
  CHECK(facts.denormals->share == 0.5);
  CHECK(facts.autocast_unit() == false);
  CHECK(facts.loader->workers == 4);
  CHECK(facts.epochs->starts == 3);
  CHECK(facts.epoch_steps == std::vector<std::int64_t>{4, 8});
  CHECK(facts.numel == 100);
  CHECK(facts.chained);
  CHECK(program_facts(R"({"held_back": 2.03})").held_back == 0);
  for (const auto* text : {"", "[]", "null", "{", "7", R"({"used_cpus": 1e999})"})
    CHECK_FALSE(program_facts(text).known);
  const auto odd =
      program_facts(R"({"cpus": "two", "threads": -1, "used_cpus": "x", "loader": 3, "epoch_steps": {}})");
  CHECK(odd.known);
  CHECK(odd.cpus + odd.threads == 0);
  CHECK_FALSE(odd.loader);
}

TEST_CASE("a trace brings what the recorder wrote beside its events", "[trace][program]") {
  const auto trace = parse_trace(
      R"({"tuneproof": {"cpus": 3, "loader": {"workers": 1}}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 0, "dur": 1}]})",
      "t.json");
  CHECK(trace.program.cpus == 3);
  CHECK(trace.program.loader->workers == 1);
}

TEST_CASE("questions about cuDNN that operators ask everywhere are no GPU", "[trace][program]") {
  for (const auto* name :
       {"aten::cudnn_is_acceptable", "aten::_use_cudnn_ctc_loss", "aten::_use_cudnn_rnn_flatten_weight"})
    CHECK(step_of({}, [&](ThreadStory& story) { story.op(name, 5); }).verdict.regime == Regime::compute);
  CHECK(step_of({}, [](ThreadStory& story) {
          story.range("to cuda", [&] { story.python(5); });
        }).verdict.regime == Regime::compute);
  for (const auto* name : {"aten::cudnn_convolution", "aten::_cudnn_rnn", "aten::miopen_batch_norm"})
    CHECK(step_of({}, [&](ThreadStory& story) { story.op(name, 5); }).verdict.regime == Regime::unknown);
}

}  // namespace
