import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const nodeGlobals = [
  'AbortController',
  'AbortSignal',
  'Buffer',
  'URL',
  'URLSearchParams',
  'clearInterval',
  'clearTimeout',
  'console',
  'fetch',
  'performance',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
];

const readOnly = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

const TESTS = ['**/*.test.ts', 'test/**/*.ts'];
const OWN_SOURCE = ['contract/src/**/*.ts', 'mcp/src/**/*.ts', 'server/src/**/*.{ts,tsx}'];
const N8N_PACKAGE = ['credentials/**/*.ts', 'nodes/**/*.ts'];

const environment = {
  object: 'process',
  property: 'env',
  message: 'Only main.ts hands the environment to config.ts; take what you need from the Config.',
};
const notInjected = (object, property, instead) => ({
  object,
  property,
  message: `Take ${instead} instead.`,
});
const UNTOLD_TIME = [
  'NewExpression[callee.name="Date"][arguments.length=0]',
  'CallExpression[callee.name="Date"]',
].map((selector) => ({ selector, message: 'Take the injected Clock instead.' }));

const CAN_PARSE = {
  selector: 'MemberExpression[object.name="URL"][property.name="canParse"]',
  message: 'Use parseUrl instead: once compiled, URL.canParse of Node.js 20 refuses letters such as "ü".',
};

/** Enums are forbidden, so the rule no-unsafe-enum-assignment, which needs the type of every value, can be off. */
const ENUM = { selector: 'TSEnumDeclaration', message: 'Use a union of texts instead.' };

export default defineConfig(
  globalIgnores(['**/dist/', '**/node_modules/', '.cache/', 'data/', 'docs/']),
  { linterOptions: { noInlineConfig: true } },
  js.configs.recommended,

  {
    files: ['**/*.{js,cjs,mjs}'],
    languageOptions: { globals: readOnly(nodeGlobals) },
    rules: { 'max-lines': ['error', 300] },
  },
  {
    files: ['*.js', '**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: readOnly(['__dirname', 'module', 'require']) },
  },

  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./test/tsconfig.json', './test/nodes/tsconfig.json', './server/browser/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'max-lines': ['error', 300],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', CAN_PARSE, ENUM],
      'no-restricted-imports': [
        'error',
        { paths: ['process', 'node:process'].map((name) => ({ name, message: 'Use the global process.' })) },
      ],
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-ignore': true, 'ts-expect-error': true, 'ts-nocheck': true, 'ts-check': true },
      ],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Spreading a string splits it into code points, which is what we want.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
    },
  },
  {
    // Only test/nodes/fixtures/trusted-cast.ts may cast, because no type can replace its casts.
    files: ['**/trusted-cast.ts'],
    rules: { '@typescript-eslint/consistent-type-assertions': 'off' },
  },

  {
    files: OWN_SOURCE,
    ignores: [
      ...TESTS,
      'server/src/main.ts',
      'server/src/app/config.ts',
      'mcp/src/main.ts',
      'mcp/src/config.ts',
    ],
    rules: { 'no-restricted-properties': ['error', environment] },
  },
  {
    files: [...OWN_SOURCE, ...N8N_PACKAGE, 'server/browser/**/*.ts'],
    ignores: TESTS,
    rules: { 'max-lines-per-function': ['error', { max: 70 }] },
  },
  {
    files: ['server/src/**/*.{ts,tsx}'],
    ignores: [...TESTS, 'server/src/platform/clock.ts', 'server/src/main.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        environment,
        notInjected('Date', 'now', 'the injected Clock'),
        notInjected('Math', 'random', 'injected or cryptographic randomness'),
      ],
      'no-restricted-syntax': ['error', CAN_PARSE, ENUM, ...UNTOLD_TIME],
    },
  },
  {
    files: ['server/src/console/**/*.{ts,tsx}'],
    ignores: TESTS,
    rules: {
      'no-restricted-properties': [
        'error',
        environment,
        notInjected('Date', 'now', 'the injected Clock'),
        notInjected('Math', 'random', 'injected or cryptographic randomness'),
        { property: 'db', message: 'A page calls the functions of the domain, and never the database.' },
      ],
    },
  },
  {
    files: ['server/src/app/config.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        notInjected('Date', 'now', 'the injected Clock'),
        notInjected('Math', 'random', 'injected or cryptographic randomness'),
      ],
    },
  },

  {
    files: TESTS,
    rules: {
      // Jest's asymmetric matchers (`expect.any(String)`) are typed as any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // `expect(mock.method)` is the usual way to check a mock.
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'off',
    },
  },
  {
    files: ['test/mcp/oauth.test.ts'],
    rules: {
      // `allowInsecureRequests` is deprecated only to discourage its use in production. This test runs without TLS and
      // needs it.
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', name: 'allowInsecureRequests', package: 'oauth4webapi' }] },
      ],
    },
  },
  {
    // Programs that print to the terminal.
    files: ['bench/**/*.ts', 'server/src/main.ts', 'server/src/cli/**/*.ts', 'mcp/src/main.ts'],
    rules: { 'no-console': 'off' },
  },

  {
    files: [...N8N_PACKAGE, 'package.json'],
    ignores: TESTS,
    extends: [n8nCommunityNodesPlugin.configs.recommended],
  },
  {
    files: ['package.json'],
    languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
    rules: { '@typescript-eslint/no-unused-expressions': 'off', 'no-unused-expressions': 'off' },
  },
);
