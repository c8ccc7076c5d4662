// The search of the site. It replaces MkDocs' own, which needs a web server: this one reads the index from a script, so that it
// also works in pages that are opened as files.
"use strict";

const SEARCH_RESULTS_MAX = 20;
const SUMMARY_LENGTH = 200;

function buildIndex(docs) {
  return lunr(function () {
    this.ref("location");
    this.field("title", { boost: 5 });
    this.field("text");
    docs.forEach((doc) => this.add(doc));
  });
}

// The pages that have all words, the last of them perhaps unfinished; where lunr understands the text, those that it finds.
function findPages(index, docs, text) {
  const words = text.toLowerCase().split(/[^\w-]+/).filter(Boolean);
  if (words.length === 0) return [];
  const byLocation = new Map(docs.map((doc) => [doc.location, doc]));
  const found = index.query((query) => words.forEach((word) => {
    query.term(lunr.tokenizer(word), { boost: 10, usePipeline: true });
    query.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
  }));
  const hasAll = (doc) => words.every((word) => `${doc.title} ${doc.text}`.toLowerCase().includes(word));
  const pages = found.map(({ ref }) => byLocation.get(ref));
  return [...pages.filter(hasAll), ...pages.filter((doc) => !hasAll(doc))].slice(0, SEARCH_RESULTS_MAX);
}

function showPages(list, pages, base) {
  list.replaceChildren(...pages.map((page) => {
    const article = document.createElement("article");
    const link = document.createElement("a");
    link.href = `${base}/${page.location}`;
    link.textContent = page.title;
    const heading = document.createElement("h3");
    heading.append(link);
    const summary = document.createElement("p");
    summary.textContent = page.text.slice(0, SUMMARY_LENGTH);
    article.append(heading, summary);
    return article;
  }));
  if (pages.length === 0) list.textContent = "Nothing was found.";
}

if (typeof document !== "undefined") {
  document.addEventListener("DOMContentLoaded", () => {
    const list = document.getElementById("mkdocs-search-results");
    const input = document.getElementById("mkdocs-search-query");
    if (!list || !input) return;
    const docs = window.dolmenPages;
    const index = buildIndex(docs);
    const search = () => showPages(list, findPages(index, docs, input.value), base_url);
    input.addEventListener("input", search);
    input.value = new URLSearchParams(window.location.search).get("q") ?? "";
    if (input.value) search();
  });
}
