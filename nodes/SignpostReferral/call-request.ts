import {
  type GenericValue,
  type IDataObject,
  type IHttpRequestMethods,
  NodeOperationError,
} from 'n8n-workflow';
import type { OperationCall } from '../shared/operation';
import type { ServiceRequest } from '../shared/service';
import { entryOf, numberOf, parseJson, property, textOf } from '../shared/values';

const METHODS: readonly IHttpRequestMethods[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];
/** Methods that are safe to repeat. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const DEFAULT_TIMEOUT_SECONDS = 60;

const rejection = ({ context, itemIndex }: OperationCall, message: string, description: string) =>
  new NodeOperationError(context.getNode(), message, { itemIndex, description });

function methodOf(call: OperationCall): IHttpRequestMethods {
  const entered = call.context.getNodeParameter('method', call.itemIndex, 'GET');
  const method = METHODS.find((candidate) => candidate === entered);
  if (method !== undefined) return method;
  throw rejection(call, 'The method is not one of those offered', `Choose one of ${METHODS.join(', ')}.`);
}

/**
 * The path, with a slash at its beginning. Throws if the user entered a whole address or a path that leads out of the
 * service, because the token is sent only to the service in the credential.
 */
function pathOf(call: OperationCall): string {
  const entered = entryOf(call.context.getNodeParameter('path', call.itemIndex, '')) ?? '';
  const path = entered.startsWith('/') ? entered : `/${entered}`;
  if (/^[a-z][a-z0-9+.-]*:/iu.test(entered) || /^\/[/\\]/u.test(path) || /\p{Cc}/u.test(path))
    throw rejection(
      call,
      'Path holds a whole address',
      'Enter the part after the Base URL of the credential, such as /api/token/status. The token is sent only to that service.',
    );
  if (/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/iu.test(path.split(/[?#]/u, 1)[0] ?? ''))
    throw rejection(
      call,
      'Path leads out of the service',
      'Leave out "." and "..": the token is sent only to addresses below the Base URL of the credential.',
    );
  return path;
}

const queryText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};

/** The values of each query parameter, by its name. */
function queryOf(call: OperationCall): IDataObject {
  const parameters: unknown = property(
    call.context.getNodeParameter('query', call.itemIndex, {}),
    'parameters',
  );
  const query = new Map<string, string[]>();
  for (const parameter of Array.isArray(parameters) ? parameters : []) {
    const name = entryOf(property(parameter, 'name'));
    if (name === undefined) continue;
    query.set(name, [...(query.get(name) ?? []), queryText(property(parameter, 'value'))]);
  }
  return Object.fromEntries(query);
}

const isBody = (value: unknown): value is GenericValue => typeof value === 'object' && value !== null;

function bodyOf(call: OperationCall): GenericValue {
  const entered: unknown = call.context.getNodeParameter('body', call.itemIndex, '');
  const text = textOf(entered);
  const body = text === undefined ? entered : parseJson(text);
  if (isBody(body)) return body;
  if (text === undefined) return undefined;
  throw rejection(call, 'Body is not valid JSON', 'Enter an object or a list, such as {"name": "value"}.');
}

/** The request for one item, from the node's parameters. */
export function callRequest(call: OperationCall): ServiceRequest {
  const method = methodOf(call);
  const query = queryOf(call);
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(call);
  return {
    method,
    path: pathOf(call),
    isBinary: true,
    isOwnPath: true,
    isRepeatable: REPEATABLE.has(method),
    timeoutMs: (numberOf(call.options.timeout) ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
  };
}
