// The editor of statements. It lives in a shadow root, where its styles need no <style> element, which the content security policy of
// the pages does not allow.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { SQLDialect, sql } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { functions, keywords, placeAt, quoteName } from "./completion";

export interface Knowledge {
  tables: () => readonly string[];
  /** Of one table. */
  indexes: (table: string) => Promise<readonly string[]>;
  /** Of the tables that the statement names. */
  attributes: (statement: string) => Promise<readonly string[]>;
}

export interface Editor {
  destroy: () => void;
}

const dialect = SQLDialect.define({
  keywords: keywords.join(" ").toLowerCase().replace(/\*/g, ""),
  builtin: functions.join(" "),
  types: "",
  doubleDollarQuotedStrings: false,
  operatorChars: "=<>!+-*",
  identifierQuotes: '"',
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.number, color: "var(--type-n)" },
  { tag: [tags.bool, tags.null], color: "var(--type-bool)" },
  { tag: tags.standard(tags.name), color: "var(--type-bool)" },
  { tag: tags.comment, color: "var(--text-3)", fontStyle: "italic" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)", borderRadius: "6px", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", minHeight: "120px", maxHeight: "340px" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--text-3)", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
});

async function complete(context: CompletionContext, known: Knowledge): Promise<CompletionResult | null> {
  const statement = context.state.doc.toString();
  const place = placeAt(statement, context.pos);
  if (place.wants === "nothing" || (place.from === context.pos && !context.explicit && place.wants === "word")) return null;
  const named = (names: readonly string[], type: string): Completion[] => names.map((name) => ({ label: name, apply: quoteName(name), type }));
  const options = place.wants === "table" ? named(known.tables(), "class")
    : place.wants === "index" ? named(await known.indexes(place.table ?? ""), "property")
      : [
        ...named(await known.attributes(statement), "variable"),
        ...keywords.map((label) => ({ label, type: "keyword", boost: -1 })),
        ...functions.map((label) => ({ label, apply: `${label}(`, type: "function", boost: -2 })),
      ];
  const typed = statement.slice(place.from, context.pos);
  return { from: place.from, options, filter: true, ...(typed.startsWith('"') ? { from: place.from + 1, options: options.map(({ label, type }) => ({ label, ...(type ? { type } : {}), apply: `${label.replace(/"/g, '""')}"` })) } : {}) };
}

export interface EditorOptions {
  text: string;
  known: Knowledge;
  onChange: (text: string) => void;
  onRun: () => void;
}

export function makeEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => { options.onRun(); return true; } }])),
        lineNumbers(), history(), drawSelection(), bracketMatching(),
        sql({ dialect }),
        autocompletion({ override: [(context) => complete(context, options.known)], icons: false }),
        syntaxHighlighting(colours),
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Statement" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) options.onChange(update.state.doc.toString()); }),
        theme,
      ],
    }),
  });
  return {
    destroy: () => view.destroy(),
  };
}
