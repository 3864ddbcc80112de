import { type INode, NodeOperationError } from 'n8n-workflow';
import type { Failure } from './failure';
import { parseUrl } from './values';

/** Statuses of servers that do not have the path, or that use it for something else. */
const NO_SUCH_PATH = [404, 405, 410, 501];
/**
 * Statuses that a Signpost server sends only with a message. If there is no message, the response is from another
 * server.
 */
const REFUSED_WITHOUT_WORDS = [400, 401, 403, 415];

/**
 * Whether a failure shows that there is no Signpost server at the Base URL. Only for paths that every Signpost
 * server has.
 */
export const isWrongAddress = ({ status = 0, message, isNotInDirectory }: Failure): boolean =>
  (NO_SUCH_PATH.includes(status) && !isNotInDirectory) ||
  (REFUSED_WITHOUT_WORDS.includes(status) && message === undefined);

const EXAMPLE = 'https://signpost.example.com';

/** The suggested Base URL: the entered one without its path; an example if it has no path. */
function suggestedBaseUrl(baseUrl: string): string {
  const { origin = EXAMPLE, pathname = '/' } = parseUrl(baseUrl) ?? {};
  return pathname === '/' ? EXAMPLE : origin;
}

/** The error if another server is at the Base URL. `answered` describes its response. */
export const wrongAddress = (
  node: INode,
  baseUrl: string,
  answered: string,
  itemIndex?: number,
): NodeOperationError =>
  new NodeOperationError(node, 'The Base URL in the credential is wrong', {
    ...(itemIndex === undefined ? {} : { itemIndex }),
    description: `${baseUrl} ${answered}, which a Signpost server does not do. Set Base URL in the credential to the address of the server itself, such as ${suggestedBaseUrl(baseUrl)}.`,
  });
