import {
  ERRORS,
  operations,
  RATE_LIMIT_HEADERS,
  type HeaderDescription,
  type Operation,
} from '@signpost/contract';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { z } from 'zod';
import { OperationSection } from './operation-section.js';
import { Reference } from './reference-page.js';
import { findOperations } from './search.js';

const publicUrl = 'https://signpost.example';
const all: readonly (readonly [string, Operation])[] = Object.entries(operations);
const withRequest = all.flatMap(([id, operation]) =>
  operation.request === undefined ? [] : [[id, operation, operation.request] as const],
);

const plain = (html: string) =>
  html
    .replace(/<[^>]+>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
const sectionOf = (id: string, operation: Operation) =>
  renderToString(h(OperationSection, { id, operation, publicUrl }));
const page = (table: Readonly<Record<string, Operation>>) =>
  renderToString(h(Reference, { operations: table, publicUrl, limits: { perMinute: 5, perDay: 20 } }));
/** The rows of every table, as their texts, by the field that they begin with. */
const rowsOf = (html: string) =>
  new Map(
    [...html.matchAll(/<tr role="row"><th role="rowheader"[^>]*><code>(?<field>[^<]+)<.*?<\/tr>/gsu)].map(
      (match) => [match.groups?.['field'] ?? '', plain(match[0])],
    ),
  );

const field = z.object({
  description: z.string(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxItems: z.number().optional(),
});
const objectSchema = z.object({
  properties: z.record(z.string(), field),
  required: z.array(z.string()).default([]),
});

const example: Operation = {
  ...operations.validatePostcode,
  path: '/api/postcode/weigh',
  title: 'Weigh a postcode',
  request: z.strictObject({ grams: z.int().min(3).max(7).default(5).describe('How heavy it is.') }),
};

describe('the reference of an operation', () => {
  test.each(all)('%s: says method, path, title and description', (id, operation) => {
    const text = plain(sectionOf(id, operation));
    for (const words of [operation.method, operation.path, operation.title, operation.description]) {
      expect(text).toContain(words);
    }
  });

  test.each(withRequest)(
    '%s: has every field with its default, limits and meaning',
    (id, operation, request) => {
      const [requestPart = ''] = sectionOf(id, operation).split('<h4>Answer');
      const rows = rowsOf(requestPart);
      const { properties, required } = objectSchema.parse(z.toJSONSchema(request, { io: 'input' }));
      for (const [name, schema] of Object.entries(properties)) {
        const row = rows.get(name) ?? '';
        expect(row).toContain(schema.description);
        expect(row).toContain(required.includes(name) ? 'required' : 'optional');
        const told = [schema.minimum, schema.maximum, schema.maxItems].filter((bound) => bound !== undefined);
        const values = [schema.default, ...(schema.enum ?? [])].filter((value) => value !== undefined);
        for (const value of [...told, ...values]) expect(row).toContain(JSON.stringify(value));
      }
    },
  );

  test.each(all)('%s: has every field of its answer, or its media types', (id, operation) => {
    const html = sectionOf(id, operation);
    if (operation.response.kind === 'file') {
      for (const type of operation.response.mediaTypes) expect(html).toContain(type);
      return;
    }
    const { schema } = operation.response;
    if (!(schema instanceof z.ZodObject)) throw new Error('The answer is no object.');
    const rows = rowsOf(html);
    for (const name of Object.keys(schema.shape)) expect(rows.has(name)).toBe(true);
  });

  test.each(all)('%s: has the status and meaning of every error, and every header', (id, operation) => {
    const text = plain(sectionOf(id, operation));
    for (const name of operation.errors) {
      expect(text).toContain(`${ERRORS[name].status}${ERRORS[name].description}`);
    }
    const common = operation.interface === 'A' ? RATE_LIMIT_HEADERS : {};
    for (const [name, { description }] of Object.entries<HeaderDescription>({
      ...operation.responseHeaders,
      ...common,
    })) {
      expect(text).toContain(`${name}${description}`);
    }
  });

  test.each(withRequest)(
    '%s: the form is filled with a request that the contract takes',
    (id, operation, request) => {
      const html = sectionOf(id, operation);
      const body: unknown = JSON.parse(
        plain(/<textarea[^>]*>(?<text>.*?)<\/textarea>/su.exec(html)?.[1] ?? '{}'),
      );
      const secrets = [...html.matchAll(/data-secret="(?<name>[^"]+)"/gu)].map((match) => match[1] ?? '');
      const filled = { ...z.record(z.string(), z.unknown()).parse(body) };
      for (const name of secrets) {
        expect(filled).not.toHaveProperty(name);
        filled[name] = 'If somebody typed the postcode';
      }
      expect(request.safeParse(filled).error).toBeUndefined();
    },
  );

  test('the refresh token is typed into a field that hides it, and nothing of a form can get into an address', () => {
    const html = sectionOf('refreshToken', operations.refreshToken);
    expect(html).toMatch(/<input(?=[^>]*type="password")(?=[^>]*data-secret="refreshToken")[^>]*>/u);
    const forms = [...page(operations).matchAll(/<form[^>]*data-path.*?<\/form>/gsu)].map(([form]) => form);
    expect(forms).toHaveLength(all.length);
    for (const form of forms) expect(form).not.toMatch(/<(?:input|textarea|button)[^>]* name=/u);
  });
});

describe('the reference', () => {
  test('leads to every operation and to every record that an answer refers to', () => {
    const html = page(operations);
    for (const [id] of all) expect(html).toContain(`<section id="${id}"`);
    const targets = [...html.matchAll(/href="#(?<id>[^"]+)"/gu)].map((match) => match[1] ?? '');
    expect(targets).toEqual(expect.arrayContaining([...all.map(([id]) => id), 'record-PostcodeRecord']));
    for (const id of targets) expect(html).toContain(`id="${id}"`);
  });

  test('has every error with what to do about it', () => {
    const text = plain(page(operations));
    for (const { status, description, cure } of Object.values(ERRORS))
      expect(text).toContain(`${status}${description} ${cure}`);
  });

  test('is searched by all words of the address, in the fields of requests too', () => {
    const found = Object.keys(findOperations(operations, ' Radius METRES '));
    expect(found).toEqual(['findNearestPostcodes', 'reverseGeocode']);
    const html = renderToString(
      h(Reference, {
        ...{ operations, publicUrl, limits: { perMinute: 5, perDay: 20 } },
        query: { words: 'radius', keyId: '' },
      }),
    );
    expect(html).toContain('2 of 17 operations.');
    expect(html).not.toContain('<section id="lookupPostcode"');
  });

  test('no two things on it have the same identifier', () => {
    const ids = [...page(operations).matchAll(/ id="(?<id>[^"]+)"/gu)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('an operation that is added to the table appears with its fields', () => {
    const html = page({ ...operations, weighPostcode: example });
    expect(html).toContain('href="#weighPostcode"');
    expect(rowsOf(html).get('grams')).toContain('53 to 7How heavy it is.');
  });

  test('loads and links nothing of another host', () => {
    const html = page(operations);
    const targets = [...html.matchAll(/(?:href|src|action)="(?<to>[^"]*)"/gu)].map((match) => match[1]);
    expect(targets.filter((to) => to?.match(/^(?:#|\/[^/])/u) === null)).toEqual([]);
  });
});
