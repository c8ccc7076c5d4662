#include "expr/compare.h"

namespace dolmen::expr {
namespace {

template <class T>
Order ordered(const T& a, const T& b) {
  return a < b ? Order::kLess : b < a ? Order::kGreater : Order::kEqual;
}

}  // namespace

Order order_of(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return Order::kNone;
  switch (a.type()) {
    case Type::kString: return ordered(a.string(), b.string());
    case Type::kNumber: return ordered(a.number(), b.number());
    case Type::kBinary: return ordered(a.binary(), b.binary());
    default: return Order::kNone;
  }
}

}  // namespace dolmen::expr
