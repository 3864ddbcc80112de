import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { SignpostApiError } from '../client/signpost-api-error.js';
import { formatError } from '../client/signpost-api-error.js';
import type { McpDeps } from './mcp-deps.js';

const DIRECTORY_URI = 'signpost://directory';
/** JSON under a type that starts with text/: Anthropic's SDK rejects any other type for the text of a resource. */
const MIME_TYPE = 'text/json';
const POSTCODE_URI = /^postcode:(?:\/\/)?([^/?#]+)\/?$/iu;

export const POSTCODE_TEMPLATE = 'postcode://{postcode}';

export const resources: ListResourcesResult = {
  resources: [
    {
      uri: DIRECTORY_URI,
      name: 'directory',
      title: 'The postcode directory',
      description: 'Which edition of the postcode directory answers, or where that can be seen.',
      mimeType: MIME_TYPE,
    },
  ],
};

export const resourceTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: POSTCODE_TEMPLATE,
      name: 'postcode',
      title: 'A postcode',
      description: 'Everything the directory has on one UK postcode, such as postcode://SW1A1AA.',
      mimeType: MIME_TYPE,
    },
  ],
};

const json = (uri: string, value: unknown): ReadResourceResult => ({
  contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(value) }],
});

/** Whether reading this resource calls the backend, to look up a postcode. */
export const isLookedUp = (uri: unknown): boolean => typeof uri === 'string' && postcodeOf(uri) !== undefined;

/** Handles `resources/read`. */
export async function readResource(
  { backend, directory }: McpDeps,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  if (uri === DIRECTORY_URI) return json(uri, directory());
  const postcode = postcodeOf(uri);
  if (postcode === undefined)
    throw new ResourceNotFoundError(
      uri,
      `There is no such resource. There are ${DIRECTORY_URI} and ${POSTCODE_TEMPLATE}.`,
    );
  try {
    const { result } = await backend.call('lookupPostcode', { postcode }, { signal });
    return json(uri, result);
  } catch (error) {
    if (!(error instanceof SignpostApiError)) throw error;
    const isMissing = error.isNotInDirectory || error.status === 400;
    if (isMissing) throw new ResourceNotFoundError(uri, formatError(error));
    throw new ProtocolError(ProtocolErrorCode.InternalError, formatError(error));
  }
}

function postcodeOf(uri: string): string | undefined {
  const [, encoded] = POSTCODE_URI.exec(uri) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
