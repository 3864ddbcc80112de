import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

// Prints as JSON what n8n's scan of community packages finds in a folder, including warnings. It scans the published
// files ("packed": the whole folder) or their sources ("source": nodes, credentials and package.json).
const [checks, folder, what] = process.argv.slice(2);
const require = createRequire(join(checks, 'scan.cjs'));
const { analyzePackage, buildScanConfig, SOURCE_FILE_PATTERNS } = await import(
  pathToFileURL(join(checks, '@n8n/scan-community-package/scanner/scanner.mjs')).href
);
const { ESLint } = require('eslint');

const patterns = what === 'source' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];

const { passed } = await analyzePackage(folder, patterns);
const eslint = new ESLint({
  cwd: folder,
  allowInlineConfig: false,
  overrideConfigFile: true,
  overrideConfig: await buildScanConfig(),
});
const results = await eslint.lintFiles(patterns);
const findings = results.flatMap(({ filePath, messages }) =>
  messages.map(({ line, ruleId, message }) => `${relative(folder, filePath)}:${line} ${ruleId}: ${message}`),
);
console.log(JSON.stringify({ passed, files: results.length, findings }));
