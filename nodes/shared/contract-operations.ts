import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { type ContractField, contractFields, type RequestField } from './contract-fields';
import { requestBody, sendJson } from './json-request';
import type { JsonOperation, Operation, OperationCall, Resource } from './operation';
import contract from './operations.generated.json';
import { resultItem, resultOptions } from './results';
import { isObject } from './values';

/** An operation that the contract offers in n8n. */
export interface ContractOperation {
  /** Interface A is in the node Signpost, B in Signpost Referral. */
  readonly interface: string;
  readonly resource: string;
  readonly name: string;
  readonly action: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly answers: string;
  /** Fields that every successful JSON response has; empty if none are known. */
  readonly answerFields: readonly string[];
  readonly fields: readonly ContractField[];
  /** The names of fields by the group in which the console and the editor show them. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
}

export type OperationId = keyof typeof contract;

const METHODS: readonly IHttpRequestMethods[] = ['GET', 'POST'];
const MANY_AT_ONCE = 10;

/** The name of an operation or a resource in camel case, as n8n stores it: "lookUpMany" for "Look Up Many". */
const valueOf = (name: string): string =>
  name
    .split(' ')
    .map((word, at) => (at === 0 ? word.toLowerCase() : `${word.charAt(0).toUpperCase()}${word.slice(1)}`))
    .join('');

interface PlainOptions {
  /** Returns the timeout of a request with this body, in milliseconds. */
  readonly timeoutOf?: (body: IDataObject) => number;
  /** False if repeating the request would repeat its effect. */
  readonly isRepeatable?: boolean;
  /** Builds the body of the request. If it is left out, `requestBody` does. */
  readonly bodyOf?: (
    call: OperationCall,
    fields: readonly RequestField[],
  ) => IDataObject | Promise<IDataObject>;
}

/**
 * The default for an operation of the contract: sends JSON, and puts the response in the item where the options say. If
 * the response has only an object `result`, puts that object there instead.
 */
export function plainOperation(
  offered: ContractOperation,
  { timeoutOf, isRepeatable = true, bodyOf = requestBody }: PlainOptions = {},
): Operation & JsonOperation {
  const { name, action, description, path, answerFields, groups = {} } = offered;
  const method = METHODS.find((known) => known === offered.method) ?? 'POST';
  const fields = contractFields(offered.fields);
  return {
    value: valueOf(name),
    name,
    action,
    description,
    method,
    path,
    answerFields,
    fields,
    groups,
    ownOptions: resultOptions,
    concurrency: MANY_AT_ONCE,
    run: async (call) => {
      const body = method === 'GET' ? undefined : await bodyOf(call, fields);
      const timeoutMs = body === undefined ? undefined : timeoutOf?.(body);
      const answer = await sendJson(
        call,
        { method, path, answerFields, isRepeatable },
        { ...(body === undefined ? {} : { body }), ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      );
      const { result, ...others } = answer;
      const isWrapped = isObject(result) && Object.keys(others).length === 0;
      return [resultItem(call, isWrapped ? result : answer)];
    },
  };
}

/** The definition of an operation from the contract, for operations that are written by hand. */
export const contractOperation = (id: OperationId, options?: PlainOptions) =>
  plainOperation(contract[id], options);

/** The maximum number of entries of a list in a request; Infinity if there is no limit. */
export function maxItemsOf(id: OperationId, name: string): number {
  const fields: readonly ContractField[] = contract[id].fields;
  return fields.find(({ field }) => field === name)?.maxItems ?? Infinity;
}

/** The resources of a node: their operations are those written by hand, and defaults for the others. */
export function contractResources(
  side: 'A' | 'B',
  written: Readonly<Partial<Record<string, Operation>>>,
): Resource[] {
  const offered: [string, ContractOperation][] = Object.entries(contract);
  const ofNode = offered.filter(([, operation]) => operation.interface === side);
  const names = [...new Set(ofNode.map(([, { resource }]) => resource))];
  return names.map((name) => ({
    name,
    value: valueOf(name),
    operations: ofNode
      .filter(([, { resource }]) => resource === name)
      .map(([id, operation]) => written[id] ?? plainOperation(operation)),
  }));
}
