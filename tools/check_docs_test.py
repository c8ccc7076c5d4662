"""tools/check_docs finds what is broken in the documentation, and the documentation of this tree is whole."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
loader = importlib.machinery.SourceFileLoader("check_docs", str(TOOLS / "check_docs"))
check_docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_docs", loader))
loader.exec_module(check_docs)


class CheckDocsTest(unittest.TestCase):
    def problems(self, page, pages="[All]\npage.md: Page\n?later.md: Later\n", name="page.md"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for folder_name in ("docs", "bench"):
                (root / folder_name).mkdir()
            for other in ("README.md", "CONTRIBUTING.md", "bench/README.md"):
                (root / other).write_text("# x\n")
            (root / "docs/pages.txt").write_text(pages)
            (root / "docs" / name).write_text(page)
            return list(check_docs.problems_of(root))

    def test_whole_pages_have_no_problems(self):
        text = "# A `b` c\n[top](#a-b-c) [home](../README.md) [later](later.md#x) [web](https://example.org)\n`[a](b)`\n"
        self.assertEqual(self.problems(text + "```text\n[a](gone.md)\n# no heading\n```\n"), [])

    def test_broken_links_headings_and_pictures_are_named(self):
        self.assertEqual(self.problems("[a](gone.md)"), ["docs/page.md: (gone.md) is not there"])
        self.assertEqual(self.problems("# x\n[a](#y)"), ['docs/page.md: (#y): page.md has no heading "y"'])
        self.assertEqual(self.problems("![](../README.md)"),
                         ["docs/page.md: (../README.md) has no text that says what the picture shows"])

    def test_the_list_of_pages_is_complete(self):
        self.assertEqual(self.problems("", "[All]\n"), ["docs/pages.txt does not list page.md"])
        self.assertEqual(self.problems("", "[All]\npage.md: A\npage.md: B\nno.md: C\n"),
                         ["docs/pages.txt lists page.md twice", "docs/pages.txt lists no.md, which is not there"])

    def test_pages_about_parts_of_dolmen_have_one_shape(self):
        def problems(text):
            return self.problems(text, "[All]\nstreams.md: Streams\n", "streams.md")

        self.assertEqual(problems("# S\n## Example\n## Reference\n### x\n## Limits\n"), [])
        self.assertEqual(problems("# S\n## Reference\n## Example\n## Limits\n"),
                         ["docs/streams.md has the parts Reference, Example, Limits; a page about a part of Dolmen has Example, Reference, "
                          "Limits"])
        self.assertEqual(len(problems("# S\n## How\n## Example\n## Reference\n## Limits\n")), 1)

    def test_headings_are_numbered_as_github_does(self):
        self.assertEqual(check_docs.anchors_of("## In a terminal\n## In a terminal\n"), {"in-a-terminal", "in-a-terminal-1"})

    def test_this_tree_is_whole(self):
        self.assertEqual(list(check_docs.problems_of(TOOLS.parent)), [])


if __name__ == "__main__":
    unittest.main()
