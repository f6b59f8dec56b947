#include "harness/trace/nesting.hpp"

#include "tests/harness/trace/made_up.hpp"

#include <catch2/catch_test_macros.hpp>

#include <utility>

namespace {

using namespace harness;
using namespace harness::trace;
using namespace tests;

EventId parent(const Trace& trace, std::string_view name) { return trace.nesting.parent[find(trace, name)]; }

TEST_CASE("the innermost event around another is its parent", "[trace]") {
  const Trace trace =
      trace_of({op("inner", 3, 2), op("outer", 0, 10), op("middle", 2, 5), call("launch", 3.5, 1, 1)});
  CHECK(parent(trace, "outer") == no_event);
  CHECK(parent(trace, "middle") == find(trace, "outer"));
  CHECK(parent(trace, "inner") == find(trace, "middle"));
  CHECK(parent(trace, "launch") == find(trace, "inner"));
}

TEST_CASE("two events that overlap in part are strangers", "[trace]") {
  const Trace trace = trace_of({op("early", 0, 10), op("late", 5, 10)});
  CHECK(parent(trace, "late") == no_event);
}

TEST_CASE("an event that starts where another ends is not inside it", "[trace]") {
  const Trace trace =
      trace_of({op("first", 0, 5), op("second", 5, 0), op("other", 10, 5), op("third", 15, 2)});
  CHECK(parent(trace, "second") == no_event);
  CHECK(parent(trace, "third") == no_event);
}

TEST_CASE("of two events with the same start the longer one is outside", "[trace]") {
  const Trace trace = trace_of({op("short", 0, 5), op("long", 0, 9)});
  CHECK(parent(trace, "short") == find(trace, "long"));
}

TEST_CASE("threads do not nest into each other", "[trace]") {
  const Trace trace = trace_of({op("one", 0, 10, 1), op("two", 2, 3, 2)});
  CHECK(parent(trace, "two") == no_event);
}

TEST_CASE("a call within a call of the same name is marked at any depth", "[trace]") {
  const Trace trace = trace_of({op("f", 0, 10), op("g", 1, 8), op("f", 2, 3), op("f", 20, 3)});
  CHECK_FALSE(trace.nesting.within_same[find(trace, "f", 0)]);
  CHECK(trace.nesting.within_same[find(trace, "f", 1)]);
  CHECK_FALSE(trace.nesting.within_same[find(trace, "f", 2)]);
}

TEST_CASE("work is joined to its call by the correlation, and to the operator around the call", "[trace]") {
  const Trace trace = trace_of({kernel(50, 5, 3), op("aten::mm", 0, 10), call("cudaLaunchKernel", 2, 1, 3)});
  CHECK(trace.nesting.launch[find(trace, "relu")] == find(trace, "cudaLaunchKernel"));
  CHECK(trace.nesting.asker[find(trace, "relu")] == find(trace, "aten::mm"));
}

TEST_CASE("work whose call was not recorded is joined by its external id", "[trace]") {
  const Trace trace =
      trace_of({{"cpu_op", "aten::mm", 0, 10, R"("External id": 4)"},
                {"kernel", "sgemm", 50, 5, R"("External id": 4, "correlation": 9, "stream": 7)"}});
  CHECK(trace.nesting.launch[find(trace, "sgemm")] == no_event);
  CHECK(trace.nesting.asker[find(trace, "sgemm")] == find(trace, "aten::mm"));
}

TEST_CASE("a hundred thousand nested events take no longer than as many in a row", "[trace]") {
  Trace trace;
  trace.names = {"f"};
  trace.tracks.resize(1);
  constexpr std::int64_t count = 100'000;
  for (std::int64_t i = 0; i < count; ++i) {
    Event event;
    event.kind = Kind::cpu_op;
    event.ts = i;
    event.dur = 2 * (count - i);
    trace.events.push_back(event);
  }
  CHECK(nest(trace).parent[count - 1] == count - 2);
}

Made python(std::string name, double ts, double dur) { return {"python_function", std::move(name), ts, dur}; }

TEST_CASE("the call site is the innermost Python frame that is the user's own", "[trace]") {
  const Trace trace = trace_of({python("train.py(42): step", 0, 100), python("nn.Module: Linear_0", 1, 90),
                                python("torch/nn/functional.py(12): linear", 2, 80),
                                python("<built-in method mm>", 3, 70), op("aten::mm", 5, 10)});
  CHECK(call_site(trace, find(trace, "aten::mm")) == "train.py(42): step");
}

TEST_CASE(
    "the line of a frame that was open when the recording began is not shown: it is that of the optimizer",
    "[trace]") {
  const Trace trace = trace_of(
      {python("train.py(183): <module>", 0, 100), python("torch/optim/optimizer.py(575): wrapper", 1, 9),
       python("torch/profiler/profiler.py(577): start_trace", 2, 7), op("aten::item", 20, 5),
       python("train.py(40): evaluate", 30, 20), op("aten::mm", 35, 10)});
  CHECK(call_site(trace, find(trace, "aten::item")) == "train.py: <module>");
  CHECK(call_site(trace, find(trace, "aten::mm")) == "train.py(40): evaluate");
  CHECK(frame_within(trace, trace.events[0].track, 50'000, 100'000) == "train.py: <module>");
}

TEST_CASE("a frame of an installed package is nobody's own where the recorder knew the packages", "[trace]") {
  Trace trace =
      trace_of({python("gin.py(77): train", 0, 100),
                python("torch_geometric/utils/_scatter.py(14): scatter", 1, 90), op("aten::item", 5, 10)});
  const auto site = [&] { return call_site(trace, find(trace, "aten::item")); };
  CHECK(site() == "torch_geometric/utils/_scatter.py(14): scatter");
  trace.program.packages = {"numpy", "torch_geometric"};
  CHECK(site() == "gin.py(77): train");
  trace.program.packages = {"gin", "torch_geometric"};
  CHECK(site() == "torch_geometric/utils/_scatter.py(14): scatter");  // there is no other
}

TEST_CASE("a time belongs to the user's own line, not to a frame of the library that it calls", "[trace]") {
  for (const auto* library :
       {"wandb/sdk/lib/asyncio_manager.py(107): run", "tqdm\\\\std.py(1181): __iter__",
        "C:\\\\py\\\\site-packages\\\\fancy\\\\log.py(3): log", "numpy/core/shape_base.py(1): stack"}) {
    const Trace trace = trace_of({python("train.py(42): report", 0, 100), python(library, 1, 98)});
    CHECK(frame_within(trace, trace.events[0].track, 10'000, 90'000) == "train.py(42): report");
  }
}

TEST_CASE("the recorder of watch is nobody's call site", "[trace]") {
  const Trace trace = trace_of({python("train.py(42): step", 0, 100),
                                python("/tmp/.tuneproof-aMiOrL/tuneproof_loading.py(142): begin", 1, 90),
                                op("aten::mm", 5, 10)});
  CHECK(call_site(trace, find(trace, "aten::mm")) == "train.py(42): step");
}

TEST_CASE("a generator, a comprehension or a lambda stands for the function that it is a piece of",
          "[trace]") {
  const auto site = [](const std::string& piece, const std::string& around, const std::string& between) {
    const Trace trace = trace_of({python("train.py(3): <module>", 0, 100), python(around, 1, 90),
                                  python(between, 2, 80), python(piece, 3, 70), op("aten::mm", 5, 10)});
    return call_site(trace, find(trace, "aten::mm"));
  };
  const std::string report = "train.py(42): report";
  for (const auto* piece : {"<genexpr>", "<listcomp>", "<dictcomp>", "<lambda>"})
    CHECK(site(std::string("train.py(44): ") + piece, report, "<built-in method join>") == report);
  CHECK(site("train.py(44): <genexpr>", report, "train.py(43): <lambda>") == report);
  CHECK(site("train.py(44): <lambda>", report, "torch/utils/data.py(1): fetch") == "train.py(44): <lambda>");
  CHECK(site("train.py(44): <lambda>", "other.py(1): f", "<built-in>") == "train.py(44): <lambda>");
  CHECK(site("train.py(44): <genexpr>", "<built-in>", "<built-in>") == "train.py(44): <genexpr>");
}

TEST_CASE("a piece that was once recorded beside its function still stands for it", "[trace]") {
  const Trace trace =
      trace_of({python("train.py(3): <module>", 0, 200), python("train.py(42): report", 1, 90),
                python("<built-in method join>", 2, 80), python("train.py(44): <genexpr>", 3, 60),
                python("train.py(44): <genexpr>", 95, 15)});
  CHECK(frame_within(trace, trace.events[0].track, 0, 110'000) == "train.py(42): report");
}

TEST_CASE("a piece in a recorded stack stands for its function too", "[trace]") {
  const Trace trace =
      trace_of({{"cpu_op", "aten::mm", 0, 10,
                 R"("Call stack": "main.py(5): <genexpr>;main.py(3): load;main.py(9): <module>")"}});
  CHECK(call_site(trace, 0) == "main.py(3): load");
}

TEST_CASE("where all frames are torch's the innermost one is the call site", "[trace]") {
  const Trace trace = trace_of(
      {python("torch/a.py(1): f", 0, 100), python("torch/b.py(2): g", 1, 90), op("aten::mm", 5, 10)});
  CHECK(call_site(trace, find(trace, "aten::mm")) == "torch/b.py(2): g");
}

TEST_CASE("the call site of a runtime call comes from the stack of the operator around it", "[trace]") {
  const Trace trace =
      trace_of({{"cpu_op", "aten::to", 0, 10,
                 R"("Call stack": "/lib/torch/x.py(1): to;main.py(3): load;main.py(9): <module>")"},
                op("aten::copy_", 1, 8),
                call("cudaMemcpyAsync", 2, 3, 1)});
  CHECK(call_site(trace, find(trace, "cudaMemcpyAsync")) == "main.py(3): load");
}

TEST_CASE("PyTorch's own frames are passed over on Windows too", "[trace]") {
  const Trace trace = trace_of({{"python_function", R"(C:\\me\\train.py(7): step)", 0, 100},
                                {"python_function", R"(C:\\lib\\torch\\nn\\module.py(1): _call_impl)", 5, 90},
                                op("aten::mm", 10, 20)});
  CHECK(call_site(trace, find(trace, "aten::mm")) == R"(C:\me\train.py(7): step)");
}

TEST_CASE("without stacks there is no call site", "[trace]") {
  const Trace trace = trace_of({op("aten::to", 0, 10)});
  CHECK(call_site(trace, 0).empty());
}

}  // namespace
