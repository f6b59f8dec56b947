// A worker that misbehaves on request: what it does with a row is the last part of the row's name.
#include "harness/run/task.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace {

using namespace harness;
using namespace harness::results;
using namespace harness::run;

void put(const std::string& text) {
  if (write(3, text.data(), text.size()) < 0) _exit(9);
}

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  _exit(9);
}

void finish(const std::string& name) {
  Row row;
  row.name = name;
  row.step = "fake";
  row.judged.verdict = Verdict::no_effect;
  put(event_to_json(RowEnded{row}));
}

/// A child of ours that would live for ever, holding our streams; its number goes to the parent.
void start_grandchild(bool own_session = false) {
  const auto pid = fork();
  if (pid == 0 && own_session) setsid();
  if (pid == 0) sleep_for_ever();
  while (own_session && getsid(pid) != pid) sched_yield();  // else it may end with our group
  std::printf("grandchild %d\n", static_cast<int>(pid));
  std::fflush(stdout);
}

using Act = void (*)(const std::string& name);

const std::map<std::string, Act> acts = {
    {"good", finish},
    {"segfault", [](const std::string&) { die_of(SIGSEGV); }},
    {"abort",
     [](const std::string&) {
       std::fputs("terminate called after throwing an instance of 'int'\n", stderr);
       die_of(SIGABRT);
     }},
    {"exit0", [](const std::string&) { _exit(0); }},
    {"exit3", [](const std::string&) { _exit(3); }},
    {"garbage", [](const std::string&) { put("this is no JSON\n"), sleep_for_ever(); }},
    {"wrong_type", [](const std::string&) { put("{\"event\": \"row\", \"row\": 7}\n"), sleep_for_ever(); }},
    {"chatty",
     [](const std::string& name) {
       std::puts("{\"event\":\"end\"}");
       std::fflush(stdout);
       finish(name);
     }},
    {"cut_off", [](const std::string&) { put("{\"event\":\"row\",\"row\":{\"id\":"), die_of(SIGKILL); }},
    {"environment",
     [](const std::string& name) {
       std::printf("KINETO_LOG_LEVEL=%s\n", std::getenv("KINETO_LOG_LEVEL"));
       std::fflush(stdout);
       finish(name);
     }},
    {"hang", [](const std::string&) { sleep_for_ever(); }},
    {"deaf", [](const std::string&) { close(3), close(1), close(2), sleep_for_ever(); }},
    {"other", [](const std::string&) { put(event_to_json(RowBegun{"fake/other_row"})), sleep_for_ever(); }},
    {"bad_input",
     [](const std::string&) { put(event_to_json(InputRejected{"a.csv:3: no number"})), _exit(1); }},
    {"last", [](const std::string& name) { finish(name), put(event_to_json(WorkerEnded{})), _exit(0); }},
    {"grandchild", [](const std::string& name) { start_grandchild(), finish(name); }},
    {"stray", [](const std::string& name) { start_grandchild(true), finish(name); }},
    {"stray_dies", [](const std::string&) { start_grandchild(true), die_of(SIGKILL); }},
    {"grandchild_dies", [](const std::string&) { start_grandchild(), die_of(SIGKILL); }},
};

}  // namespace

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const auto task = task_from_json(text);
  if (task.budget_seconds) std::fprintf(stderr, "budget %.0f s\n", *task.budget_seconds);
  for (const auto& row : task.rows) {
    const auto& name = row.name;
    const auto act = name.substr(name.rfind('/') + 1);
    if (act == "unstarted") _exit(5);
    put(event_to_json(RowBegun{name}));
    acts.at(act)(name);
  }
  put(event_to_json(WorkerEnded{{.involuntary_switches = 2, .canary_seconds = {0.005}, .slowdowns = 4}}));
}
