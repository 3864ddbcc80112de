import type { Operation } from '@signpost/contract';
import { marked, type ShownRequest } from '../request/shown-request.js';

/** A call of an operation, to be written as code. */
export interface Call {
  readonly id: string;
  readonly operation: Operation;
  /** Undefined if the operation takes no request. */
  readonly request: ShownRequest | undefined;
  /** The base URL of the server, without a trailing slash. */
  readonly publicUrl: string;
  /** The key to use; undefined if none is chosen. */
  readonly key?: CallKey | undefined;
}

/** A key, or the first characters of one. */
export interface CallKey {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * How each kind of credential is sent: the header, the variable that holds the secret, and the prefix of the
 * value.
 */
const CREDENTIALS = {
  apiKey: { header: 'X-Api-Key', variable: 'KEY', before: '' },
  accessToken: { header: 'Authorization', variable: 'TOKEN', before: 'Bearer ' },
  body: undefined,
} as const;

/**
 * A line of code that contains the key. If only its first characters are known, a comment says that the rest must be
 * added.
 */
function keyLine({ text, isWhole }: CallKey, before: string, end: string, comment: string): string {
  const line = `${before}${isWhole ? text : `${text}…`}${end}`;
  return isWhole ? line : `${line}  ${comment} the whole key, which was shown when it was made`;
}

const JSON_TYPE = 'application/json';

const fileOf = ({ response }: Operation, { body = {} }: Partial<ShownRequest>): string | undefined => {
  if (response.kind === 'json') return undefined;
  const [, kind = 'bin'] = response.mediaTypes[0].split('/');
  return `page.${response.mediaTypes.length > 1 && typeof body['format'] === 'string' ? body['format'] : kind}`;
};

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The body in single quotes for a shell. Each secret is a shell variable outside of the quotes. */
const shellBody = ({ body, variables }: ShownRequest) =>
  variables.reduce(
    (word, variable) => word.replaceAll(`"${marked(variable)}"`, () => `"'"$${variable}"'"`),
    quoted(JSON.stringify(body)),
  );

/** The call as a curl command, with shell variables for secrets. */
export function curlCode({ operation, request, publicUrl, key }: Call): string {
  const credential = CREDENTIALS[operation.authentication];
  const file = fileOf(operation, request ?? {});
  const command = [
    'curl',
    ...(operation.method === 'POST' && request === undefined ? ['-X POST'] : []),
    ...(credential === undefined
      ? []
      : [`-H "${credential.header}: ${credential.before}$${credential.variable}"`]),
    ...(request === undefined ? [] : [`-H 'Content-Type: ${JSON_TYPE}'`, `-d ${shellBody(request)}`]),
    ...(file === undefined ? [] : [`-o ${file}`]),
    `${publicUrl}${operation.path}`,
  ].join(' \\\n  ');
  return key === undefined ? command : `${keyLine(key, "KEY='", "'", '#')}\n${command}`;
}

const indented = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** Replaces each secret in the JSON by the language's expression for a variable. */
const withVariables = (json: string, variables: readonly string[], wordOf: (variable: string) => string) =>
  variables.reduce(
    (text, variable) => text.replaceAll(JSON.stringify(marked(variable)), wordOf(variable)),
    json,
  );

/** The call as JavaScript for Node.js, with environment variables for secrets. */
export function javaScriptCode({ operation, request, publicUrl, key }: Call): string {
  const credential = CREDENTIALS[operation.authentication];
  const file = fileOf(operation, request ?? {});
  const variableOf = (name: string) => `process.env.${name}`;
  const secret = key === undefined ? variableOf(credential?.variable ?? '') : 'key';
  const value = credential?.before === '' ? secret : `\`${credential?.before ?? ''}\${${secret}}\``;
  const headers = [
    ...(credential === undefined ? [] : [`    '${credential.header}': ${value},`]),
    ...(request === undefined ? [] : [`    'Content-Type': '${JSON_TYPE}',`]),
  ];
  const lines = [
    ...(file === undefined ? [] : [`import { writeFile } from 'node:fs/promises';`, '']),
    ...(key === undefined ? [] : [keyLine(key, "const key = '", "';", '//')]),
    `const response = await fetch(${JSON.stringify(`${publicUrl}${operation.path}`)}, {`,
    `  method: '${operation.method}',`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(request === undefined
      ? []
      : [
          `  body: JSON.stringify(${indented(withVariables(JSON.stringify(request.body, null, 2), request.variables, variableOf), 2)}),`,
        ]),
    '});',
    'if (!response.ok) throw new Error((await response.json()).error);',
    file === undefined
      ? 'console.log(await response.json());'
      : `await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`,
  ];
  return lines.join('\n');
}

const PYTHON_WORDS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

/** Formats a value as a Python literal. */
function pythonValue(value: unknown, indent = ''): string {
  const deeper = `${indent}    `;
  const within = (entries: readonly string[], open: string, close: string) =>
    entries.length === 0
      ? `${open}${close}`
      : `${open}\n${entries.map((entry) => `${deeper}${entry},\n`).join('')}${indent}${close}`;
  if (Array.isArray(value))
    return within(
      value.map((entry) => pythonValue(entry, deeper)),
      '[',
      ']',
    );
  if (typeof value === 'object' && value !== null)
    return within(
      Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${pythonValue(part, deeper)}`),
      '{',
      '}',
    );
  return PYTHON_WORDS.get(value) ?? JSON.stringify(value);
}

/** The call as Python with the requests library, with environment variables for secrets. */
export function pythonCode({ operation, request, publicUrl, key }: Call): string {
  const credential = CREDENTIALS[operation.authentication];
  const file = fileOf(operation, request ?? {});
  const variableOf = (name: string) => `os.environ["${name}"]`;
  const secret = key === undefined ? variableOf(credential?.variable ?? '') : 'key';
  const value = credential?.before === '' ? secret : `"${credential?.before ?? ''}" + ${secret}`;
  const body =
    request === undefined
      ? ''
      : withVariables(pythonValue(request.body, '    '), request.variables, variableOf);
  const usesEnvironment =
    (credential !== undefined && key === undefined) || (request?.variables.length ?? 0) > 0;
  return [
    ...(usesEnvironment ? ['import os', ''] : []),
    'import requests',
    '',
    ...(key === undefined ? [] : [keyLine(key, 'key = "', '"', '#')]),
    `response = requests.${operation.method.toLowerCase()}(`,
    `    ${JSON.stringify(`${publicUrl}${operation.path}`)},`,
    ...(credential === undefined ? [] : [`    headers={"${credential.header}": ${value}},`]),
    ...(request === undefined ? [] : [`    json=${body},`]),
    '    timeout=60,',
    ')',
    'if not response.ok:',
    '    raise SystemExit(response.json()["error"])',
    ...(file === undefined
      ? ['print(response.json())']
      : [`with open("${file}", "wb") as file:`, '    file.write(response.content)']),
  ].join('\n');
}
