import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { VERSION } from './version.js';

const read = <Schema extends z.ZodType>(file: string, schema: Schema) =>
  schema.parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8')));

const manifest = read('package.json', z.object({ name: z.string(), version: z.string() }));
/** The registry's schema for the parts that we use. Unknown fields are treated as mistakes. */
const input = z.strictObject({
  description: z.string().min(1),
  default: z.string().optional(),
  format: z.literal('filepath').optional(),
  placeholder: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
});
const namedInput = input.extend({ name: z.string().min(1) });
const description = read(
  'server.json',
  z.strictObject({
    $schema: z.url({ protocol: /^https$/u }),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: z.string().max(255),
    packages: z
      .array(
        z.strictObject({
          registryType: z.literal('npm'),
          identifier: z.string(),
          version: z.string(),
          transport: z.strictObject({ type: z.literal('stdio') }),
          environmentVariables: z.array(namedInput),
        }),
      )
      .length(1),
    remotes: z
      .array(
        z.strictObject({
          type: z.literal('streamable-http'),
          url: z.string().regex(/^https:\/\/\S+$/u),
          variables: z.record(z.string(), input),
          headers: z.array(namedInput),
        }),
      )
      .length(1),
  }),
);

test('server.json describes this package at this version', () => {
  expect(description.packages).toMatchObject([{ identifier: manifest.name, version: manifest.version }]);
  expect([description.version, VERSION]).toEqual([manifest.version, manifest.version]);
});

test('server.json names every variable of the remote address, and the header that holds the key', () => {
  for (const { url, variables, headers } of description.remotes) {
    const named = [...url.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name);
    expect(named).toEqual(Object.keys(variables));
    expect(headers).toMatchObject([{ name: 'X-Api-Key', isRequired: true, isSecret: true }]);
  }
});

test('server.json marks only the key as a secret, and names only variables that the README names', () => {
  const inputs = description.packages.flatMap(({ environmentVariables }) => environmentVariables);
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  for (const { name } of inputs) expect(readme).toContain(`\`${name}\``);
  const secrets = inputs.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  expect(secrets).toEqual(['SIGNPOST_API_KEY']);
});
