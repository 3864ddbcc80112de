import { type INode, NodeOperationError } from 'n8n-workflow';
import type { Failure } from './failure';
import { parseUrl } from './values';

/** What a server that has no such path answers, and one that means something else by it. */
const NO_SUCH_PATH = [404, 405, 410, 501];
/** A Signpost server says why it refuses; without its words somebody else has. */
const REFUSED_WITHOUT_WORDS = [400, 401, 403, 415];

/** Whether a failure shows that no Signpost server is at the Base URL, given that every one has the path. */
export const isWrongAddress = ({ status = 0, message, isNotInDirectory }: Failure): boolean =>
  (NO_SUCH_PATH.includes(status) && !isNotInDirectory) ||
  (REFUSED_WITHOUT_WORDS.includes(status) && message === undefined);

const EXAMPLE = 'https://signpost.example.com';

/** The address of the server alone, if the Base URL goes on after it. */
function serverAlone(baseUrl: string): string {
  const { origin = EXAMPLE, pathname = '/' } = parseUrl(baseUrl) ?? {};
  return pathname === '/' ? EXAMPLE : origin;
}

/** The error for a Base URL at which something else answers; `answered` says what. */
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
