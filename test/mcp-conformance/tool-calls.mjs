import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { operations } from '../../contract/dist/index.js';
import { toolsWithLinks } from '../../mcp/dist/tools/tools.js';
import { requestExample } from '../../server/dist/console/reference/request-example.js';
import { describeSchema } from '../../server/dist/console/request/json-schema.js';

const PNG_SIGNATURE = '89504e470d0a1a0a';
const PNG_WIDTH_OFFSET = 16;
const PNG_HEIGHT_OFFSET = 20;
const UNKNOWN_POSTCODE = 'ZZ9 9ZZ';
/** A postcode that does not exist, in a sector that does. */
const UNKNOWN_NEIGHBOUR = 'SW1A 1ZZ';

/** The maximum size of a result if the call does not ask for a larger one. */
const MAX_TOKENS = 10_000;
const CHARACTERS_PER_TOKEN = 4;
const PIXELS_PER_TOKEN = 750;

const wordsOf = ({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

function assertPng({ content }, width) {
  const image = content.find((part) => part.type === 'image');
  assert.ok(image, 'there is no image');
  const bytes = Buffer.from(image.data, 'base64');
  assert.equal(image.mimeType, 'image/png');
  assert.equal(bytes.subarray(0, 8).toString('hex'), PNG_SIGNATURE);
  assert.equal(bytes.readUInt32BE(PNG_WIDTH_OFFSET), width, 'the width of the image');
}

/** The tokens that a result costs a model: text and fields by their characters, pictures by their pixels. */
function tokensOf({ content, structuredContent, reachesModel = [...content, structuredContent ?? ''] }) {
  const tokens = reachesModel.map((part) => {
    if (part.type === 'text') return part.text.length / CHARACTERS_PER_TOKEN;
    if (part.type !== 'image') return JSON.stringify(part).length / CHARACTERS_PER_TOKEN;
    const bytes = Buffer.from(part.data, 'base64');
    const pixels = bytes.readUInt32BE(PNG_WIDTH_OFFSET) * bytes.readUInt32BE(PNG_HEIGHT_OFFSET);
    return pixels / PIXELS_PER_TOKEN;
  });
  return Math.ceil(tokens.reduce((sum, one) => sum + one, 0));
}

async function fetched(address) {
  const answer = await fetch(address);
  assert.equal(answer.status, 200, 'the address of the file');
  return Buffer.from(await answer.arrayBuffer());
}

async function assertPdf(result, savesFiles) {
  const words = wordsOf(result);
  assert.match(words, /1 page/);
  const path = /Saved to (.+\.pdf)/.exec(words)?.[1];
  assert.equal(path !== undefined, savesFiles, 'whether the text names a file');
  const bytes = savesFiles ? readFileSync(path) : await fetched(/https?:\S+\/files\/\S+/.exec(words)?.[0]);
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
}

/** A call of a tool with the example of its operation. The result must contain some text. */
function exampleCall(name, url) {
  const { request } = operations[name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase())];
  const args =
    request === undefined
      ? {}
      : requestExample(describeSchema(request, 'input').root, new URL(url).origin).shortest;
  return { name, args, judge: (result) => assert.match(wordsOf(result), /\S/) };
}

/**
 * Calls of every tool, in the order in which the server lists the tools. `url` is a page that fits into one window.
 * `savesFiles` says whether the server saves captures as files, and returns their paths instead of addresses.
 */
export function toolCalls(url, savesFiles) {
  const judged = judgedCalls(url, savesFiles);
  return toolsWithLinks.flatMap(({ name }) => {
    const own = judged.filter((call) => call.name === name);
    return own.length > 0 ? own : [exampleCall(name, url)];
  });
}

/** Calls together with the conditions that their results must meet. */
const judgedCalls = (url, savesFiles) => [
  {
    name: 'lookup_postcode',
    args: { postcode: 'sw1a1aa' },
    judge: (result) => {
      assert.equal(result.structuredContent.result.postcode, 'SW1A 1AA');
      assert.match(wordsOf(result), /SW1A 1AA.*Westminster/s);
    },
  },
  {
    name: 'lookup_postcodes',
    args: { postcodes: ['SW1A 1AA', UNKNOWN_POSTCODE] },
    judge: (result) => {
      const { found, notFound } = result.structuredContent;
      assert.deepEqual({ found, notFound }, { found: 1, notFound: 1 });
      assert.match(wordsOf(result), /SW1A 1AA/);
    },
  },
  {
    what: 'a hundred records',
    name: 'lookup_postcodes',
    args: { postcodes: Array.from({ length: 100 }, () => 'SW1A 1AA') },
    judge: (result) => assert.match(wordsOf(result), /100 of 100 found[\s\S]*Left out/),
  },
  {
    name: 'validate_postcode',
    args: { postcode: 'sw1a 1aa' },
    judge: (result) => {
      assert.equal(result.structuredContent.isValid, true);
      assert.match(wordsOf(result), /SW1A 1AA/);
    },
  },
  {
    name: 'find_nearest_postcodes',
    args: { latitude: 51.501, longitude: -0.1416, limit: 2, radiusMetres: 2000 },
    judge: (result) => {
      assert.ok(result.structuredContent.results[0].distanceMetres <= 2000);
      assert.match(wordsOf(result), /\d m {2}\S/);
    },
  },
  {
    name: 'autocomplete_postcode',
    args: { partial: 'SW1A' },
    judge: (result) => {
      assert.ok(result.structuredContent.postcodes.includes('SW1A 1AA'));
      assert.match(wordsOf(result), /SW1A 1AA/);
    },
  },
  {
    name: 'get_outcode',
    args: { outcode: 'swia' },
    judge: (result) => {
      assert.equal(result.structuredContent.result.outcode, 'SW1A');
      assert.match(wordsOf(result), /SW1A: \d+ active postcodes/);
    },
  },
  {
    name: 'list_area_postcodes',
    args: { kind: 'localAuthority', name: 'Westminster', limit: 2 },
    judge: (result) => {
      assert.equal(result.structuredContent.postcodes.length, 2);
      assert.match(wordsOf(result), /Westminster.* has \d+ active postcodes/);
    },
  },
  {
    name: 'measure_distance',
    args: { from: 'SW1A 1AA', to: ['EH99 1SP', UNKNOWN_POSTCODE] },
    judge: (result) => {
      assert.equal(result.structuredContent.results[1], null);
      assert.match(wordsOf(result), /EH99 1SP: \d+(?:\.\d)? m/);
    },
  },
  {
    name: 'find_postcodes_in_text',
    args: { text: 'Meet at sw1a-1aa.' },
    judge: (result) => {
      assert.equal(result.structuredContent.results[0].postcode, 'SW1A 1AA');
      assert.match(wordsOf(result), /SW1A 1AA at 8 to 16: exists/);
    },
  },
  {
    name: 'capture_screenshot',
    args: { url, width: 390, height: 300 },
    judge: (result) => {
      assertPng(result, 390);
      assert.match(wordsOf(result), /390 × 300 pixels/);
    },
  },
  { name: 'capture_pdf', args: { url }, judge: (result) => assertPdf(result, savesFiles) },
  {
    name: 'read_page',
    args: { url },
    judge: (result) =>
      assert.match(wordsOf(result), /answered 200\.[\s\S]*characters:\n.+\npage text [\da-f]{12}\n\S/),
  },
  {
    name: 'get_usage',
    args: {},
    judge: (result) => {
      assert.equal(typeof result.structuredContent, 'object');
      assert.match(wordsOf(result), /\d/);
    },
  },
];

/** The names of the tools that are called. */
export const toolNames = (calls) => [...new Set(calls.map(({ name }) => name))];

/** Calls that must fail, each with what its error must say. Some clients reject a wrong argument themselves. */
export const failingCalls = [
  {
    what: 'an unknown postcode',
    name: 'lookup_postcode',
    args: { postcode: UNKNOWN_NEIGHBOUR },
    says: /autocomplete_postcode/,
  },
  {
    what: 'a wrong argument',
    name: 'find_nearest_postcodes',
    args: { latitude: 'north', longitude: -0.1416 },
    says: /latitude|did not match expected schema/,
  },
  {
    what: 'an address that is not valid',
    name: 'capture_screenshot',
    args: { url: 'no address at all' },
    says: /url/,
  },
  {
    what: 'an address of a private network',
    name: 'read_page',
    args: { url: 'http://10.0.0.1/' },
    says: /not allowed/,
  },
];

/** A call of a tool that does not exist. Only some clients can send it; the error then names the tools that exist. */
export const unknownTool = {
  what: 'an unknown tool',
  name: 'no_such_tool',
  args: {},
  says: /There is no such tool\. The tools are: lookup_postcode/,
};

function judgeContent(name, result) {
  assert.ok(
    Array.isArray(result?.content),
    `${name} answered no content: ${JSON.stringify(result)?.slice(0, 300)}`,
  );
  const tokens = tokensOf(result);
  assert.ok(tokens <= MAX_TOKENS, `${name} answered ${tokens} tokens`);
}

/** Judges the result of a call that must fail. */
export function judgeFailure({ name, says }, result) {
  judgeContent(name, result);
  assert.equal(result.isError, true, `${name} answered no error: ${wordsOf(result)}`);
  assert.match(wordsOf(result), says);
}

/** Judges the result of a call that must succeed. */
export function judge({ name, judge: judgeResult }, result) {
  judgeContent(name, result);
  assert.ok(!result.isError, `${name} answered an error: ${wordsOf(result)}`);
  return judgeResult(result);
}
