import { type INode, NodeOperationError } from 'n8n-workflow';
import type { Failure } from './failure';
import { parseUrl } from './values';

/** The statuses of servers that do not have the path, or use it for something else. */
const NO_SUCH_PATH = [404, 405, 410, 501];
/** A Signpost server says why it rejects a request. Without a message, the response is from another server. */
const REFUSED_WITHOUT_WORDS = [400, 401, 403, 415];

/** Whether a failure shows that there is no Signpost server at the Base URL. Only for paths that every one has. */
export const isWrongAddress = ({ status = 0, message, isNotInDirectory }: Failure): boolean =>
  (NO_SUCH_PATH.includes(status) && !isNotInDirectory) ||
  (REFUSED_WITHOUT_WORDS.includes(status) && message === undefined);

const EXAMPLE = 'https://signpost.example.com';

/** The server's address without a path, as a suggestion if the Base URL has one. */
function serverAlone(baseUrl: string): string {
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
    description: `${baseUrl} ${answered}, which a Signpost server does not do. Set Base URL in the credential to the address of the server alone, such as ${serverAlone(baseUrl)}.`,
  });
