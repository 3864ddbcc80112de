import {
  ANSWER_HEADERS,
  ERROR_HEADER,
  deviceName,
  errorBody,
  errorDescription,
  type ErrorName,
  ERRORS,
  type Operation,
  RATE_LIMIT_HEADERS,
} from '@signpost/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { createDocument, type ZodOpenApiObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { VERSION } from '../platform/version.js';
import type { PublicJwk } from '../tokens/signing-keys.js';
import type { StrangerBudget } from './auth/stranger-budget.js';
import type { CompressedBodies } from './compressed-bodies.js';
import { openedLinkPath } from './links/link-document.js';

/** How long caches may keep a published document: a short time, so that clients soon see a new signing key. */
const MAX_AGE_SECONDS = 60;

/** Lets all caches, even shared ones, keep the response for `MAX_AGE_SECONDS`. */
export const allowCaching = (reply: FastifyReply) =>
  reply.header('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);

/** GET /.well-known/jwks.json: the keys with which other services verify access tokens (RFC 7517). */
export function addJwksRoute(
  server: FastifyInstance,
  strangers: StrangerBudget,
  publicKeys: () => Promise<readonly PublicJwk[]>,
): void {
  server.get('/.well-known/jwks.json', { onRequest: strangers.check }, async (_request, reply) =>
    allowCaching(reply)
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ keys: await publicKeys() })),
  );
}

const headersObject = (headers: Operation['responseHeaders']) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { type, description }]) => [name, { description, schema: { type } }]),
  );

const retryAfter = {
  'Retry-After': { type: 'integer', description: 'Seconds to wait before another try.' },
} as const;
const challenge = {
  'WWW-Authenticate': { type: 'string', description: 'Bearer, and what was wrong.' },
} as const;

function errorHeaders(name: ErrorName, operation: Operation): Operation['responseHeaders'] {
  return {
    ...ANSWER_HEADERS,
    [ERROR_HEADER]: { type: 'string', description: `What kind of error it is: ${name}.` },
    ...(operation.interface === 'A' && name !== 'unauthorized' ? RATE_LIMIT_HEADERS : {}),
    ...(name === 'rateLimited' || name === 'overloaded' ? retryAfter : {}),
    ...(operation.interface === 'B' && name === 'unauthorized' ? challenge : {}),
  };
}

function responses(operation: Operation): ZodOpenApiResponsesObject {
  const { response } = operation;
  const content =
    response.kind === 'json'
      ? { 'application/json': { schema: response.schema } }
      : Object.fromEntries(
          response.mediaTypes.map((type) => [
            type,
            { schema: { type: 'string' as const, format: 'binary' } },
          ]),
        );
  const limits = operation.interface === 'A' ? RATE_LIMIT_HEADERS : {};
  return {
    '200': {
      description: response.kind === 'json' ? operation.title : response.description,
      headers: headersObject({ ...ANSWER_HEADERS, ...operation.responseHeaders, ...limits }),
      content,
    },
    ...Object.fromEntries(
      operation.errors.map((name) => [
        String(ERRORS[name].status),
        {
          description: errorDescription(name, operation),
          headers: headersObject(errorHeaders(name, operation)),
          content: { 'application/json': { schema: errorBody } },
        },
      ]),
    ),
  };
}

const security = { apiKey: [{ apiKey: [] }], accessToken: [{ accessToken: [] }], body: [] };

const pathItem = (id: string, operation: Operation) => ({
  [operation.method.toLowerCase()]: {
    operationId: id,
    tags: [operation.tag],
    summary: operation.title,
    description: operation.description,
    security: security[operation.authentication],
    ...(operation.request === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: operation.request } } } }),
    responses: responses(operation),
  },
});

/**
 * Returns the OpenAPI 3.1 document, which describes the served operations and the opening of links. `served` has each
 * operation under its identifier.
 */
export function openApiDocument(served: Readonly<Record<string, Operation>>, serverUrl: string): object {
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Signpost',
      version: VERSION,
      description: 'Screenshots, PDFs, UK postcodes and usage statistics.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    paths: {
      ...Object.fromEntries(
        Object.entries(served).map(([id, operation]) => [operation.path, pathItem(id, operation)]),
      ),
      ...openedLinkPath,
    },
    components: {
      schemas: { Device: deviceName },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The API key of a project.' },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token; the value of the header is "Bearer <token>".',
        },
      },
    },
  };
  return createDocument(document);
}

interface OpenApiRouteDeps {
  readonly strangers: StrangerBudget;
  readonly bodies: CompressedBodies;
  /** The URL of the server in the document. */
  readonly serverUrl: string;
}

/** GET /openapi.json: the OpenAPI document. */
export function addOpenApiRoute(
  server: FastifyInstance,
  { strangers, bodies, serverUrl }: OpenApiRouteDeps,
  served: Readonly<Record<string, Operation>>,
): void {
  const document = Buffer.from(JSON.stringify(openApiDocument(served, serverUrl)));
  server.get('/openapi.json', { onRequest: strangers.check }, (request, reply) =>
    bodies.sendCached(
      request,
      allowCaching(reply).header('Content-Type', 'application/json; charset=utf-8'),
      'openapi',
      () => document,
    ),
  );
}
