// What the linter holds against the JavaScript. Names that are not there are the type checker's.
import js from "@eslint/js";

export default [
  {ignores: ["**/*.ipynb", "docs/", "lrbn_viz/bundles/", "node_modules/"]},
  js.configs.recommended,
  {
    languageOptions: {ecmaVersion: 2025, sourceType: "module"},
    linterOptions: {reportUnusedDisableDirectives: "error"},
    rules: {
      "no-undef": "off", // tsc knows the browser's names and Node's
      "no-unused-vars": ["error", {args: "after-used"}],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: ["error", "always", {null: "ignore"}],
      "no-duplicate-imports": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-throw-literal": "error",
      "no-self-compare": "error",
      "no-useless-rename": "error",
      "no-unneeded-ternary": "error",
      "no-useless-return": "error",
      "object-shorthand": "error",
      "prefer-template": "off",
    },
  },
  {
    files: ["lrbn_viz/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {regex: "^(?!\\.{1,2}/)", message: "Pages are offline: import files of this package only."},
          ],
        },
      ],
    },
  },
];
