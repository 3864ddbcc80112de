import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { root } from './root.mjs';
import { referencePage } from './reference-page.mjs';

// Writes what is derived from the contract: the same contract gives the same bytes.
const load = (path) => import(pathToFileURL(join(root, path)).href);
const { errorDescription, ERRORS, operations, RATE_LIMIT_HEADERS } = await load('contract/dist/index.js');
const { openApiDocument } = await load('server/dist/http/published-documents.js');

const document = openApiDocument(operations, '/');
const page = referencePage(document, {
  served: operations,
  errorsOf: (operation) =>
    operation.errors.map((name) => ({ ...ERRORS[name], description: errorDescription(name, operation) })),
  rateLimitHeaders: RATE_LIMIT_HEADERS,
});

const folder = join(root, 'docs');
const reference = join(folder, 'reference.md');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
await writeFile(reference, await format(page, { ...(await resolveConfig(reference)), filepath: reference }));
