import { table } from './markdown-table.mjs';

const code = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The type of a field, in words. */
function typeWords(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeWords).join(' or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (schema.type === 'array') return `list of ${typeWords(schema.items)}`;
  return schema.type;
}

/** The bounds of a field, in words. A range that lacks an end, or goes up to the largest safe integer, is left out. */
function limitWords(schema) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const hasRange = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const parts = [
    hasRange ? `${minimum} to ${maximum}` : undefined,
    minLength === undefined ? undefined : `at least ${minLength} characters`,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    minItems === undefined ? undefined : minItems === maxItems ? `${minItems}` : `${minItems} to ${maxItems}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

const requestTable = ({ properties, required = [] }) =>
  table(
    ['Field', 'Type', 'Required', 'Limits', 'Default', 'Description'],
    Object.entries(properties).map(([name, field]) => [
      code(name),
      typeWords(field),
      required.includes(name) ? 'yes' : 'no',
      limitWords(field),
      field.default === undefined ? '' : code(field.default),
      field.description ?? '',
    ]),
  );

/** One row per field of a record. After a list of records come the fields of its items. */
const answerRows = (properties, prefix = '') =>
  Object.entries(properties).flatMap(([name, field]) => [
    [code(prefix + name), typeWords(field), field.description ?? ''],
    ...(field.items?.properties === undefined
      ? []
      : answerRows(field.items.properties, `${prefix}${name}[].`)),
  ]);

const answerTable = ({ properties }) => table(['Field', 'Type', 'Description'], answerRows(properties));

/** The fields of a record, or the values of an enum. */
const recordContent = (schema) =>
  schema.enum === undefined ? answerTable(schema) : schema.enum.map(code).join(', ');

const headerTable = (headers) =>
  table(
    ['Header', 'Type', 'Description'],
    Object.entries(headers).map(([name, { type, description }]) => [code(name), type, description]),
  );

const errorTable = (errors) =>
  table(
    ['Status', '`X-Signpost-Error`', 'Meaning'],
    errors
      .toSorted((one, other) => one.status - other.status)
      .map(({ status, name, description }) => [status, code(name), description]),
  );

const AUTHENTICATION = {
  apiKey: 'The header `X-Api-Key` holds the API key.',
  accessToken:
    'The header `Authorization` holds the word `Bearer`, a space, then the access token. Without the word it is rejected.',
  body: 'No header authenticates: the body holds the refresh token.',
};

function operationSection(operation, document, errorsOf) {
  const { title, method, path, description, responseHeaders, response } = operation;
  const { requestBody, responses } = document.paths[path][method.toLowerCase()];
  const schemas = document.components.schemas;
  const resolve = (schema) => (schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)]);
  const parts = [`## ${title}`, code(`${method} ${path}`), description, '### Request'];
  parts.push(AUTHENTICATION[operation.authentication]);
  parts.push(
    requestBody === undefined
      ? 'No body.'
      : requestTable(resolve(requestBody.content['application/json'].schema)),
    '### Answer',
  );
  parts.push(
    response.kind === 'json'
      ? answerTable(resolve(responses['200'].content['application/json'].schema))
      : `${response.description} Content type: ${response.mediaTypes.map(code).join(' or ')}.`,
  );
  if (Object.keys(responseHeaders).length > 0) parts.push('### Headers', headerTable(responseHeaders));
  parts.push('### Errors', errorTable(errorsOf(operation)));
  return parts.join('\n\n');
}

/** The section about opening a link, which needs no key and is no operation. */
const openedLinkSection = ({ path, title, description, parameters, mediaTypes, headers, errors }) =>
  [
    `## ${title}`,
    code(`GET ${path}`),
    description,
    '### Request',
    'No key and no body.',
    table(
      ['Part of the path', 'Description'],
      Object.entries(parameters).map(([name, words]) => [code(name), words]),
    ),
    '### Answer',
    `The capture. Content type: ${mediaTypes.map(code).join(' or ')}.`,
    '### Headers',
    headerTable(headers),
    '### Errors',
    errorTable(errors),
  ].join('\n\n');

/** The reference of the served operations and of opening a link, as Markdown. */
export function referencePage(document, { served, openedLink, errorsOf, answerHeaders, rateLimitHeaders }) {
  const operations = Object.values(served);
  const records = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => [`### ${name}`, schema.description, recordContent(schema)].join('\n\n'));
  return [
    '<!-- Generated by `npm run generate`; do not edit. -->',
    '# The HTTP API',
    'Captures, postcodes and usage take an API key, which counts what it is used for; tokens take the access token or the refresh token that the page `/apikeys` shows; a link to a capture takes nothing. Bodies are JSON objects with the header `Content-Type: application/json`; a field that is not in the table of its operation is refused. The same as an OpenAPI 3.1 document: [openapi.json](openapi.json), which a running server has at `/openapi.json`.',
    table(
      ['Operation', 'Method', 'Path'],
      [...operations, { ...openedLink, method: 'GET' }].map(({ title, method, path }) => [
        title,
        method,
        code(path),
      ]),
    ),
    'Every answer but a capture at a link carries:',
    headerTable(answerHeaders),
    'Every answer to a known API key that has a limit, errors included, carries:',
    headerTable(rateLimitHeaders),
    'The body of an error is `{"error": "…"}` with what was wrong and what to change. Its header `X-Signpost-Error` has the name of the kind of error: a 404 with `notInDirectory` is about a postcode, outcode or area, and any other 404 means that the address is wrong. As long as the server has only its sample of the postcodes, answers about postcodes have the header `X-Signpost-Directory: sample`. With 429 and 503 the header `Retry-After` says how many seconds to wait. A 401 to a token carries `WWW-Authenticate: Bearer`, with `error="invalid_token"` if a token was sent.',
    'Other services verify access tokens by the keys at `/.well-known/jwks.json`.',
    ...operations.map((operation) => operationSection(operation, document, errorsOf)),
    openedLinkSection(openedLink),
    '## Records',
    ...records,
  ].join('\n\n');
}
