import { type ContractField, namesOfFields } from './contract-fields';
import contract from './operations.generated.json';

/** An operation as the server names it in messages, and how the editor names it and its fields. */
interface NamedOperation {
  readonly name: string;
  readonly fields: ReadonlyMap<string, string>;
}

const keyOf = (method: string, path: string) => `${method} ${path}`;

const OPERATIONS: ReadonlyMap<string, NamedOperation> = new Map(
  Object.values(contract).map(({ method, path, name, fields }) => {
    const described: readonly ContractField[] = fields;
    return [keyOf(method, path), { name: `the operation ${name}`, fields: namesOfFields(described) }];
  }),
);

/**
 * Matches a list of values, which may be spelled like fields and stay as they are, or a quoted field, such as
 * "cookies[0].name".
 */
const QUOTED =
  /((?:one of|is|such as) "[^"]*"(?:(?:, or |, | or )"[^"]*")*)|"([a-z][A-Za-z]*)(?:\[(\d+)\])?(?:\.([a-z][A-Za-z]*))?"/gu;

function inFieldNames(message: string, names: ReadonlyMap<string, string>): string {
  const shownName = (
    whole: string,
    values: string | undefined,
    field = '',
    index?: string,
    part?: string,
  ) => {
    const name = names.get(field);
    if (values !== undefined || name === undefined) return whole;
    const entry = index === undefined ? name : `${name} ${Number(index) + 1}`;
    if (part === undefined) return entry;
    return `${entry} > ${names.get(`${field}.${part}`) ?? names.get(part) ?? part}`;
  };
  return message.replace(QUOTED, shownName);
}

/** Identifies the request that the server answered with a message. */
export interface NamedRequest {
  readonly method: string;
  readonly path: string;
}

/** The server's message, with operations and fields named as in the editor. */
export function inEditorNames(message: string, request?: NamedRequest): string {
  const operations = message.replace(
    /(?:GET|POST) \/api\/[a-z/-]*[a-z]/gu,
    (named) => OPERATIONS.get(named)?.name ?? named,
  );
  const names = request && OPERATIONS.get(keyOf(request.method, request.path))?.fields;
  return names === undefined
    ? operations
    : inFieldNames(operations, names).replace(' that the reference lists', ' that its list offers');
}
