import { createRequestIds } from './request-ids.js';

const idsFor = (trustProxy: readonly string[]) =>
  createRequestIds({
    clock: () => 1_700_000_000_000,
    randomBytes: (count) => Buffer.alloc(count, 1),
    trustProxy,
  });
const sent = (id: string | undefined, remoteAddress: string | undefined = '10.0.0.1') => ({
  headers: id === undefined ? {} : { 'x-request-id': id },
  socket: { remoteAddress },
});
const MADE = /^AQEBAQEBAQEB-loyw3v28-\d+$/u;

test('gives a request without X-Request-Id a unique id', () => {
  const { of, next } = idsFor([]);
  const ids = [of(sent(undefined)), next(), of(sent(undefined)), next()];
  for (const id of ids) expect(id).toMatch(MADE);
  expect(new Set(ids).size).toBe(4);
});

test.each(['10.0.0.0/8', '10.0.0.1', '::ffff:10.0.0.0/104'])(
  'accepts the request id of a proxy that is trusted as %s',
  (network) => {
    const { of } = idsFor([network]);
    for (const id of ['a', '0b8f-4_2.x', 'x'.repeat(128)]) {
      expect(of(sent(id))).toBe(id);
      expect(of(sent(id, '::ffff:10.0.0.1'))).toBe(id);
    }
  },
);

test.each(['', 'x'.repeat(129), 'a b', 'a,b', 'a"b', 'a\nb', 'ä', '{}'])(
  'does not accept the malformed request id %j',
  (id) => {
    expect(idsFor(['10.0.0.0/8']).of(sent(id))).toMatch(MADE);
  },
);

test.each(['192.0.2.1', '11.0.0.1', '::1', undefined])(
  'does not accept the request id of a sender that is not trusted, at the address %s',
  (address) => {
    expect(idsFor(['10.0.0.0/8']).of({ ...sent('mine'), socket: { remoteAddress: address } })).toMatch(MADE);
    expect(idsFor([]).of(sent('mine', '127.0.0.1'))).toMatch(MADE);
  },
);
