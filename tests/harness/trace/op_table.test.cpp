#include "harness/trace/op_table.hpp"

#include "tests/harness/trace/made_up.hpp"

#include "harness/trace/window.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace harness;
using namespace harness::trace;
using namespace tests;

OpTable table_of(const Trace& trace) { return op_table(trace); }

OpRow row(const OpTable& table, std::string_view name) {
  const auto found =
      std::find_if(table.rows.begin(), table.rows.end(), [&](const OpRow& r) { return r.name == name; });
  return found == table.rows.end() ? OpRow{} : *found;
}

TEST_CASE("self time is the duration less that of the callees", "[trace]") {
  const OpTable table = table_of(trace_of({op("f", 0, 10), op("g", 1, 4), op("h", 2, 1), op("g", 6, 3)}));
  CHECK(row(table, "f").self_cpu_us == 3);
  CHECK(row(table, "f").cpu_total_us == 10);
  CHECK(row(table, "g").self_cpu_us == 6);
  CHECK(row(table, "g").cpu_total_us == 7);
  CHECK(row(table, "g").calls == 2);
  CHECK(table.self_cpu_us == 10);
}

TEST_CASE("runtime calls are rows and leave the operator's self time", "[trace]") {
  const OpTable table = table_of(trace_of({op("f", 0, 10), call("cudaLaunchKernel", 1, 4, 1)}));
  CHECK(row(table, "f").self_cpu_us == 6);
  CHECK(row(table, "cudaLaunchKernel").self_cpu_us == 4);
}

TEST_CASE("a call whose only callee has its name is one call", "[trace]") {
  const OpTable table = table_of(trace_of({op("f", 0, 10), op("f", 1, 8), op("f", 2, 6), op("g", 3, 2)}));
  CHECK(row(table, "f").calls == 1);
  CHECK(row(table, "f").cpu_total_us == 10);
  CHECK(row(table, "f").self_cpu_us == 8);
}

TEST_CASE("PyTorch counts a call of the same name beside other callees", "[trace]") {
  const OpTable table = table_of(trace_of({op("f", 0, 10), op("f", 1, 3), op("g", 5, 2)}));
  CHECK(row(table, "f").calls == 2);
  CHECK(row(table, "f").cpu_total_us == 13);
  CHECK(row(table, "f").self_cpu_us == 8);
}

TEST_CASE("all steps are one row", "[trace]") {
  const OpTable table = table_of(trace_of({range("ProfilerStep#1", 0, 10), range("ProfilerStep#2", 10, 12)}));
  CHECK(row(table, "ProfilerStep*").calls == 2);
  CHECK(row(table, "ProfilerStep*").cpu_total_us == 22);
}

TEST_CASE("a range and an operator of the same name are two rows", "[trace]") {
  CHECK(table_of(trace_of({range("f", 0, 10), op("f", 20, 5)})).rows.size() == 2);
}

TEST_CASE("device time goes to the operator that asked, and to all around it", "[trace]") {
  const OpTable table =
      table_of(trace_of({op("f", 0, 10), op("g", 1, 5), call("cudaLaunchKernel", 2, 1, 1), kernel(20, 7, 1),
                         call("cudaLaunchKernel", 8, 1, 2), kernel(30, 4, 2)}));
  CHECK(row(table, "f").self_device_us == 4);
  CHECK(row(table, "f").device_total_us == 11);
  CHECK(row(table, "g").self_device_us == 7);
  CHECK(row(table, "relu").self_device_us == 11);
  CHECK(row(table, "relu").device_row);
  CHECK(table.self_device_us == 11);
}

TEST_CASE("allocations outside of every operator are a row", "[trace]") {
  std::string text = "[";
  text += json(op("f", 1, 5));
  for (const char* ts : {"2", "6", "6.5"})
    text.append(R"(,{"ph":"i","name":"[memory]","pid":1,"tid":1,"args":{"Bytes":4},"ts":)")
        .append(ts)
        .append("}");
  const Trace trace = parse_trace(text.append("]"), "t");
  CHECK(row(table_of(trace), "[memory]").calls == 1);
}

TEST_CASE("only what lies inside is counted", "[trace]") {
  const Trace trace = trace_of({op("f", 0, 10), op("f", 20, 10)});
  const OpTable table = op_table(trace, {true, false});
  CHECK(row(table, "f").calls == 1);
}

TEST_CASE("rows are sorted by any column", "[trace]") {
  OpTable table = table_of(trace_of({op("a", 0, 1), op("a", 2, 1), op("b", 10, 5), op("c", 20, 9)}));
  CHECK(table.rows.front().name == "c");
  sort_rows(table, op_key("count"));
  CHECK(table.rows.front().name == "a");
  sort_rows(table, op_key("name"));
  CHECK(table.rows.back().name == "c");
  CHECK(op_key("weather") == nullptr);
}

