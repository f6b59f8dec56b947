#include "tests/harness/trace/story.hpp"

#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <nlohmann/json.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::WithinAbs;
using tests::Story;

/// A rank that computes that long in each step and then communicates until `step_us` are over.
Diagnosis rank(int number, double working_us, double step_us) {
  Story story;
  story.rank = number;
  for (int i = 0; i < 3; ++i)
    story.step([&] {
      story.kernels(tests::gemm, 1, working_us);
      story.kernels("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1, step_us - working_us);
      story.host = story.device;
    });
  return diagnose(story.trace());
}

TEST_CASE("the rank that the others wait for is the straggler", "[trace][ranks]") {
  const Diagnosis both[] = {rank(1, 9000, 10'000), rank(0, 5000, 10'000)};
  const auto summary = rank_summary(both);
  REQUIRE(summary.ranks.size() == 2);
  CHECK(summary.ranks[0].rank == 0);
  CHECK_FALSE(summary.ranks[0].straggler);
  CHECK(summary.ranks[1].straggler);
  CHECK_THAT(summary.ranks[0].waiting_us, WithinAbs(4000, 10));
  CHECK_THAT(summary.imbalance, WithinAbs(9.0 / 7 - 1, 1e-3));
  REQUIRE(rank_findings(summary).size() == 1);
  CHECK_THAT(rank_findings(summary)[0].saves_us,
             WithinAbs(2000 * static_cast<double>(both[0].judged_steps), 30));
  CHECK(rank_findings(summary)[0].message.find("rank 0 waits for it in its collectives, 4.00 ms a step") !=
        std::string::npos);
  CHECK(rank_findings(summary)[0].steps ==
        std::vector<std::string>{"parallel/balance", "parallel/graph_nccl"});
  CHECK(both[0].judged_steps > 1);
}

TEST_CASE("others that wait for 5 % of a step make no straggler, longer ones do", "[trace][ranks]") {
  const Diagnosis even[] = {rank(0, 9490, 12'000), rank(1, 10'080, 12'000)};  // 4.9 %
  CHECK(rank_findings(rank_summary(even)).empty());
  const Diagnosis uneven[] = {rank(0, 9490, 12'000), rank(1, 10'110, 12'000)};  // 5.2 %
  CHECK(rank_findings(rank_summary(uneven)).size() == 1);
}

/// A rank whose host lets that long pass in a step before it enters the collective, which all leave together.
Diagnosis late_rank(int number, double working_us, double late_us) {
  Story story;
  story.rank = number;
  for (int i = 0; i < 3; ++i)
    story.step([&] {
      story.kernels(tests::gemm, 1, working_us);
      story.host = story.device;
      story.pause(late_us);
      story.kernels("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1, 20'000 - working_us - late_us);
      story.host = story.device;
    });
  return diagnose(story.trace());
}

TEST_CASE("the straggler waits least, though another works longer: its host is late", "[trace][ranks]") {
  const Diagnosis three[] = {late_rank(0, 2200, 0), late_rank(1, 2000, 12'000), late_rank(2, 2000, 0)};
  const auto summary = rank_summary(three);
  CHECK(summary.ranks[1].straggler);
  CHECK_FALSE(summary.ranks[0].straggler);
  REQUIRE(rank_findings(summary).size() == 1);
  const auto finding = rank_findings(summary)[0];
  CHECK(finding.message.starts_with("rank 1 enters its collectives last, held up by its host"));
  CHECK(finding.message.ends_with("; what holds it up is among the findings of its own trace"));
  CHECK(finding.steps.empty());
  CHECK_THAT(finding.saves_us, WithinAbs(11'800 * static_cast<double>(three[1].judged_steps), 100));
}

TEST_CASE("without steps a straggler's times are of the whole", "[trace][ranks]") {
  std::vector<Diagnosis> both;
  for (int number = 0; number < 2; ++number) {
    Story story;
    story.rank = number;
    story.kernels(tests::gemm, 1, 5000 + 4000 * number);
    story.kernels("ncclDevKernel_AllReduce_Sum_bf16_TREE_LL", 1, 5000 - 4000 * number);
    both.push_back(diagnose(story.trace()));
  }
  const auto findings = rank_findings(rank_summary(both));
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message.starts_with("rank 1 works for 9.00 ms, the mean rank"));
  CHECK(findings[0].message.find("a step") == std::string::npos);
}

TEST_CASE("a rank that hides its collectives behind kernels does not wait less for that", "[trace][ranks]") {
  const auto hiding = [](int number, bool hidden) {
    Story story;
    story.rank = number;
    story.step([&] {
      story.kernels("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1, 5000);
      if (hidden) story.device -= 5000;
      story.kernels(tests::gemm, 1, 5000);
      story.host = story.device;
    });
    return diagnose(story.trace());
  };
  const Diagnosis both[] = {hiding(0, true), hiding(1, false)};
  CHECK(rank_findings(rank_summary(both)).empty());
}

/// Like rank(), with so many steps, or without marks of steps.
Diagnosis rank_of_steps(int number, double working_us, int steps) {
  Story story;
  story.rank = number;
  const auto once = [&] {
    story.kernels(tests::gemm, 1, working_us);
    story.kernels("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1, 10'000 - working_us);
    story.host = story.device;
  };
  for (int i = 0; i < steps; ++i) story.step(once);
  if (steps == 0)
    for (int i = 0; i < 3; ++i) once();
  return diagnose(story.trace());
}

TEST_CASE("a rank without collectives, or alone in having no steps, is compared with none",
          "[trace][ranks]") {
  Story lost;
  lost.rank = 1;
  lost.step([&] { lost.kernels(tests::gemm, 1, 9000); });
  const Diagnosis with_lost[] = {rank_of_steps(0, 5000, 3), diagnose(lost.trace())};
  CHECK(rank_findings(rank_summary(with_lost)).empty());
  const Diagnosis without_steps[] = {rank_of_steps(0, 5000, 3), rank_of_steps(1, 9000, 0)};
  CHECK(rank_findings(rank_summary(without_steps)).empty());
}

TEST_CASE("a straggler's saving is told over the steps of the first trace", "[trace][ranks]") {
  const Diagnosis both[] = {rank_of_steps(0, 5000, 1), rank_of_steps(1, 9000, 5)};
  const auto findings = rank_findings(rank_summary(both));
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].saves_us, WithinAbs(2000 * static_cast<double>(both[0].judged_steps), 60));
}

/// A rank that works that long in each step, and then meets a process group for the rest of 20 ms.
Diagnosis in_group(int number, double working_us, const std::string& members, double step_us = 20'000) {
  Story story;
  story.rank = number;
  for (int i = 0; i < 3; ++i)
    story.step([&] {
      story.kernels(tests::gemm, 1, working_us);
      story.kernels("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1, step_us - working_us,
                    R"(, "Collective name": "allreduce", "Process Group Ranks": ")" + members + '"');
      story.host = story.device;
    });
  return diagnose(story.trace());
}

TEST_CASE("ranks that share no process group do not wait for each other", "[trace][ranks]") {
  const Diagnosis four[] = {in_group(0, 9000, "[0, 1]"), in_group(1, 9000, "[0, 1]"),
                            in_group(2, 17'000, "[2, 3]"), in_group(3, 17'000, "[2, 3]")};
  const auto summary = rank_summary(four);
  CHECK(summary.groups.size() == 2);
  CHECK(rank_findings(summary).empty());
  CHECK_THAT(summary.imbalance, WithinAbs(0, 1e-3));
  for (const auto& rank : summary.ranks) CHECK_THAT(rank.waiting_us, WithinAbs(0, 10));
  CHECK(ranks_section(summary, common_verdict(four), {}).find("process groups: [0,1], [2,3]") !=
        std::string::npos);
  const Diagnosis apart[] = {in_group(0, 9000, "[0, 1]"), in_group(2, 17'000, "[2, 3]")};
  CHECK(rank_summary(apart).groups.empty());
  CHECK(ranks_section(rank_summary(apart), common_verdict(apart), {}).find("No two of these ranks") !=
        std::string::npos);
}

TEST_CASE("a straggler is one among the ranks of its own process group", "[trace][ranks]") {
  const Diagnosis four[] = {in_group(0, 5000, "[0, 1]"), in_group(1, 9000, "[0, 1]"),
                            in_group(2, 17'000, "[2, 3]"), in_group(3, 17'000, "[2, 3]")};
  const auto summary = rank_summary(four);
  const auto findings = rank_findings(summary);
  REQUIRE(findings.size() == 1);
  CHECK(summary.ranks[1].straggler);
  CHECK(
      findings[0].message ==
      "rank 1 works for 9.00 ms a step, the mean rank of its process group for 7.00 ms; rank 0 waits for it "
      "in its collectives, 4.00 ms a step");
  CHECK_THAT(findings[0].saves_us, WithinAbs(2000 * summary.first_steps, 30));
}

TEST_CASE("a member of a group without a collective of it, as of lost kernels, is compared with none",
          "[trace][ranks]") {
  const Diagnosis both[] = {in_group(0, 5000, "[0, 1]"), in_group(1, 9000, "[1]")};
  CHECK(rank_summary(both).groups.empty());
  const Diagnosis half[] = {in_group(0, 5000, "[0, 1]"), rank(1, 9000, 20'000)};
  CHECK(rank_findings(rank_summary(half)).empty());
}

/// A rank of two groups, as of tensor and data parallelism: that long in the collectives of each.
Diagnosis in_two_groups(int number, const std::string& one, double one_us, const std::string& other,
                        double other_us) {
  Story story;
  story.rank = number;
  const auto meet = [&](const std::string& members, double us) {
    story.kernels("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1, us,
                  R"(, "Process Group Ranks": ")" + members + '"');
  };
  for (int i = 0; i < 3; ++i)
    story.step([&] {
      story.kernels(tests::gemm, 1, 20'000 - one_us - other_us);
      meet(one, one_us);
      meet(other, other_us);
      story.host = story.device;
    });
  return diagnose(story.trace());
}

TEST_CASE("a rank that waits in one group is no straggler of another", "[trace][ranks]") {
  // Rank 0 holds rank 1 up, which therefore meets rank 3 late; rank 2 meets rank 3 before.
  const Diagnosis four[] = {
      in_two_groups(0, "[0, 1]", 100, "[0, 2]", 100), in_two_groups(1, "[0, 1]", 6100, "[1, 3]", 100),
      in_two_groups(2, "[2, 3]", 100, "[0, 2]", 6100), in_two_groups(3, "[2, 3]", 100, "[1, 3]", 6100)};
  const auto summary = rank_summary(four);
  CHECK(summary.groups.size() == 4);
  CHECK(summary.ranks[0].straggler);
  CHECK(std::ranges::count_if(summary.ranks, &RankTime::straggler) == 1);
  CHECK(rank_findings(summary).size() == 1);
}

TEST_CASE("the group is named at the call, where the kernel does not name it", "[trace][ranks]") {
  std::vector<Diagnosis> ranks;
  for (int number = 0; number < 2; ++number) {
    Story story;
    story.rank = number;
    story.step([&] {
      story.kernels(tests::gemm, 1, 9000 - 4000 * number);
      story.within(
          "record_param_comms",
          R"("Collective name": "allreduce", "Process Group Ranks": "[)" + std::to_string(number) + "]\"",
          [&] { story.kernels("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1, 1000 + 4000 * number); });
      story.host = story.device;
    });
    ranks.push_back(diagnose(story.trace()));
  }
  CHECK(ranks[0].groups.at(0).members == "[0]");
  CHECK(rank_findings(rank_summary(ranks)).empty());
}

TEST_CASE("a message from one rank to another is no collective", "[trace][ranks]") {
  Story story;
  story.step([&] {
    story.kernels("ncclDevKernel_SendRecv", 1, 1000,
                  R"(, "Collective name": "recv", "Process Group Ranks": "[0, 1]")");
    story.kernels(tests::gemm, 1, 9000);
    story.host = story.device;
  });
  CHECK(diagnose(story.trace()).groups.empty());
}

TEST_CASE("members of a process group", "[trace][ranks]") {
  CHECK(is_member("[0,12]", 12));
  CHECK_FALSE(is_member("[0,12]", 1));
  CHECK_FALSE(is_member("tp_12", 12));
  CHECK_FALSE(is_member("", 0));
}

TEST_CASE("a single rank is nobody's straggler", "[trace][ranks]") {
  const Diagnosis one[] = {rank(0, 5000, 10'000)};
  CHECK(rank_findings(rank_summary(one)).empty());
}

TEST_CASE("the JSON of several ranks adds operators up and lists each rank", "[trace][ranks]") {
  const Diagnosis both[] = {rank(0, 5000, 10'000), rank(1, 9000, 10'000)};
  const auto json = diagnosis_json(both);
  CHECK(json["ranks"].size() == 2);
  CHECK(json["device"].size() == 2);
  CHECK(json["steps"].size() == 6);
  CHECK(json["launches"] == both[0].host.launches.count + both[1].host.launches.count);
}

}  // namespace
