// A command with knobs in it: 'train --batch {batch:16,32,64} --workers {workers:0..8} {compile:,--compile}'.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace harness::programs {

/// The value of each knob, by its name.
using Settings = std::map<std::string, std::string>;

struct Knob {
  std::string name;
  std::vector<std::string> values;  // the first is that of the command as it stands
  bool ordered = false;             // they are rising numbers
};

class Template {
 public:
  /// Throws BadInput, one sentence, where the text has no knob or one is wrong.
  explicit Template(const std::string& text);

  const std::vector<Knob>& knobs() const { return knobs_; }
  /// Every knob at its first value.
  Settings standard() const;
  /// The command with these values.
  std::string command(const Settings& settings) const;

 private:
  std::string text_;
  std::vector<Knob> knobs_;
};

/// "batch=32 workers=4"
std::string settings_text(const Settings& settings);

}  // namespace harness::programs
