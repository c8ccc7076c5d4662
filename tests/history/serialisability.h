#pragma once

#include <string>
#include <vector>

#include "history.h"

namespace dolmen::history {

/// What is wrong with the transactions; empty when they are strictly serialisable: when they can have happened one
/// after the other, in an order that keeps what had ended before another began.
///
/// Every value is written to a key once, so a read says whose write it saw; a transaction that reads a key and writes
/// it says what it has replaced. From that follows who came before whom, and a circle of transactions is a violation.
/// Of writes that read nothing only the times are known. A transaction of unknown outcome happened if somebody has seen
/// a write of it. Takes time in proportion to the accesses.
std::vector<std::string> find_not_serialisable(const History& history);

}  // namespace dolmen::history
