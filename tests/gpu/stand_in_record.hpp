// What the stand-in wrote of another process's commands (STAND_IN_RECORD) or calls (STAND_IN_CALLS).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

/// A line of the record, as far as tests read it.
struct RecordedCommand {
  std::string kind;
  std::size_t bytes = 0;
  std::string name;
};

/// A file for one of the two, of a name that nobody else has; removed with its owner.
class StandInRecord {
 public:
  StandInRecord() : path_((std::filesystem::temp_directory_path() / "stand-in-record-XXXXXX").string()) {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) throw std::runtime_error("cannot make the file " + path_);
    close(descriptor);
  }
  ~StandInRecord() { unlink(path_.c_str()); }
  StandInRecord(const StandInRecord&) = delete;
  StandInRecord& operator=(const StandInRecord&) = delete;

  /// For the environment of the process that is recorded; `which` is STAND_IN_RECORD or STAND_IN_CALLS.
  std::string variable(const std::string& which = "STAND_IN_RECORD") const { return which + "=" + path_; }

  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path_).rdbuf();
    return all.str();
  }

  std::vector<RecordedCommand> commands() const {
    std::vector<RecordedCommand> all;
    std::ifstream lines(path_);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string process, stream, device;
      RecordedCommand command;
      words >> process >> command.kind >> command.bytes >> stream >> device;
      std::getline(words >> std::ws, command.name);
      all.push_back(std::move(command));
    }
    return all;
  }

 private:
  std::string path_;
};
