import type { Operation } from '@signpost/contract';
import type { RequestExample } from './request-example.js';

const AUTHENTICATION: Readonly<Record<Operation['authentication'], readonly string[]>> = {
  apiKey: ['-H "X-Api-Key: $KEY"'],
  accessToken: ['-H "Authorization: Bearer $TOKEN"'],
  body: [],
};

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `refreshToken` as the shell variable `REFRESH_TOKEN`. */
const variable = (name: string) => name.replaceAll(/[A-Z]/gu, (letter) => `_${letter}`).toUpperCase();

/** The body in single quotes; each secret steps out of them to be a variable of the shell. */
function bodyWord({ shortest, secrets }: RequestExample): string {
  const plain = Object.entries(shortest).map(([name, value]) =>
    quoted(`${JSON.stringify(name)}:${JSON.stringify(value)}`).slice(1, -1),
  );
  const secret = secrets.map((name) => `${JSON.stringify(name)}:"'"$${variable(name)}"'"`);
  return `'{${[...plain, ...secret].join(',')}}'`;
}

function outputOption({ response }: Operation): readonly string[] {
  if (response.kind === 'json') return [];
  return [`-o page.${response.mediaTypes[0].split('/')[1] ?? 'bin'}`];
}

/** The call of an operation as a command line of curl, with $KEY and $TOKEN for what authenticates. */
export function curlExample(
  operation: Operation,
  example: RequestExample | undefined,
  publicUrl: string,
): string {
  const body =
    example === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${bodyWord(example)}`];
  const method = operation.method === 'POST' && example === undefined ? ['-X POST'] : [];
  return [
    'curl',
    ...method,
    ...AUTHENTICATION[operation.authentication],
    ...body,
    ...outputOption(operation),
    `${publicUrl}${operation.path}`,
  ].join(' \\\n  ');
}
