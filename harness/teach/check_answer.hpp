// Is what was typed an answer, and the right one?
#pragma once

#include "harness/teach/truth.hpp"
#include "harness/teach/unit.hpp"

#include <string>
#include <string_view>

namespace harness::teach {

/// True where the text can be an answer to the unit at all.
bool is_answer(const CourseUnit& unit, std::string_view typed);
/// True where it is the right one.
bool is_right(const CourseUnit& unit, std::string_view typed, const Truth& truth);

/// What may be typed: "too little, agrees or too much", "a number", "a time, such as 50 us".
std::string expected_answer(const CourseUnit& unit);

}  // namespace harness::teach
