import { z } from 'zod';
import type { ToolContext } from './tool.js';
import { inputJsonSchema } from './tool-schema.js';
import { toolsWithFolder, toolsWithLinks } from './tools.js';

/** The keywords that all model providers accept. Because of any other one, some reject the whole list of tools. */
const ACCEPTED = [
  ...['type', 'properties', 'required', 'items', 'enum', 'description', 'minimum', 'maximum'],
  ...['minItems', 'maxItems', 'default', 'additionalProperties'],
];
const allTools = [...new Set([...toolsWithFolder, ...toolsWithLinks])];

const node = z.looseObject({
  type: z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean']),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.literal(false).optional(),
});

/** Yields a schema and every schema inside it, each with its path. */
function* nodesOf(schema: unknown, path: string): Generator<[string, z.output<typeof node>]> {
  const parsed = node.parse(schema);
  yield [path, parsed];
  for (const [name, part] of Object.entries(parsed.properties ?? {}))
    yield* nodesOf(part, path === '' ? name : `${path}.${name}`);
  if (parsed.items !== undefined) yield* nodesOf(parsed.items, `${path}[0]`);
}

test.each(allTools)(
  'every schema in the arguments of $name has one type and only accepted keywords',
  (tool) => {
    for (const [path, part] of nodesOf(tool.inputSchema, '')) {
      const others = Object.keys(part).filter((keyword) => !ACCEPTED.includes(keyword));
      expect([path, others]).toEqual([path, []]);
    }
  },
);

test('lengths of texts, exclusive bounds, multiples and unique entries are stated in the description, not as keywords', () => {
  const schema = z.strictObject({
    name: z.string().min(2).max(9).describe('A name.'),
    ratio: z.number().gt(0).lt(1).multipleOf(0.5),
    kind: z.literal('one').optional(),
    tags: z.array(z.string().regex(/^a/u).max(5)).max(3).meta({ uniqueItems: true, description: 'Tags.' }),
    address: z.url().optional().describe('An address.'),
  });
  expect(inputJsonSchema(schema)).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'A name. At least 2 characters. At most 9 characters.' },
      ratio: { type: 'number', description: 'More than 0. Less than 1. A multiple of 0.5.' },
      kind: { type: 'string', enum: ['one'] },
      tags: {
        type: 'array',
        maxItems: 3,
        description: 'Tags. Each only once.',
        items: { type: 'string', description: 'At most 5 characters.' },
      },
      address: { type: 'string', description: 'An address.' },
    },
    required: ['name', 'ratio', 'tags'],
    additionalProperties: false,
  });
});

/** The maximum lengths that descriptions state. */
const statedLimits = allTools.flatMap((tool) =>
  [...nodesOf(tool.inputSchema, '')].flatMap(([path, { description = '' }]) => {
    const [, max] = /At most (\d+) characters\./u.exec(description) ?? [];
    return max === undefined || path.includes('.') ? [] : [{ tool, path, max: Number(max) }];
  }),
);

const context: ToolContext = {
  backend: { call: () => Promise.reject(new Error('nothing is called')) },
  files: { kind: 'links', keep: () => Promise.resolve(undefined) },
  signal: new AbortController().signal,
  report: () => undefined,
};

test('over ten descriptions state a maximum length', () => expect(statedLimits.length).toBeGreaterThan(10));

test.each(statedLimits)(
  '$tool.name rejects a $path that is longer than its description says',
  async ({ tool, path, max }) => {
    const value = 'x'.repeat(max + 1);
    const name = path.replace('[0]', '');
    const { isError, content } = await tool.call({ [name]: name === path ? value : [value] }, context);
    expect([isError, content]).toEqual([
      true,
      [expect.objectContaining({ text: expect.stringContaining(path) })],
    ]);
  },
);

test('lookup_postcode rejects a part that is named twice', async () => {
  const tool = toolsWithLinks.find(({ name }) => name === 'lookup_postcode');
  const result = await tool?.call({ postcode: 'SW1A 1AA', include: ['codes', 'codes'] }, context);
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('at most once') }],
  });
});

test('the error about wrong arguments names each one and says what it must be', async () => {
  const tool = toolsWithLinks.find(({ name }) => name === 'find_nearest_postcodes');
  const lookups = toolsWithLinks.find(({ name }) => name === 'lookup_postcodes');
  const wordsOf = async (each: typeof tool, args: object) => {
    const first = (await each?.call(args, context))?.content[0];
    return first?.type === 'text' ? first.text : '';
  };
  expect(await wordsOf(tool, { postcode: 'SW1A 1AA', limit: 1_000, radiusMetres: 50 })).toMatch(
    /limit: must be at most 100; radiusMetres: must be at least 100/u,
  );
  expect(await wordsOf(lookups, {})).toContain('postcodes: is missing: it must be a list');
  expect(await wordsOf(lookups, { postcodes: [] })).toContain('postcodes: must have at least 1 entry');
  expect(await wordsOf(lookups, { postcodes: [{}] })).toContain(
    'postcodes[0]: must be text, but is an object',
  );
  expect(await wordsOf(lookups, { postcodes: ['a'], fields: ['wardd'] })).toContain(
    'fields[0]: must be one of "outcode", "incode"',
  );
});
