import { readdir, readFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode, meaningOf, reasonOf } from './system-errors.js';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test('explains in words that a file is missing, is a folder, or has a file as a part of its path', async () => {
  expect(reasonOf(await failureOf(readFile(join(tmpdir(), 'no such file'))))).toBe(
    'there is no such file or folder',
  );
  expect(reasonOf(await failureOf(readFile(tmpdir())))).toBe('it is a folder');
  expect(reasonOf(await failureOf(readdir(join(import.meta.filename, 'below'))))).toBe(
    'a part of its path is a file',
  );
});

test('explains a taken port, and a port on which nothing listens, in words', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
    });
  });
  const taken = await new Promise((resolve) =>
    createServer().once('error', resolve).listen(port, '127.0.0.1'),
  );
  expect(meaningOf(taken)).toBe('another program uses it');
  await new Promise((resolve) => server.close(resolve));
  const refused = await new Promise((resolve) => connect(port, '127.0.0.1').once('error', resolve));
  expect(meaningOf(refused)).toBe('nothing listens there');
});

test('an unexpected error has no meaning in words, and its reason is its code or "unknown reason"', () => {
  expect(meaningOf({ code: 'EODD' })).toBeUndefined();
  expect(reasonOf({ code: 'EODD' })).toBe('EODD');
  expect([reasonOf(new Error('odd')), errorCode({ code: 7 })]).toEqual(['unknown reason', '']);
});
