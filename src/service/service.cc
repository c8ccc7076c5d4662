#include "service/service.h"

#include "base/fail.h"
#include "service/write_gate.h"

namespace dolmen {

void Service::call_dolmen(std::string_view operation, std::string /*body*/, Done<std::string> done) {
  done(fail(Code::kUnknownOperation, "a store in this process has no operation {} to call", operation));
}

void Service::change_gate(GateChange change, Done<void> done) {
  done(fail(Code::kUnsupported, "the writes to {} are not carried out in this process", change.table));
}

void Service::write_gate(const std::string& table, Done<std::shared_ptr<const WriteGate>> done) {
  done(fail(Code::kUnsupported, "the writes to {} are not carried out in this process", table));
}

}  // namespace dolmen
