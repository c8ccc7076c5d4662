#include <iterator>

#include "dolmen/expression.h"

namespace dolmen {
namespace {

using Kind = detail::ExpressionPiece::Kind;

detail::ExpressionPiece text_piece(std::string_view text) { return {.kind = Kind::kText, .text = std::string(text)}; }
detail::ExpressionPiece name_piece(std::string name) { return {.kind = Kind::kName, .text = std::move(name)}; }
detail::ExpressionPiece value_piece(AttributeValue value) { return {.kind = Kind::kValue, .value = std::move(value)}; }

/// Collects the pieces of an expression from left to right.
class PieceList {
 public:
  PieceList& text(std::string_view text) {
    pieces_.push_back(text_piece(text));
    return *this;
  }
  PieceList& value(AttributeValue value) {
    pieces_.push_back(value_piece(std::move(value)));
    return *this;
  }
  PieceList& all(const detail::ExpressionPieces& pieces) {
    pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
    return *this;
  }
  detail::ExpressionPieces take() { return std::move(pieces_); }

 private:
  detail::ExpressionPieces pieces_;
};

detail::ExpressionPieces pieces_of_text(std::string text) {
  detail::ExpressionPieces pieces;
  if (!text.empty()) pieces.push_back({.kind = Kind::kText, .text = std::move(text)});
  return pieces;
}

}  // namespace

// ---- Condition ----

Condition::Condition(std::string text, const Values& values, const Names& names)
    : pieces_(pieces_of_text(std::move(text))),
      values_(values.begin(), values.end()),
      names_(names.begin(), names.end()) {}

Condition::Condition(const char* text, const Values& values, const Names& names)
    : Condition(std::string(text), values, names) {}

Condition Condition::of(detail::ExpressionPieces pieces) {
  Condition condition;
  condition.pieces_ = std::move(pieces);
  return condition;
}

Condition Condition::joined(Condition a, std::string_view word, Condition b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  Condition both = of(PieceList().text("(").all(a.pieces_).text(word).all(b.pieces_).text(")").take());
  both.values_ = std::move(a.values_);
  both.values_.insert(both.values_.end(), b.values_.begin(), b.values_.end());
  both.names_ = std::move(a.names_);
  both.names_.insert(both.names_.end(), b.names_.begin(), b.names_.end());
  return both;
}

Condition operator&&(Condition a, Condition b) { return Condition::joined(std::move(a), ") AND (", std::move(b)); }
Condition operator||(Condition a, Condition b) { return Condition::joined(std::move(a), ") OR (", std::move(b)); }

Condition operator!(Condition condition) {
  if (condition.empty()) return condition;
  condition.pieces_ = PieceList().text("NOT (").all(condition.pieces_).text(")").take();
  return condition;
}

// ---- Operand and Path ----

Condition Operand::compared(Operand a, std::string_view comparator, AttributeValue b) {
  return Condition::of(PieceList().all(a.pieces_).text(" ").text(comparator).text(" ").value(std::move(b)).take());
}

Condition Operand::compared(Operand a, std::string_view comparator, const Operand& b) {
  return Condition::of(PieceList().all(a.pieces_).text(" ").text(comparator).text(" ").all(b.pieces_).take());
}

Condition Operand::between(AttributeValue low, AttributeValue high) const {
  return Condition::of(
      PieceList().all(pieces_).text(" BETWEEN ").value(std::move(low)).text(" AND ").value(std::move(high)).take());
}

Condition Operand::in(std::vector<AttributeValue> values) const {
  PieceList list;
  list.all(pieces_).text(" IN (");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) list.text(", ");
    list.value(std::move(values[i]));
  }
  return Condition::of(list.text(")").take());
}

Path::Path(std::string attribute) : Operand({name_piece(std::move(attribute))}) {}

Path Path::operator[](std::string name) const {
  Path path = *this;
  path.pieces_.push_back(text_piece("."));
  path.pieces_.push_back(name_piece(std::move(name)));
  return path;
}

Path Path::element(const std::string& index) const {
  Path path = *this;
  path.pieces_.push_back(text_piece("[" + index + "]"));
  return path;
}

Condition Path::call(std::string_view function) const {
  return Condition::of(PieceList().text(function).text("(").all(pieces_).text(")").take());
}

Condition Path::call(std::string_view function, AttributeValue argument) const {
  return Condition::of(
      PieceList().text(function).text("(").all(pieces_).text(", ").value(std::move(argument)).text(")").take());
}

