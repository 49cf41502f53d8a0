#pragma once
#include "verify/recheck/instance.hpp"
#include "verify/recheck/json.hpp"

namespace rankfall::recheck {

/// Reads the keys `statement` and `reading` of a certificate. Throw InputError naming the place.
Statement read_statement(const Json& value);
Reading read_reading(const Json& value, const Statement& statement, std::size_t layers);

/// Why the statement says nothing about the layers of the reading; empty when it does.
std::string outside_scope(const Statement& statement, const Reading& reading, const Network& network);

}  // namespace rankfall::recheck
