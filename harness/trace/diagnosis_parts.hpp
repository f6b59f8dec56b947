// The parts of the diagnosis as JSON, one function per list of the schema.
#pragma once

#include "harness/trace/diagnosis.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace harness::trace {

/// Absent ids and empty texts are null.
nlohmann::ordered_json id_or_null(std::int64_t id);
nlohmann::ordered_json text_or_null(std::string_view text);

/// One table for all ranks: rows of the same name and sort are added up.
nlohmann::ordered_json op_table_json(std::span<const Diagnosis> diagnoses);
nlohmann::ordered_json device_json(const DeviceTime& device, std::int64_t rank);
nlohmann::ordered_json queue_json(const Queue& queue, std::int64_t rank);
nlohmann::ordered_json wait_json(const Wait& wait, std::int64_t rank);
nlohmann::ordered_json shares_json(const Shares& shares);
nlohmann::ordered_json step_diagnosis_json(const StepDiagnosis& step, std::int64_t rank);
nlohmann::ordered_json finding_json(const Finding& finding, std::int64_t rank);
nlohmann::ordered_json phase_json(const Phase& phase, std::int64_t rank);
nlohmann::ordered_json kernels_json(const Diagnosis& diagnosis);

}  // namespace harness::trace
