/** What the studio's text pane uses of CodeMirror; `exporter/studio/vendor/codemirror.d.ts` lists the same names. */

export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { defaultKeymap, indentWithTab } from "@codemirror/commands";
export { yaml } from "@codemirror/lang-yaml";
export {
  bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree,
} from "@codemirror/language";
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { Annotation, ChangeSet, EditorState, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
