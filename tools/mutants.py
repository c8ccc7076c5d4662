"""Small plausible bugs in C++ sources: where they can be put, and how. Each is a change that a switch makes while the program runs
(tools/mutate_runtime.h), so that many are compiled at once.

Only what stands on one line is changed: conditions, what is returned, and statements. Layout is that of the formatter.
"""

import collections
import re

# A bug: the line (from 0), what kind it is, the line without and with it, how the code would read with it, and which one it is of
# those that are of the same kind and in the same code.
Mutant = collections.namedtuple("Mutant", "file line kind before after text number", defaults=[1])

SWAPS = [(" && ", " || "), (" || ", " && "), (" == ", " != "), (" != ", " == "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "),
         (" >= ", " > "), (" + 1", " + 2"), (" - 1", ""), (" + 1", ""), (" + ", " - "), (" - ", " + "), (" * ", " + "),
         ("true", "false"), ("false", "true")]
STATEMENT = re.compile(r"^(\s+)((?!return\b|throw\b|break\b|continue\b|using\b|const\b|auto\b|static\b|delete\b|goto\b|co_|else\b|if\b|for\b|while\b|case\b|default\b|"
                       r"DOLMEN_CHECK|DOLMEN_TRY\(|EXPECT|ASSERT|template\b|typedef\b|friend\b|explicit\b|virtual\b|public|private)"
                       r"(?:DOLMEN_TRY_VOID|(?![A-Z_]+\()[\w:.\->\[\]*&()]+)(?:\(.*\)| (?:[+\-*/|&^]|<<|>>)?= [^=].*|\+\+|--));$")
PREFIX = re.compile(r"^(\s+)((?:\+\+|--)[\w.\->\[\]]+);$")


def masked(text):
    """The text with blanks for comments and for the content of literals, at the same places."""
    def blank(match):
        found = match.group(0)
        return found[0] + " " * (len(found) - 2) + found[-1] if found[0] in "\"'" else re.sub(r"[^\n]", " ", found)
    return re.sub(r'R"(\w*)\((?s:.*?)\)\1"|//[^\n]*|/\*(?s:.*?)\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'', blank, text)


def closing(text, at):
    """Where the parenthesis closes that opens at a place of the line; -1 when it does not."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return -1


def swapped(expression, mask):
    """The expression with one operator or constant replaced by another, in every possible way."""
    for old, new in SWAPS:
        for match in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)" if old[0] != " " else re.escape(old) + (r"(?!\d|\.)" if old[-1] == "1" else ""), mask):
            yield old.strip() + " to " + (new.strip() or "nothing"), expression[:match.start()] + new + expression[match.end():]


def of_condition(file, number, line, mask):
    match = re.search(r"\b(if|while) \(", mask)
    if not match or "constexpr" in mask or "#" in mask[:1]:
        return
    end = closing(mask, match.end() - 1)
    inner, inner_mask = line[match.end():end], mask[match.end():end]
    # Declarations in conditions are left alone.
    if end < 0 or ";" in inner_mask or re.search(r"(?<![=!<>+\-])=(?!=)", inner_mask) or not inner.strip():
        return
    head, tail = line[:match.end()], line[end:]
    if match.group(1) == "if":
        yield Mutant(file, number, "negated condition", line, f"{head}::dolmen_mutants::on(@) != static_cast<bool>({inner}){tail}",
                     f"if (!({inner}))")
    for name, other in swapped(inner, inner_mask):
        yield Mutant(file, number, name, line, f"{head}::dolmen_mutants::on(@) ? static_cast<bool>({other}) : static_cast<bool>({inner}){tail}",
                     f"{match.group(1)} ({other})")


def of_return(file, number, line, mask):
    match = re.search(r"(?:(?<=^)|(?<=\s)|(?<=\)\s))return (.+);$", mask)
    if not match or "{" in mask[match.start():] or not re.match(r"^\s+(if \(|return |else |case |default:)", mask):
        return
    inner, inner_mask = line[match.start(1):match.end(1)], match.group(1)
    for name, other in swapped(inner, inner_mask):
        yield Mutant(file, number, name, line, f"{line[:match.start()]}{{ if (::dolmen_mutants::on(@)) return {other}; return {inner}; }}",
                     f"return {other};")


def of_statement(file, number, line, mask, before):
    match = STATEMENT.match(mask) or PREFIX.match(mask)
    # It has to begin on this line.
    if not match or match.group(2)[0] in ".-(" or mask.count("(") != mask.count(")"):
        return
    if not (before.endswith((";", "{", "}", ":")) or re.search(r"^\s*(}? ?else )?(if|for|while)\b.*\)$|\belse$", before)):
        return
    statement = line[match.start(2):match.end(2)]
    yield Mutant(file, number, "dropped statement", line, f"{match.group(1)}{{ if (!::dolmen_mutants::on(@)) {{ {statement}; }} }}", "(nothing)")


def find(file, text):
    """All bugs that can be put into a source."""
    lines, masks = text.split("\n"), masked(text).split("\n")
    before, found = ";", []
    for number, (line, mask) in enumerate(zip(lines, masks)):
        mask = mask.rstrip()
        # Outside of functions nothing is indented.
        if mask.startswith("  ") and not mask.endswith("\\"):
            found += of_condition(file, number, line.rstrip(), mask)
            found += of_return(file, number, line.rstrip(), mask)
            found += of_statement(file, number, line.rstrip(), mask, before)
        if mask.strip():
            before = mask
    counts = collections.Counter()
    for i, mutant in enumerate(found):
        counts[mutant.kind, mutant.before.strip()] += 1
        found[i] = mutant._replace(number=counts[mutant.kind, mutant.before.strip()])
    return found
