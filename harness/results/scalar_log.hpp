// Scalars of a training, written by a thread of their own: the loop hands over and goes on.
#pragma once

#include "harness/results/event_file.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace harness::results {

/// A number that may not be known yet, as a loss that a device still computes: the writer asks for it.
struct LoggedScalar {
  std::string tag;
  std::function<double()> value;
};

class ScalarLog {
 public:
  /// Makes the event file in `folder`. At most `capacity` steps wait for the writer. Throws BadInput where
  /// the file cannot be made.
  explicit ScalarLog(const std::filesystem::path& folder, std::size_t capacity = 64);
  /// Writes what is left. An error that nobody has asked for by `close` is lost.
  ~ScalarLog();
  ScalarLog(const ScalarLog&) = delete;
  ScalarLog& operator=(const ScalarLog&) = delete;

  /// Hands a step's numbers over; waits only while `capacity` steps are waiting. Throws what the writer met,
  /// once.
  void put(std::int64_t step, std::vector<LoggedScalar> scalars);
  /// Waits until all is in the file. Throws what the writer met.
  void close();

  const std::filesystem::path& path() const { return file_.path(); }

 private:
  struct Entry {
    double wall_time;
    std::int64_t step;
    std::vector<LoggedScalar> scalars;
  };
  void write_all();
  void write(const Entry& entry);
  void finish();
  void rethrow_error();

  EventFile file_;
  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread writer_;
};

}  // namespace harness::results
