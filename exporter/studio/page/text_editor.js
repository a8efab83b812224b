// @ts-check
/** Makes the editor of a spec's text: CodeMirror with the colours of the page, which are those of its style sheet. */

/**
 * @typedef {object} Host
 * @property {(update: any) => void} updated the text or the caret has changed
 * @property {() => boolean} isLocked whether nothing can be typed
 * @property {any} remote the annotation of changes that nobody typed
 * @property {import("./text_suggestions.js").TextSuggestions} suggestions
 */

/** The lines of what is selected. @typedef {{from: number, to: number} | null} Shown */

/**
 * Return the editor, and a function that shows a range of its text.
 * @param {any} codemirror @param {ShadowRoot} root its styles stay in there @param {Host} host
 */
export function textEditor(codemirror, root, host) {
  const {
    acceptCompletion, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, Decoration, defaultKeymap, drawSelection,
    EditorState, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, hoverTooltip, indentOnInput, indentUnit,
    indentWithTab, keymap, lineNumbers, lintGutter, lintKeymap, search, searchKeymap, StateEffect, StateField, yaml,
  } = codemirror;
  const show = StateEffect.define();
  const line = Decoration.line({ class: "shown" });
  const shown = StateField.define({
    create: () => Decoration.none,
    update: (/** @type {any} */ lines, /** @type {any} */ transaction) => {
      const effect = transaction.effects.find((/** @type {any} */ one) => one.is(show));
      return effect ? Decoration.set(linesOf(transaction.state.doc, effect.value).map((at) => line.range(at))) : lines.map(transaction.changes);
    },
    provide: (/** @type {any} */ field) => EditorView.decorations.from(field),
  });
  const view = new EditorView({
    parent: root,
    root,
    extensions: [
      lineNumbers(), lintGutter(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), shown,
      yaml(), ...colors(codemirror), indentUnit.of("  "), indentOnInput(), bracketMatching(), closeBrackets(), highlightSelectionMatches(), search({ top: true }),
      autocompletion({ override: [(/** @type {any} */ context) => host.suggestions.complete(context)], icons: false }),
      hoverTooltip((/** @type {any} */ editor, /** @type {number} */ at) => host.suggestions.hover(editor, at)),
      keymap.of([{ key: "Tab", run: acceptCompletion }, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...lintKeymap, indentWithTab, ...defaultKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "Text of the level", tabindex: "0" }),
      EditorView.updateListener.of((/** @type {any} */ update) => host.updated(update)),
      EditorState.changeFilter.of((/** @type {any} */ change) => Boolean(change.annotation(host.remote)) || !host.isLocked()),
    ],
  });
  /** @param {Shown} range */
  const showRange = (range) => view.dispatch({
    effects: [show.of(range), ...range ? [EditorView.scrollIntoView(range.from, { y: "start", yMargin: 40 })] : []],
  });
  return { view, showRange };
}

/** The beginnings of the lines of a range. @param {any} document @param {Shown} range @returns {number[]} */
function linesOf(document, range) {
  if (!range) return [];
  const last = document.lineAt(Math.max(range.from, range.to - 1)).number;
  const starts = [];
  for (let number = document.lineAt(range.from).number; number <= last; number++) starts.push(document.line(number).from);
  return starts;
}

/** @param {any} codemirror */
function colors({ EditorView, HighlightStyle, syntaxHighlighting, tags }) {
  const muted = { color: "var(--soft)" };
  const raised = { background: "var(--raised)", border: "1px solid var(--line)", borderRadius: "6px" };
  const chosen = { background: "color-mix(in srgb, var(--accent) 22%, var(--raised))", color: "var(--text)" };
  return [
    EditorView.theme({
      "&": { height: "100%", color: "var(--text)", background: "var(--ground)", fontSize: "12.5px" },
      "&.cm-focused": { outline: "none" },
      ".cm-scroller": { fontFamily: "ui-monospace, 'Cascadia Mono', Menlo, monospace", lineHeight: "1.5", scrollbarWidth: "thin" },
      ".cm-content": { caretColor: "var(--text)" },
      ".cm-cursor": { borderLeftColor: "var(--text)" },
      ".cm-gutters": { ...muted, background: "var(--ground)", border: "0" },
      ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--text) 5%, transparent)" },
      ".shown": { background: "color-mix(in srgb, var(--accent) 16%, transparent)", boxShadow: "inset 2px 0 var(--accent)" },
      "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
        background: "color-mix(in srgb, var(--accent) 30%, transparent)",
      },
      ".cm-selectionMatch, &.cm-focused .cm-matchingBracket": { background: "color-mix(in srgb, var(--good) 25%, transparent)" },
      ".cm-searchMatch": { background: "color-mix(in srgb, var(--accent) 25%, transparent)", outline: "1px solid var(--accent)" },
      ".cm-panels": { background: "var(--raised)", color: "var(--text)", borderColor: "var(--line)" },
      ".cm-button, .cm-textfield": { background: "var(--ground)", border: "1px solid var(--line)", borderRadius: "5px", color: "var(--text)" },
      ".cm-tooltip": { ...raised, color: "var(--text)", maxWidth: "380px" },
      ".cm-tooltip .about": { padding: "6px 10px" },
      ".cm-tooltip .about p": { margin: "4px 0 0", whiteSpace: "pre-line" },
      ".cm-completionInfo": { ...raised, padding: "6px 10px" },
      ".cm-completionDetail": { ...muted, fontStyle: "normal", marginLeft: "10px" },
      ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": chosen,
      ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": { color: "var(--text)" },
      ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)" },
      ".cm-diagnostic": { whiteSpace: "pre-wrap" },
      ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
    }),
    syntaxHighlighting(HighlightStyle.define([
      { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--good)" },
      { tag: [tags.string, tags.content], color: "var(--text)" },
      { tag: [tags.number, tags.bool, tags.keyword, tags.typeName, tags.labelName, tags.attributeValue], color: "var(--accent)" },
      { tag: tags.comment, ...muted, fontStyle: "italic" },
      { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace, tags.meta], ...muted },
    ])),
  ];
}
