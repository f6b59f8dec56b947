#include "harness/results/scalar_log.hpp"

#include "harness/results/event_records.hpp"

namespace harness::results {

ScalarLog::ScalarLog(const std::filesystem::path& folder, std::size_t capacity)
    : file_(folder), capacity_(capacity), writer_([this] { write_all(); }) {}

ScalarLog::~ScalarLog() { finish(); }

void ScalarLog::put(std::int64_t step, std::vector<LoggedScalar> scalars) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < capacity_ || error_; });
  rethrow_error();
  waiting_.push_back({std::chrono::duration<double>(now).count(), step, std::move(scalars)});
  changed_.notify_all();
}

void ScalarLog::close() {
  finish();
  rethrow_error();
}

void ScalarLog::finish() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (writer_.joinable()) writer_.join();
}

void ScalarLog::rethrow_error() {
  if (const auto error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
}

void ScalarLog::write(const Entry& entry) {
  std::string records;
  for (const auto& [tag, value] : entry.scalars)
    records += scalar_record({entry.wall_time, entry.step}, tag, static_cast<float>(value()));
  file_.write(records);
}

void ScalarLog::write_all() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !waiting_.empty() || ended_; });
    if (waiting_.empty()) return;
    const auto entry = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    changed_.notify_all();  // there is room for one more while this one is written
    std::exception_ptr error;
    try {
      write(entry);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) error_ = error;
    changed_.notify_all();
  }
}

}  // namespace harness::results
