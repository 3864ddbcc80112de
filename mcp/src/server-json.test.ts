import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { VERSION } from './version.js';

const read = <Schema extends z.ZodType>(file: string, schema: Schema) =>
  schema.parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8')));

const manifest = read(
  'package.json',
  z.object({ name: z.string(), version: z.string(), mcpName: z.string() }),
);
const description = read(
  'server.json',
  z.object({
    name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u),
    version: z.string(),
    description: z.string().max(100),
    packages: z.array(z.object({ identifier: z.string(), version: z.string() })).length(1),
  }),
);

test('server.json describes this package at this version, under its mcpName', () => {
  expect(description.name).toBe(manifest.mcpName);
  expect(description.packages).toEqual([{ identifier: manifest.name, version: manifest.version }]);
  expect([description.version, VERSION]).toEqual([manifest.version, manifest.version]);
});