/// A row of PyTorch's table that ours holds, within a thousandth or 2 us; the row found is taken out.
bool take(std::vector<OpRow>& ours, const nlohmann::json& theirs) {
  const auto near = [&](const char* key, double value) {
    const double expected = theirs.value(key, 0.0);
    return std::abs(value - expected) <= std::max(2.0, 1e-3 * expected);
  };
  const auto found = std::find_if(ours.begin(), ours.end(), [&](const OpRow& r) {
    return r.name == theirs.at("name") && r.calls == theirs.at("calls") &&
           near("self_cpu_us", r.self_cpu_us) && near("cpu_total_us", r.cpu_total_us);
  });
  if (found == ours.end()) return false;
  ours.erase(found);
  return true;
}

TEST_CASE("golden: op tables equal PyTorch's own, row by row", "[trace][golden]") {
  int pairs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden_directory() / "optable")) {
    const std::string file = entry.path().string();
    const auto suffix = file.find(".trace.json");
    if (suffix == std::string::npos) continue;
    ++pairs;
    const auto expected = nlohmann::json::parse(std::ifstream(file.substr(0, suffix) + ".optable.json"));
    OpTable table = table_of(read_trace(file));
    CHECK(std::abs(table.self_cpu_us - expected.at("self_cpu_total_us").get<double>()) < 2);
    for (const auto& theirs : expected.at("rows")) {
      INFO(file << ": " << theirs.dump());
      CHECK(take(table.rows, theirs));
    }
    for (const OpRow& extra : table.rows) FAIL_CHECK(file << " has a row too many: " << extra.name);
  }
  CHECK(pairs > 0);
}

/// Memory and shapes as PyTorch 2.11 gave them for a small network: key_averages() of the run that wrote the
/// trace.
struct MemoryGolden {
  const std::filesystem::path folder = std::filesystem::path(TUNEPROOF_SOURCE_DIR) / "tests/golden/memory";
  nlohmann::json table = nlohmann::json::parse(std::ifstream(folder / "table.json"));
  Trace trace = read_trace(folder / "trace.json.gz");
};

TEST_CASE("golden: the memory that operators take is PyTorch's, to the byte", "[trace][golden]") {
  const MemoryGolden golden;
  const auto table = table_of(golden.trace);
  CHECK(table.memory_recorded);
  CHECK(table.rows.size() == golden.table.at("rows").size());
  for (const auto& theirs : golden.table.at("rows")) {
    INFO(theirs.dump());
    const auto row = std::ranges::find(table.rows, theirs.at("name").get<std::string>(), &OpRow::name);
    REQUIRE(row != table.rows.end());
    CHECK(row->calls == theirs.at("calls"));
    CHECK(row->self_memory.host == theirs.at("self_cpu_memory"));
    CHECK(row->memory.host == theirs.at("cpu_memory"));
  }
}

TEST_CASE("golden: by shape the rows are PyTorch's", "[trace][golden]") {
  const MemoryGolden golden;
  using Row = std::pair<std::string, std::int64_t>;
  std::multiset<Row> ours, theirs;
  for (const auto& row : op_table(golden.trace, {}, true).rows) ours.emplace(row.name, row.calls);
  for (const auto& row : golden.table.at("by_shape")) theirs.emplace(row.at("name"), row.at("calls"));
  CHECK(ours == theirs);
  CHECK(ours.size() > golden.table.at("rows").size());
}

TEST_CASE("by shape a call folded into its caller belongs to the caller's row", "[trace]") {
  const auto trace = parse_trace(R"([
    {"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":0,"dur":10,"args":{"Input Dims":[[8]]}},
    {"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":1,"dur":4,"args":{"Input Dims":[[2,4]]}}])",
                                 "made up");
  const auto table = op_table(trace, {}, true);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].shapes == "[[8]]");
  CHECK(table.rows[0].calls == 1);
  CHECK(table.rows[0].self_cpu_us == 10);
}

TEST_CASE("memory of a device is not memory of the host", "[trace]") {
  const auto table = table_of(parse_trace(R"([
    {"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":0,"dur":10},
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":1,
     "args":{"Bytes":512,"Device Type":1,"Device Id":0}},
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":2,
     "args":{"Bytes":-64,"Device Type":0,"Device Id":-1}}])",
                                          "made up"));
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].memory.device == 512);
  CHECK(table.rows[0].memory.host == -64);
}

}  // namespace
