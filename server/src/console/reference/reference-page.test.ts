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
import { fieldGroups } from '../request/request-fields.js';
import { describeSchema as schemaOf } from '../request/json-schema.js';
import { OperationDetails } from './operation-details.js';
import { Reference } from './reference-page.js';
import { requestExample } from './request-example.js';
import { RequestInput } from './request-input.js';
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
const detailsOf = (operation: Operation) => renderToString(h(OperationDetails, { operation }));
const inputOf = (operation: Operation, name: string) => {
  const field = fieldGroups(operation)
    .flatMap(({ fields }) => fields)
    .find((one) => one.name === name);
  if (field === undefined) throw new Error(`There is no field ${name}.`);
  return renderToString(h(RequestInput, { field, state: {}, problem: undefined }));
};
const page = (table: Readonly<Record<string, Operation>>, words = '') =>
  renderToString(h(Reference, { operations: table, publicUrl, limits: { perMinute: 5, perDay: 20 }, words }));
/** The rows of all tables as texts, by the name of the field in their first cell. */
const rowsOf = (html: string) =>
  new Map(
    [...html.matchAll(/<tr role="row"><th scope="row"[^>]*><code>(?<field>[^<]+)<.*?<\/tr>/gsu)].map(
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

describe('the page of an operation', () => {
  test.each(withRequest)(
    'the form of %s shows the meaning, default, limits and choices of every field, and whether it is required',
    (_, operation, request) => {
      const { properties, required } = objectSchema.parse(z.toJSONSchema(request, { io: 'input' }));
      for (const [name, schema] of Object.entries(properties)) {
        const html = inputOf(operation, name);
        const text = plain(html);
        expect(text).toContain(schema.description.replace(/\.$/u, ''));
        expect(text).toContain(required.includes(name) ? 'required' : 'optional');
        const told = [schema.minimum, schema.maximum, schema.maxItems].filter((bound) => bound !== undefined);
        const standard = schema.default === undefined ? [] : [JSON.stringify(schema.default)];
        for (const value of [...told, ...standard]) expect(text).toContain(String(value));
        for (const value of schema.enum ?? []) expect(html).toContain(`value="${String(value)}"`);
      }
    },
  );

  test.each(all)('the page of %s lists every field of its response, or its media types', (_, operation) => {
    const html = detailsOf(operation);
    if (operation.response.kind === 'file') {
      for (const type of operation.response.mediaTypes) expect(html).toContain(type);
      return;
    }
    const { schema } = operation.response;
    if (!(schema instanceof z.ZodObject)) throw new Error('The answer is no object.');
    const rows = rowsOf(html);
    for (const name of Object.keys(schema.shape)) expect(rows.has(name)).toBe(true);
    for (const [, id] of html.matchAll(/href="#([^"]+)"/gu)) expect(html).toContain(`id="${id}"`);
  });

  test.each(all)('the page of %s has all errors with status and meaning, and all headers', (_, operation) => {
    const text = plain(detailsOf(operation));
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
    'the contract accepts the example request of %s once its secrets are filled in',
    (_, __, request) => {
      const { shortest, secrets } = requestExample(schemaOf(request, 'input').root, publicUrl);
      const filled = { ...shortest, ...Object.fromEntries(secrets.map((name) => [name, 'secret'])) };
      expect(request.safeParse(filled).error).toBeUndefined();
    },
  );

  test('the form field for a refresh token hides the text', () => {
    expect(inputOf(operations.refreshToken, 'refreshToken')).toMatch(
      /<input(?=[^>]*type="password")(?=[^>]*data-secret)[^>]*>/u,
    );
  });
});

describe('the reference', () => {
  test('the reference lists every operation with a link to its page, and each of its links to a part of itself has a target', () => {
    const html = page(operations);
    for (const [id] of all) {
      expect(html).toContain(`<li id="${id}"`);
      expect(html).toContain(`href="/reference/${id}"`);
    }
    const targets = [...html.matchAll(/href="#(?<id>[^"]+)"/gu)].map((match) => match[1] ?? '');
    expect(html).toContain('id="record-PostcodeRecord"');
    expect(html.length).toBeLessThan(100_000);
    for (const id of targets) expect(html).toContain(`id="${id}"`);
  });

  test('the reference lists every error with what to do about it', () => {
    const text = plain(page(operations));
    for (const { status, description, cure } of Object.values(ERRORS))
      expect(text).toContain(`${status}${description} ${cure}`);
  });

  test('a search finds operations that have all words of the query, also in the fields of their requests', () => {
    const found = Object.keys(findOperations(operations, ' Radius METRES '));
    expect(found).toEqual(['findNearestPostcodes', 'reverseGeocode']);
    const html = page(operations, 'radius');
    expect(html).toContain('2 of 18 operations.');
    expect(html).not.toContain('<li id="lookupPostcode"');
    expect(html).toContain('href="/reference/findNearestPostcodes#field-radiusMetres"');
  });

  test('all element ids of the reference are different', () => {
    const ids = [...page(operations).matchAll(/ id="(?<id>[^"]+)"/gu)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the reference loads nothing from other hosts and links to none', () => {
    const html = page(operations);
    const targets = [...html.matchAll(/(?:href|src|action)="(?<to>[^"]*)"/gu)].map((match) => match[1]);
    expect(targets.filter((to) => to?.match(/^(?:#|\/[^/])/u) === null)).toEqual([]);
  });
});
