#!/usr/bin/python3
"""The snippets of a page of the documentation, and the C++ among them as a program that compiles and runs them.

    snippets.py PAGE.md PRELUDE.h OUT.cc

A snippet is a fenced block with the name of its language. A comment in the line before it says what a reader does with it:

    <!-- file: notes.yml -->     saves it under that name
    <!-- server -->              has a server running
    <!-- compiled -->            compiles it, but cannot run it here: it needs AWS, or never ends
    <!-- not run: WHY -->        does nothing with it
"""

import collections
import pathlib
import re
import sys

Snippet = collections.namedtuple("Snippet", "language text line mark")

FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (?P<mark>(file: [\w./-]+|server|compiled|not run: [^>]+)) -->\n\Z")
# What begins a declaration; anything else in a snippet is done by a function.
DECLARATION = re.compile(r"(struct|class|enum|template|using|namespace|inline|constexpr|DOLMEN_\w+|int main)\b")


def snippets_of(page):
    text = pathlib.Path(page).read_text()
    found = []
    for fence in FENCE.finditer(text):
        mark = MARK.search(text[:fence.start()])
        found.append(Snippet(fence["language"], fence["text"], text[:fence.start()].count("\n") + 2,
                             mark["mark"] if mark else ""))
    return found


def without_comment(line):
    """A rough cut: the snippets have no // in texts except in addresses."""
    return re.sub(r"(^|\s)//.*", "", line).rstrip()


def chunks_of(text):
    """The declarations and statements of a snippet, each with the number of its first line in it."""
    chunks, current, depth, first = [], [], 0, 0
    for number, line in enumerate(text.splitlines()):
        code = without_comment(line)
        if not current:
            first = number
        current.append(line)
        depth += sum(code.count(c) for c in "({[") - sum(code.count(c) for c in ")}]")
        if depth == 0 and (not code or code[-1] in ";}" or code.startswith("#")):
            chunks.append((first, "\n".join(current)))
            current = []
    if current:
        chunks.append((first, "\n".join(current)))
    return chunks


def cpp_of(snippet, number, page):
    """Includes, what must stand outside of any namespace, and the namespace of a snippet with its function `run`."""
    includes, outside, declarations, statements = [], [], [], []
    for first, chunk in chunks_of(snippet.text):
        code = chunk.lstrip()
        located = f'#line {snippet.line + first} "{page}"\n{chunk}'
        if code.startswith("#include"):
            includes.append(chunk)
        elif code.startswith("namespace db"):
            continue
        elif code.startswith("template <>"):
            outside.append(located)
        elif code.startswith("int main"):
            program, end = located.replace("int main()", "int program()").rstrip().rsplit("}", 1)
            declarations.append(f"{program}return 0;\n}}{end}")
            statements.append("if (program() != 0) std::abort();")
        elif DECLARATION.match(code):
            declarations.append(located)
        else:
            statements.append(located)
    # Inside of what is given, which so hides what else has its names.
    space = f"namespace given::snippet_{number} {{\n" + "\n".join(declarations) + "\ninline void run() {\n"
    space += "\n".join(statements) + "\n}\n}"
    return includes, outside, space


def program_of(page, prelude):
    includes, outside, spaces, calls = [], [], [], []
    for number, snippet in enumerate(snippets_of(page), 1):
        if snippet.language != "cpp" or snippet.mark.startswith("not run"):
            continue
        its_includes, its_outside, space = cpp_of(snippet, number, page)
        includes += its_includes
        outside += its_outside
        spaces.append(space)
        # What is only compiled is not called, so that what it is given needs no definition.
        if snippet.mark != "compiled":
            # Each as a reader who tries only this one would find the world.
            calls.append(f'dolmen::docs::begin("{page}:{snippet.line}"); given::set_up(); given::snippet_{number}::run();')
    unique = list(dict.fromkeys(includes))
    return "\n".join([f'#include "{prelude}"', *unique, "namespace db = dolmen;", *outside, *spaces,
                      "int main() {", *("  " + call for call in calls), "  dolmen::docs::end();", "}", ""])


def main():
    page, prelude, out = sys.argv[1:]
    pathlib.Path(out).write_text(program_of(page, prelude))


if __name__ == "__main__":
    main()
