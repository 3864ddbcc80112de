import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, InMemoryTransport, type Tool } from '@modelcontextprotocol/client';
import { type Operation, operations } from '@signpost/contract';
import { createOutputFolder } from '../../mcp/src/files/output-folder.js';
import { createMcpServer } from '../../mcp/src/protocol/create-mcp-server.js';

/** The folder with all that clients see of each tool, so that reviewers see a change. `npm run generate` fills it. */
const golden = join(import.meta.dirname, 'golden');

/** A rough measure that holds for every model: four bytes of JSON are one token. */
const BYTES_PER_TOKEN = 4;
const MAX_TOKENS = 4_500;

const noBackend = { call: () => Promise.reject(new Error('nothing is called')) };

async function listedTools(withFiles: boolean): Promise<Tool[]> {
  const files = createOutputFolder({ locate: () => '/nowhere', now: () => new Date(0) });
  const server = createMcpServer({
    backend: noBackend,
    directBackend: noBackend,
    files: withFiles ? files : { kind: 'links', keep: () => Promise.resolve(undefined) },
    directory: () => ({}),
    log: () => undefined,
  });
  const client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

/** Removes the layout of JSON, so that it is not compared. */
const compact = (json = 'null') => JSON.stringify(JSON.parse(json));
const text = (tool: Tool) => `${JSON.stringify(tool, undefined, 2)}\n`;

let tools: Tool[];
/** The tools of a server that saves no files, as over HTTP. */
let linkTools: Tool[];
let files: Map<string, string>;
beforeAll(async () => {
  tools = await listedTools(true);
  linkTools = await listedTools(false);
  files = new Map(tools.map((tool) => [`${tool.name}.json`, text(tool)]));
  for (const tool of linkTools) {
    const name = `${tool.name}.json`;
    if (files.get(name) !== text(tool)) files.set(`${tool.name}.over-http.json`, text(tool));
  }
});

test('every tool matches its golden file, and there is no other golden file', async () => {
  const names = (await readdir(golden)).toSorted();
  expect(names).toEqual([...files.keys()].toSorted());
  for (const name of names)
    expect(compact(await readFile(join(golden, name), 'utf8'))).toBe(compact(files.get(name)));
});

test('the tools are those that the contract offers, and have the names of their operations', () => {
  const all: [string, Operation][] = Object.entries(operations);
  const offered = all.filter(([, { mcp }]) => mcp !== undefined);
  expect(offered.filter(([, operation]) => operation.interface !== 'A')).toEqual([]);
  const names = offered.map(([id]) => id.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`));
  expect(tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(names).toEqual(
    expect.arrayContaining([
      'lookup_postcode',
      'lookup_postcodes',
      'validate_postcode',
      'find_nearest_postcodes',
      'autocomplete_postcode',
      'get_outcode',
      'list_area_postcodes',
      'measure_distance',
      'find_postcodes_in_text',
      'capture_screenshot',
      'capture_pdf',
      'read_page',
      'get_usage',
    ]),
  );
});

test('every tool has a title, annotations and a description of each argument', () => {
  for (const { title, description, annotations, inputSchema } of tools) {
    expect(title).toMatch(/^[A-Z]/u);
    expect(description?.length).toBeGreaterThan(80);
    expect(annotations).toMatchObject({ destructiveHint: false, openWorldHint: expect.any(Boolean) });
    for (const field of Object.values(inputSchema.properties ?? {}))
      expect(field).toMatchObject({ description: expect.stringMatching(/\w+/u) });
    expect(inputSchema.additionalProperties).toBe(false);
  }
});

/**
 * Tools without an output schema. Some return pictures, which clients would hide behind the fields of the result. The
 * others return so many fields that a schema would cost too many tokens.
 */
const WITHOUT_OUTPUT_SCHEMA = [
  ...['get_outcode', 'list_area_postcodes', 'measure_distance', 'find_postcodes_in_text'],
  ...['capture_screenshot', 'capture_pdf', 'read_page'],
];

test('every tool except seven named ones has an output schema', () => {
  const without = tools.filter(({ outputSchema }) => outputSchema === undefined).map(({ name }) => name);
  expect(without).toEqual(WITHOUT_OUTPUT_SCHEMA);
});

test('the list of tools takes at most 4,500 tokens, on stdio and over HTTP', () => {
  const tokensOf = (value: unknown) => Math.round(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);
  const lines = tools.map((tool) => {
    const seenByModels = { ...tool, outputSchema: undefined };
    return `  ${tool.name.padEnd(24)} ${tokensOf(tool)} tokens, ${tokensOf(seenByModels)} without its output schema`;
  });
  const [onStdio, overHttp] = [tokensOf(tools), tokensOf(linkTools)];
  process.stdout.write(
    `${lines.join('\n')}\n  the list of tools costs about ${onStdio} tokens on stdio, ${overHttp} over HTTP (bytes / 4)\n`,
  );
  expect(Math.max(onStdio, overHttp)).toBeLessThanOrEqual(MAX_TOKENS);
});
