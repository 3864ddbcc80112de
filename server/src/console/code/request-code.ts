import type { Operation } from '@signpost/contract';
import { placeholderOf, type MaskedRequest } from '../request/masked-request.js';

export interface Call {
  readonly id: string;
  readonly operation: Operation;
  readonly request: MaskedRequest | undefined;
  /** The base URL of the server, without a trailing slash. */
  readonly publicUrl: string;
  readonly key?: CallKey | undefined;
}

export interface CallKey {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * By kind of authentication: the header, the variable with the secret, and the text before the secret; undefined if the
 * credential is not in a header.
 */
const CREDENTIALS = {
  apiKey: { header: 'X-Api-Key', variable: 'KEY', before: '' },
  accessToken: { header: 'Authorization', variable: 'TOKEN', before: 'Bearer ' },
  body: undefined,
} as const;

/**
 * A line of code with the key. If only the first characters of the key are known, "…" stands for the rest, and a
 * comment says that the whole key belongs there.
 */
function keyLine({ text, isWhole }: CallKey, before: string, end: string, comment: string): string {
  const line = `${before}${isWhole ? text : `${text}…`}${end}`;
  return isWhole ? line : `${line}  ${comment} the whole key, which was shown when it was made`;
}

const JSON_TYPE = 'application/json';

/** Leaves out the parts that are false or undefined. */
const compact = (parts: readonly (string | false | undefined)[]) =>
  parts.filter((part) => part !== false && part !== undefined);

const fileOf = ({ response }: Operation, { body = {} }: Partial<MaskedRequest>): string | undefined => {
  if (response.kind === 'json') return undefined;
  const [, kind = 'bin'] = response.mediaTypes[0].split('/');
  return `page.${response.mediaTypes.length > 1 && typeof body['format'] === 'string' ? body['format'] : kind}`;
};

const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The body in single quotes for a shell. Each secret is a shell variable outside of these quotes. */
const shellBody = ({ body, variables }: MaskedRequest) =>
  variables.reduce(
    (word, variable) => word.replaceAll(`"${placeholderOf(variable)}"`, () => `"'"$${variable}"'"`),
    shellQuote(JSON.stringify(body)),
  );

/** The call as a curl command, with shell variables for secrets. If `key` is given, a line before it sets KEY. */
export function curlCode({ operation, request, publicUrl, key }: Call): string {
  const credential = CREDENTIALS[operation.authentication];
  const file = fileOf(operation, request ?? {});
  const command = compact([
    'curl',
    operation.method === 'POST' && request === undefined && '-X POST',
    credential && `-H "${credential.header}: ${credential.before}$${credential.variable}"`,
    request && `-H 'Content-Type: ${JSON_TYPE}'`,
    request && `-d ${shellBody(request)}`,
    file && `-o ${file}`,
    `${publicUrl}${operation.path}`,
  ]).join(' \\\n  ');
  return key === undefined ? command : `${keyLine(key, "KEY='", "'", '#')}\n${command}`;
}

const indentLines = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** Replaces the placeholder of each secret in a JSON or Python body by the language's expression for a variable. */
const withVariables = (json: string, variables: readonly string[], wordOf: (variable: string) => string) =>
  variables.reduce(
    (text, variable) => text.replaceAll(JSON.stringify(placeholderOf(variable)), wordOf(variable)),
    json,
  );

/** The call as JavaScript for Node.js, with environment variables for secrets, except for a key that is given. */
export function javaScriptCode({ operation, request, publicUrl, key }: Call): string {
  const credential = CREDENTIALS[operation.authentication];
  const file = fileOf(operation, request ?? {});
  const variableOf = (name: string) => `process.env.${name}`;
  const secret = key === undefined ? variableOf(credential?.variable ?? '') : 'key';
  const value = credential?.before === '' ? secret : `\`${credential?.before ?? ''}\${${secret}}\``;
  const headers = compact([
    credential && `    '${credential.header}': ${value},`,
    request && `    'Content-Type': '${JSON_TYPE}',`,
  ]);
  const body = request && withVariables(JSON.stringify(request.body, null, 2), request.variables, variableOf);
  return compact([
    file && `import { writeFile } from 'node:fs/promises';\n`,
    key && keyLine(key, "const key = '", "';", '//'),
    `const response = await fetch(${JSON.stringify(`${publicUrl}${operation.path}`)}, {`,
    `  method: '${operation.method}',`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    body && `  body: JSON.stringify(${indentLines(body, 2)}),`,
    '});',
    'if (!response.ok) throw new Error((await response.json()).error);',
    file === undefined
      ? 'console.log(await response.json());'
      : `await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`,
  ]).join('\n');
}

const PYTHON_WORDS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

function pythonValue(value: unknown, indent = ''): string {
  const deeper = `${indent}    `;
  const within = (open: string, close: string, entries: readonly string[]) =>
    entries.length === 0
      ? `${open}${close}`
      : `${open}\n${entries.map((entry) => `${deeper}${entry},\n`).join('')}${indent}${close}`;
  if (Array.isArray(value))
    return within(
      '[',
      ']',
      value.map((entry) => pythonValue(entry, deeper)),
    );
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return within(
      '{',
      '}',
      entries.map(([name, part]) => `${JSON.stringify(name)}: ${pythonValue(part, deeper)}`),
    );
  }
  return PYTHON_WORDS.get(value) ?? JSON.stringify(value);
}

/** The call as Python with the requests library. Secrets are environment variables, except for a key that is given. */
export function pythonCode({ operation, request, publicUrl, key }: Call): string {
  const credential = CREDENTIALS[operation.authentication];
  const file = fileOf(operation, request ?? {});
  const variableOf = (name: string) => `os.environ["${name}"]`;
  const secret = key === undefined ? variableOf(credential?.variable ?? '') : 'key';
  const value = credential?.before === '' ? secret : `"${credential?.before ?? ''}" + ${secret}`;
  const body = request && withVariables(pythonValue(request.body, '    '), request.variables, variableOf);
  const usesEnvironment = (credential && key === undefined) || (request?.variables.length ?? 0) > 0;
  return compact([
    usesEnvironment && 'import os\n',
    'import requests\n',
    key && keyLine(key, 'key = "', '"', '#'),
    `response = requests.${operation.method.toLowerCase()}(`,
    `    ${JSON.stringify(`${publicUrl}${operation.path}`)},`,
    credential && `    headers={"${credential.header}": ${value}},`,
    body && `    json=${body},`,
    '    timeout=60,',
    ')',
    'if not response.ok:',
    '    raise SystemExit(response.json()["error"])',
    file === undefined
      ? 'print(response.json())'
      : `with open("${file}", "wb") as file:\n    file.write(response.content)`,
  ]).join('\n');
}
