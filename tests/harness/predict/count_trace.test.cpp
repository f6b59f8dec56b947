#include "harness/predict/count_trace.hpp"

#include "tests/harness/trace/made_up.hpp"

#include "harness/predict/critical_path.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <string>

namespace {

using namespace harness;
using namespace harness::predict;
using namespace harness::predict;
using namespace harness::trace;
using Catch::Approx;
using tests::call;
using tests::Made;
using tests::on_stream;
using tests::op;
using tests::range;
using tests::trace_of;

Made shaped(std::string name, double ts, double dur, const std::string& dims, const std::string& types,
            int tid = 1) {
  return {"cpu_op", std::move(name), ts, dur, R"("Input Dims": )" + dims + R"(, "Input type": )" + types,
          tid};
}

double times(const Counts& counts, const Work& work) {
  const auto found = counts.find(work);
  return found == counts.end() ? 0 : found->second;
}

TEST_CASE("calls are counted for one run", "[predict]") {
  const auto counted =
      count_trace(trace_of({op("aten::relu", 0, 10), op("aten::relu", 20, 10), op("mine", 40, 10)}), 2);
  CHECK(counted.exposed == Counts{{{Piece::call, 0, "add"}, 1}});
  CHECK(counted.hidden.empty());
}

TEST_CASE("a view is one call, whatever views it calls itself", "[predict]") {
  const auto counted = count_trace(trace_of({op("aten::linear", 0, 100), op("aten::t", 10, 30),
                                             op("aten::transpose", 15, 20), op("aten::as_strided", 20, 5)}),
                                   1);
  CHECK(counted.exposed == Counts{{{Piece::view}, 1}, {{Piece::call, 0, "mm"}, 1}});
}

TEST_CASE("a number brought to the host is one call with all that it calls", "[predict]") {
  const auto counted =
      count_trace(trace_of({op("aten::item", 0, 10), op("aten::_local_scalar_dense", 2, 6)}), 1);
  CHECK(counted.exposed == Counts{{{Piece::item}, 1}});
}

TEST_CASE("a run of compiled code is counted, since no operator shows it", "[predict]") {
  const auto counted = count_trace(trace_of({range("compiled package", 0, 100)}), 1);
  CHECK(counted.exposed == Counts{{{Piece::package}, 1}});
}

TEST_CASE("each function of the backward pass is a node", "[predict]") {
  const auto counted = count_trace(
      trace_of({op("autograd::engine::evaluate_function: MulBackward0", 0, 10), op("MulBackward0", 2, 6)}),
      1);
  CHECK(counted.exposed == Counts{{{Piece::node}, 1}});
}

TEST_CASE("a pointwise operator moves what it reads and writes", "[predict]") {
  const auto counted =
      count_trace(trace_of({shaped("aten::mul", 0, 10, "[[64, 4], []]", R"(["float", "Scalar"])")}), 1);
  CHECK(times(counted.exposed, {Piece::bytes, 2 * 256 * 4}) == 1);
}

TEST_CASE("an operator without a rule reads its inputs", "[predict]") {
  const auto counted = count_trace(trace_of({shaped("aten::sum", 0, 10, "[[100]]", R"(["long int"])")}), 1);
  CHECK(times(counted.exposed, {Piece::bytes, 800}) == 1);
}

TEST_CASE("an operator that leaves its work to others moves nothing itself", "[predict]") {
  const auto counted = count_trace(trace_of({shaped("aten::mean", 0, 100, "[[100]]", R"(["float"])"),
                                             shaped("aten::sum", 10, 50, "[[100]]", R"(["float"])")}),
                                   1);
  CHECK(times(counted.exposed, {Piece::bytes, 400}) == 1);
  CHECK(times(counted.exposed, {Piece::call, 0, "caller"}) == 1);
  CHECK(times(counted.exposed, {Piece::call, 0, "sum"}) == 1);
}

TEST_CASE("which rows a gather reads is not in its shapes", "[predict]") {
  const auto counted = count_trace(trace_of({shaped("aten::index_select", 0, 10, "[[100, 8], [], [5]]",
                                                    R"(["float", "Scalar", "long int"])")}),
                                   1);
  CHECK(counted.exposed == Counts{{{Piece::call, 0, "index"}, 1}});
}

TEST_CASE("a product is told by the outermost operator that knows its FLOP", "[predict]") {
  const auto counted = count_trace(
      trace_of({shaped("aten::linear", 0, 100, "[[2, 3], [5, 3], []]", R"(["float", "float", ""])"),
                shaped("aten::addmm", 10, 50, "[[5], [2, 3], [3, 5]]", R"(["float", "float", "float"])")}),
      1);
  CHECK(times(counted.exposed, {Piece::product, 2 * 2 * 3 * 5, "fp32"}) == 1);
  CHECK(counted.exposed.size() == 3);  // and two calls
}

TEST_CASE("products of sixteen bits are another work than those of thirty-two", "[predict]") {
  const auto counted = count_trace(
      trace_of({shaped("aten::mm", 0, 10, "[[2, 3], [3, 5]]", R"(["c10::BFloat16", "c10::BFloat16"])")}), 1);
  CHECK(times(counted.exposed, {Piece::product, 60, "bf16"}) == 1);
}

Made memory(double ts, int bytes) {
  return {"cpu_instant_event", "[memory]", ts, 0,
          R"("Device Type": 0, "Device Id": -1, "Bytes": )" + std::to_string(bytes)};
}

std::string instant(const Made& made) {
  auto text = tests::json(made);
  text.replace(text.find(R"("X")"), 3, R"("i")");
  return text;
}

TEST_CASE("allocations are those that no operator exists for", "[predict]") {
  const auto text =
      fmt::format("[{}, {}, {}, {}, {}]", tests::json(op("aten::empty", 0, 10)), instant(memory(5, 64)),
                  tests::json(op("aten::mul", 20, 10)), instant(memory(25, 64)), instant(memory(40, -64)));
  const auto counted = count_trace(parse_trace(text, "made_up.json"), 1);
  CHECK(times(counted.exposed, {Piece::allocation}) == 1);
}

TEST_CASE("another thread's work is hidden while the main one works, and exposed while it waits",
          "[predict]") {
  // The main thread is busy to 50; the other one works from 30 to 70: half of it is waited for.
  const auto trace =
      trace_of({range("ProfilerStep#0", 0, 100), op("aten::mul", 0, 50), op("aten::add", 30, 40, 2)});
  CHECK(exposure_of(trace, nest(trace)).others == Approx(0.5));
  const auto counted = count_trace(trace, 1);
  CHECK(times(counted.exposed, {Piece::call, 0, "add"}) == Approx(1.5));
  CHECK(times(counted.hidden, {Piece::call, 0, "add"}) == Approx(0.5));
}

TEST_CASE("of threads that work at the same time only one is waited for", "[predict]") {
  const auto trace = trace_of({range("ProfilerStep#0", 0, 100), op("aten::add", 0, 40, 2),
                               op("aten::add", 0, 40, 3), op("aten::mul", 50, 10)});
  CHECK(exposure_of(trace, nest(trace)).others == Approx(0.5));
}

/// A main thread that is in its backward pass from 0 to 50, and an exchange of 1 KiB that it asks for at 10.
Counted exchanged(double begin, double end) {
  return count_trace(trace_of({range("ProfilerStep#0", 0, 100),
                               op("autograd::engine::evaluate_function: MmBackward0", 0, 50),
                               shaped("c10d::allreduce_", 10, 1, "[[[256]], [], [], [], [], []]",
                                      R"(["TensorList", "", "", "", "", ""])"),
                               {"user_annotation", "gloo:all_reduce", begin, end - begin, {}, 2}}),
                     1, /*ranks=*/2);
}

const Work a_kibibyte{Piece::exchange, 1024, "gloo/ranks:2"};

TEST_CASE("an exchange that ends within the backward pass is hidden", "[predict]") {
  const auto counted = exchanged(11, 49);
  CHECK(times(counted.exposed, a_kibibyte) == 0);
  CHECK(times(counted.hidden, a_kibibyte) == 1);
}

TEST_CASE("an exchange behind the backward pass is exposed", "[predict]") {
  const auto counted = exchanged(60, 80);
  CHECK(times(counted.exposed, a_kibibyte) == 1);
  CHECK(times(counted.hidden, a_kibibyte) == 0);
}

TEST_CASE("of an exchange that the backward pass covers in part, that part is hidden", "[predict]") {
  const auto counted = exchanged(20, 70);  // 30 of 50 lie in the pass
  CHECK(times(counted.exposed, a_kibibyte) == Approx(0.4));
  CHECK(times(counted.hidden, a_kibibyte) == Approx(0.6));
}

Made copy(double ts, double dur, int id, int bytes, const std::string& route) {
  auto made = on_stream("gpu_memcpy", "Memcpy " + route, ts, dur, id);
  made.args += R"(, "bytes": )" + std::to_string(bytes);
  return made;
}

TEST_CASE("the part of a copy that hides behind kernels is not saved", "[predict]") {
  // The copy runs from 20 to 60, a kernel from 50 to 100: 30 of 40 are exposed.
  const auto counted = count_trace(
      trace_of({call("cudaMemcpyAsync", 0, 5, 1), copy(20, 40, 1, 4096, "HtoD (Pageable -> Device)"),
                call("cudaLaunchKernel", 6, 5, 2), tests::kernel(50, 50, 2, 8)}),
      1);
  CHECK(times(counted.exposed, {Piece::pageable_to_device, 4096}) == Approx(0.75));
  CHECK(times(counted.hidden, {Piece::pageable_to_device, 4096}) == Approx(0.25));
  CHECK(counted.kernel_seconds == Approx(50e-6));
}

TEST_CASE("between devices an exchange is hidden while kernels compute", "[predict]") {
  // NCCL's kernel runs from 20 to 60, another one from 50 to 100: 30 of 40 are exposed.
  const auto counted =
      count_trace(trace_of({shaped("c10d::allreduce_", 0, 10, "[[[256]]]", R"(["TensorList"])"),
                            call("cudaLaunchKernel", 1, 5, 1),
                            on_stream("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 40, 1),
                            call("cudaLaunchKernel", 12, 5, 2), tests::kernel(50, 50, 2, 8)}),
                  1, /*ranks=*/4);
  const Work between_devices{Piece::exchange, 1024, "nccl/ranks:4"};
  CHECK(times(counted.exposed, between_devices) == Approx(0.75));
  CHECK(times(counted.hidden, between_devices) == Approx(0.25));
}

TEST_CASE("the host's calls cost only while the device stands idle", "[predict]") {
  // Busy from 10 to 20 and from 30 to 40: idle for a third.
  const auto counted = count_trace(trace_of({call("cudaLaunchKernel", 0, 5, 1), tests::kernel(10, 10, 1),
                                             call("cudaLaunchKernel", 6, 5, 2), tests::kernel(30, 10, 2)}),
                                   1);
  CHECK(times(counted.exposed, {Piece::launch}) == Approx(2.0 / 3));
  CHECK(times(counted.hidden, {Piece::launch}) == Approx(4.0 / 3));
}

TEST_CASE("the profiler's own wait for the device is nobody's", "[predict]") {
  const auto counted = count_trace(
      trace_of({call("cudaStreamSynchronize", 0, 5, 1), call("cudaDeviceSynchronize", 10, 5, 2)}), 1);
  CHECK(times(counted.exposed, {Piece::synchronization}) == 1);
}

}  // namespace
