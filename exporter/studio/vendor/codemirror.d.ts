/** What `.ci/codemirror/codemirror.js` exports, for the page's type check. */

export const acceptCompletion: any, autocompletion: any, closeBrackets: any, closeBracketsKeymap: any, completionKeymap: any;
export const defaultKeymap: any, indentWithTab: any;
export const yaml: any;
export const bracketMatching: any, HighlightStyle: any, indentOnInput: any, indentUnit: any, syntaxHighlighting: any, syntaxTree: any;
export const lintGutter: any, lintKeymap: any, setDiagnostics: any;
export const highlightSelectionMatches: any, search: any, searchKeymap: any;
export const Annotation: any, ChangeSet: any, EditorState: any, StateEffect: any, StateField: any;
export const Decoration: any, drawSelection: any, EditorView: any, highlightActiveLine: any, highlightActiveLineGutter: any;
export const hoverTooltip: any, keymap: any, lineNumbers: any;
export const tags: any;
