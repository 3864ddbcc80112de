import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { devices } from 'playwright';
import { format, resolveConfig } from 'prettier';
import { columnsPage } from './columns-page.mjs';
import { commandsPage } from './commands-page.mjs';
import { bundledPackages } from '../server/bundle.mjs';
import { licencesPage } from './licences-page.mjs';
import { metricsPage } from './metrics-page.mjs';
import { n8nOperations } from './n8n-operations.mjs';
import { referencePage } from './reference-page.mjs';
import { root } from './root.mjs';
import { variablesPage } from './variables-page.mjs';

// Generates files from the contract, the MCP tools, the directory's columns, the devices, the command line, the
// variables, the metrics and the lock file, and removes golden files that are no longer generated. With --check it
// changes nothing, and fails if a file is out of date or left over.
const GOLDEN = 'test/mcp/golden';
const isCheck = process.argv.includes('--check');
const load = (path) => import(pathToFileURL(join(root, path)).href);
const {
  ANSWER_HEADERS,
  errorDescription,
  ERRORS,
  openedLink,
  operations,
  CODED_AREA_FIELDS,
  postcodeAreas,
  postcodeHistory,
  RATE_LIMIT_HEADERS,
} = await load('contract/dist/index.js');
const { DETAIL_COLUMNS } = await load('server/dist/postcodes/table/detail-columns.js');
const { CODE_TITLES } = await load('server/dist/postcodes/import/edition-columns.js');
const { openApiDocument } = await load('server/dist/http/published-documents.js');
const { aboutVariables } = await load('server/dist/app/about-variables.js');
const { variables } = await load('server/dist/app/variables.js');
const { METRICS } = await load('server/dist/http/metric-table.js');
const { createProgram } = await load('server/dist/cli/program.js');
const { registerCommands } = await load('server/dist/cli/commands.js');
const { toolsWithFolder, toolsWithLinks, toolDescription } = await load('mcp/dist/tools/tools.js');

const program = createProgram();
registerCommands(program, {});

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const document = openApiDocument(operations, '/');

/**
 * The golden files: the description of each tool for clients with file access, and each description that differs for
 * clients without it.
 */
function goldenTools() {
  const withFiles = toolsWithFolder.map(toolDescription);
  const others = toolsWithLinks
    .map(toolDescription)
    .filter((tool) => json(tool) !== json(withFiles.find(({ name }) => name === tool.name)));
  return [
    ...withFiles.map((tool) => [`${GOLDEN}/${tool.name}.json`, json(tool)]),
    ...others.map((tool) => [`${GOLDEN}/${tool.name}.over-http.json`, json(tool)]),
  ];
}

/**
 * The fields of Playwright's devices that captures need. They are in a file, because only captures with steps load
 * Playwright.
 */
const captureDevices = Object.fromEntries(
  Object.entries(devices).map(([name, { viewport, deviceScaleFactor, isMobile, hasTouch, userAgent }]) => [
    name,
    { ...viewport, scaleFactor: deviceScaleFactor, isMobile, hasTouch, userAgent },
  ]),
);

const descriptionsOf = ({ shape }) =>
  Object.fromEntries(Object.entries(shape).map(([field, { description }]) => [field, description]));

const files = new Map([
  ['docs/reference/openapi.json', json(document)],
  [
    'docs/reference/api.md',
    referencePage(document, {
      served: operations,
      openedLink: {
        ...openedLink,
        errors: openedLink.errors.map((error) => ({ ...error, status: ERRORS[error.name].status })),
      },
      errorsOf: (operation) =>
        operation.errors.map((name) => ({
          ...ERRORS[name],
          name,
          description: errorDescription(name, operation),
        })),
      answerHeaders: ANSWER_HEADERS,
      rateLimitHeaders: RATE_LIMIT_HEADERS,
    }),
  ],
  [
    'docs/reference/onspd-columns.md',
    columnsPage({
      codedFields: CODED_AREA_FIELDS,
      codeTitles: CODE_TITLES,
      detailColumns: DETAIL_COLUMNS,
      areaDescriptions: descriptionsOf(postcodeAreas),
      historyDescriptions: descriptionsOf(postcodeHistory),
    }),
  ],
  [
    'docs/reference/licences.md',
    licencesPage(
      JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')),
      await bundledPackages(),
    ),
  ],
  ['docs/reference/commands.md', commandsPage(program)],
  ['docs/reference/metrics.md', metricsPage(METRICS)],
  ['docs/reference/variables.md', variablesPage(variables.shape, aboutVariables)],
  ['nodes/shared/operations.generated.json', json(n8nOperations(operations))],
  ['server/src/capture/page/devices.generated.json', json(captureDevices)],
  ...goldenTools(),
]);

const read = (path) => readFile(join(root, path), 'utf8').catch(() => undefined);
const wrong = [];
for (const [path, text] of files) {
  const isFormatted = path !== 'docs/reference/openapi.json';
  const content = isFormatted
    ? await format(text, { ...(await resolveConfig(join(root, path))), filepath: path })
    : text;
  if ((await read(path)) === content) continue;
  wrong.push(path);
  if (isCheck) continue;
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}
for (const name of await readdir(join(root, GOLDEN))) {
  const path = `${GOLDEN}/${name}`;
  if (files.has(path)) continue;
  wrong.push(path);
  if (!isCheck) await rm(join(root, path));
}

for (const path of wrong) console.log(`${isCheck ? 'Not up to date' : 'Written'}: ${path}`);
if (isCheck && wrong.length > 0) {
  console.error('Run "npm run generate", and commit the result.');
  process.exitCode = 1;
}
