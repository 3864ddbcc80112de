import { type ContractField, namesOfFields } from './contract-fields';
import contract from './operations.generated.json';

/** The names of an operation and of its fields in the editor. */
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
 * Matches a quoted field such as "cookies[0].name". Also matches a list of allowed values, so that they stay unchanged:
 * a value may be spelled like a field.
 */
const QUOTED =
  /((?:one of|is|such as) "[^"]*"(?:(?:, or |, | or )"[^"]*")*)|"([a-z][A-Za-z]*)(?:\[(\d+)\])?(?:\.([a-z][A-Za-z]*))?"/gu;

function inFieldNames(message: string, names: ReadonlyMap<string, string>): string {
  const shownName = (
    match: string,
    values: string | undefined,
    field = '',
    index?: string,
    part?: string,
  ) => {
    const name = names.get(field);
    if (values !== undefined || name === undefined) return match;
    const entry = index === undefined ? name : `${name} ${Number(index) + 1}`;
    if (part === undefined) return entry;
    return `${entry} > ${names.get(`${field}.${part}`) ?? names.get(part) ?? part}`;
  };
  return message.replace(QUOTED, shownName);
}

/** The request that a message of the server is about. */
export interface NamedRequest {
  readonly method: string;
  readonly path: string;
}

/** The server's message, with operations named as in the editor. If `request` is given, its fields are named so too. */
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
