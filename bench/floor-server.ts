import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { INCLUDE_PARTS, operations } from '@signpost/contract';
import { distanceBetween } from '@signpost/server/distance';
import { openDirectoryStore, type DirectoryStore } from '@signpost/server/directory-store';
import { CurrentRecordWriter } from '@signpost/server/record-writer';
import { z } from 'zod';

/**
 * This program gives the lower bounds for comparison: a bare node:http server that parses the JSON body and responds
 * with fixed bytes, or with the directory's answer if no bytes are given. Its argument is the data folder. The bytes
 * come on standard input; the server's address goes to standard output.
 */
const [dataDir = ''] = process.argv.slice(2);
const bytes = await buffer(process.stdin);
// Node.js sends a text faster than a buffer with the same bytes.
const fixed = isUtf8(bytes) ? bytes.toString() : bytes;
const directories = await openDirectoryStore({ dataDir });

const asString = z.string();
const asStrings = z.array(z.string());
const asNumber = z.number();
const asPoints = z.array(z.object({ latitude: asNumber, longitude: asNumber }));
const asParts = z.array(z.enum(INCLUDE_PARTS));
const asBody = z.record(z.string(), z.unknown());

type PostcodeDirectory = ReturnType<DirectoryStore['current']>;
type Body = Readonly<Record<string, unknown>>;
type Answer = string | Buffer;

const writer = new CurrentRecordWriter();

function pointOf(postcode: string, directory: PostcodeDirectory) {
  const row = directory.rowOf(postcode);
  return typeof row === 'number' ? directory.pointOf(row) : undefined;
}

/** The response of each measured operation, without a key, a limit, counting or field validation. */
const answers: Readonly<Record<string, (body: Body, directory: PostcodeDirectory) => Answer>> = {
  [operations.lookupPostcode.path]: ({ postcode, include }, directory) => {
    const row = directory.rowOf(asString.parse(postcode));
    if (typeof row !== 'number') return '{}';
    return include === undefined
      ? writer.of(directory.table).lookup(row)
      : JSON.stringify({ result: directory.record(row, asParts.parse(include)) });
  },
  [operations.validatePostcode.path]: ({ postcode }, directory) =>
    JSON.stringify(directory.validate(asString.parse(postcode))),
  [operations.autocompletePostcode.path]: ({ partial }, directory) =>
    JSON.stringify({ postcodes: directory.autocomplete(asString.parse(partial), 10) }),
  [operations.findNearestPostcodes.path]: ({ latitude, longitude }, directory) => {
    const point = { latitude: asNumber.parse(latitude), longitude: asNumber.parse(longitude) };
    return writer.of(directory.table).nearest(directory.nearest({ ...point, limit: 10, radiusMetres: 2000 }));
  },
  [operations.lookupPostcodes.path]: ({ postcodes }, directory) => {
    const { rows, missing } = directory.rowsOf(asStrings.parse(postcodes));
    return writer.of(directory.table).lookups(rows, missing);
  },
  [operations.measureDistance.path]: ({ from, to }, directory) => {
    const start = pointOf(asString.parse(from), directory);
    const ends = asStrings.parse(to).map((postcode) => pointOf(postcode, directory));
    return JSON.stringify({ results: ends.map((end) => start && end && distanceBetween(start, end)) });
  },
  [operations.reverseGeocode.path]: ({ points }, directory) => {
    const query = { limit: 1, radiusMetres: 2000 };
    const found = asPoints.parse(points).map((point) => directory.nearest({ ...point, ...query })[0]);
    return writer.of(directory.table).nearest(found);
  },
  [operations.findPostcodesInText.path]: ({ text: asked }, directory) =>
    JSON.stringify({ results: directory.findInText(asString.parse(asked)) }),
};

function answerTo(request: IncomingMessage, body: string): Answer {
  const sent: unknown = body === '' ? undefined : JSON.parse(body);
  if (fixed.length > 0) return fixed;
  return answers[request.url ?? '']?.(asBody.parse(sent), directories.current()) ?? '';
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => (body += part));
  request.on('end', () => {
    const answer = answerTo(request, body);
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port ?? 0}\n`);
});