Condition Path::exists() const { return call("attribute_exists"); }
Condition Path::not_exists() const { return call("attribute_not_exists"); }
Condition Path::is(Type type) const { return call("attribute_type", type_name(type)); }
Condition Path::begins_with(AttributeValue prefix) const { return call("begins_with", std::move(prefix)); }
Condition Path::contains(AttributeValue part) const { return call("contains", std::move(part)); }

Operand Path::size() const {
  Path sized = *this;
  sized.pieces_ = PieceList().text("size(").all(pieces_).text(")").take();
  return sized;
}

// ---- Update ----

Update::Update(std::string text, const Values& values, const Names& names)
    : text_(std::move(text)), values_(values.begin(), values.end()), names_(names.begin(), names.end()) {}

Update::Update(const char* text, const Values& values, const Names& names) : Update(std::string(text), values, names) {}

Update& Update::clause(Clause which, detail::ExpressionPieces pieces) {
  detail::ExpressionPieces& all = clauses_[which];
  if (!all.empty()) all.push_back(text_piece(", "));
  all.insert(all.end(), std::make_move_iterator(pieces.begin()), std::make_move_iterator(pieces.end()));
  return *this;
}

Update& Update::set(const Path& path, AttributeValue value) {
  return clause(kSet, PieceList().all(path.pieces()).text(" = ").value(std::move(value)).take());
}

Update& Update::set(const Path& path, const Path& source) {
  return clause(kSet, PieceList().all(path.pieces()).text(" = ").all(source.pieces()).take());
}

Update& Update::set_if_not_exists(const Path& path, AttributeValue value) {
  return clause(kSet, PieceList()
                          .all(path.pieces())
                          .text(" = if_not_exists(")
                          .all(path.pieces())
                          .text(", ")
                          .value(std::move(value))
                          .text(")")
                          .take());
}

Update& Update::increment(const Path& path, Number by) {
  return clause(kSet, PieceList().all(path.pieces()).text(" = ").all(path.pieces()).text(" + ").value(by).take());
}

Update& Update::increment_or_start(const Path& path, Number by, Number start) {
  return clause(kSet, PieceList()
                          .all(path.pieces())
                          .text(" = if_not_exists(")
                          .all(path.pieces())
                          .text(", ")
                          .value(start)
                          .text(") + ")
                          .value(by)
                          .take());
}

Update& Update::append(const Path& path, List elements) {
  return clause(kSet, PieceList()
                          .all(path.pieces())
                          .text(" = list_append(")
                          .all(path.pieces())
                          .text(", ")
                          .value(std::move(elements))
                          .text(")")
                          .take());
}

Update& Update::prepend(const Path& path, List elements) {
  return clause(kSet, PieceList()
                          .all(path.pieces())
                          .text(" = list_append(")
                          .value(std::move(elements))
                          .text(", ")
                          .all(path.pieces())
                          .text(")")
                          .take());
}

Update& Update::remove(const Path& path) { return clause(kRemove, path.pieces()); }

Update& Update::add(const Path& path, AttributeValue value) {
  return clause(kAdd, PieceList().all(path.pieces()).text(" ").value(std::move(value)).take());
}

Update& Update::erase_from(const Path& path, AttributeValue members) {
  return clause(kDelete, PieceList().all(path.pieces()).text(" ").value(std::move(members)).take());
}

bool Update::empty() const noexcept {
  if (!text_.empty()) return false;
  for (const detail::ExpressionPieces& pieces : clauses_)
    if (!pieces.empty()) return false;
  return true;
}

detail::ExpressionPieces Update::pieces() const {
  constexpr std::string_view kWords[kClauses] = {"SET ", "REMOVE ", "ADD ", "DELETE "};
  PieceList list;
  if (!text_.empty()) list.text(text_);
  for (std::size_t which = 0; which < kClauses; ++which) {
    if (clauses_[which].empty()) continue;
    list.text(" ").text(kWords[which]).all(clauses_[which]);
  }
  return list.take();
}

// ---- Projection ----

Projection::Projection(std::string text, const Names& names)
    : pieces_(pieces_of_text(std::move(text))), names_(names.begin(), names.end()) {}

Projection::Projection(const char* text, const Names& names) : Projection(std::string(text), names) {}

Projection::Projection(const std::vector<Path>& paths) {
  PieceList list;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (i > 0) list.text(", ");
    list.all(paths[i].pieces());
  }
  pieces_ = list.take();
}

}  // namespace dolmen
