import { ERROR_HEADER, errorBody, ERRORS, openedLink } from '@signpost/contract';
import type { ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from 'zod-openapi';

const file = { schema: { type: 'string', format: 'binary' } } as const;
const text = (description: string) => ({ description, schema: { type: 'string' } }) as const;

const headers = Object.fromEntries(
  Object.entries(openedLink.headers).map(([name, { description }]) => [name, text(description)]),
);

const responses: ZodOpenApiResponsesObject = {
  '200': {
    description: 'The capture',
    headers,
    content: Object.fromEntries(openedLink.mediaTypes.map((type) => [type, file])),
  },
  '304': { description: 'The client has this capture already.', headers },
  ...Object.fromEntries(
    openedLink.errors.map(({ name, description }) => [
      String(ERRORS[name].status),
      {
        description,
        headers: { [ERROR_HEADER]: text(`What kind of error it is: ${name}.`) },
        content: {
          'application/json': { schema: errorBody },
          'text/html': { schema: { type: 'string' as const } },
          'image/png': file,
        },
      },
    ]),
  ),
};

/** Opening a link, in the OpenAPI document. */
export const openedLinkPath: ZodOpenApiPathsObject = {
  [openedLink.path]: {
    get: {
      operationId: openedLink.id,
      tags: ['Capture'],
      summary: openedLink.title,
      description: openedLink.description,
      security: [],
      parameters: Object.entries(openedLink.parameters).map(
        ([name, description]) =>
          ({ name, in: 'path', required: true, description, schema: { type: 'string' } }) as const,
      ),
      responses,
    },
  },
};
