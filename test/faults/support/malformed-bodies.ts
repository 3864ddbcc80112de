import type { Random } from './random.js';

const FIELDS = [
  ...['postcode', 'postcodes', 'partial', 'limit', 'latitude', 'longitude', 'radiusMetres', 'refreshToken'],
  ...['width', 'height', 'fullPage', 'format', 'scale', 'marginTop', 'landscape', 'printBackground'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'Postcode', 'postcode ', ''],
  ...['jsonrpc', 'method', 'params', 'id', 'email', 'password', '_csrf', 'returnUrl'],
];
const STRINGS = [
  ...[
    'SW1A 1AA',
    'sw1a1aa',
    'ZZ99 9ZZ',
    '',
    ' ',
    'null',
    '0',
    '-1',
    '1e999',
    '\u0000',
    '\ud800',
    '\udc00\ud800',
  ],
  ...[
    '\u202e',
    '💥'.repeat(40),
    'é'.repeat(300),
    '../../etc/passwd',
    "' OR 1=1 --",
    '<script>alert(1)</script>',
  ],
  ...[
    '${7*7}',
    '%00',
    '%s%n',
    'x'.repeat(10_000),
    'tools/call',
    'initialize',
    'resources/read',
    '2.0',
    'sp_live_',
  ],
];
const NUMBERS = [
  ...['0', '-0', '-1', '1.5', '101', '1e308', '-1e308', '1e999', '5e-324', '9007199254740993', '2147483648'],
  ...['0x10', '01', '+1', '.5', '1.', 'NaN', 'Infinity', '9'.repeat(400)],
];

/** A random text as a JSON string. Lone surrogates are escaped by JSON.stringify. */
const quoted = (random: Random) => JSON.stringify(random.pick(STRINGS));

/** A random JSON value, sometimes deeply nested and sometimes invalid. */
function value(random: Random, depth = 0): string {
  switch (random.below(depth > 3 ? 4 : 8)) {
    case 0:
      return random.pick(['true', 'false', 'null', 'undefined', '']);
    case 1:
      return random.pick(NUMBERS);
    case 2:
    case 3:
      return quoted(random);
    case 4:
      return `[${Array.from({ length: random.below(6) }, () => value(random, depth + 1)).join(',')}]`;
    case 5:
      return object(random, depth + 1);
    case 6:
      return `[${Array.from({ length: 150 }, () => quoted(random).slice(0, 30)).join(',')}]`;
    default:
      return nested(random, random.pick([5, 50, 500]));
  }
}

function nested(random: Random, depth: number): string {
  const [open, close] = random.pick<readonly [string, string]>([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"postcode":', '}]'],
  ]);
  return open.repeat(depth) + random.pick(['1', '', '{}']) + close.repeat(depth);
}

function object(random: Random, depth = 0): string {
  const fields = Array.from(
    { length: random.below(5) },
    () => `${JSON.stringify(random.pick(FIELDS))}:${value(random, depth)}`,
  );
  return `{${fields.join(',')}}`;
}

function rpc(random: Random): string {
  const method = random.pick([
    'ping',
    'tools/list',
    'initialize',
    'prompts/get',
    'resources/read',
    'no/such',
    '',
  ]);
  const id = random.pick(['1', '"a"', 'null', '[]', '1.5', '{}']);
  const message = `{"jsonrpc":${random.pick(['"2.0"', '"1.0"', '2'])},"id":${id},"method":"${method}","params":${value(random)}}`;
  return random.chance(80) ? message : `[${message},${object(random)}]`;
}

const form = (random: Random) =>
  Array.from({ length: random.below(6) }, () => {
    const [name, text] = [random.pick(FIELDS), random.pick(STRINGS)];
    if (random.chance(70)) return new URLSearchParams([[name, text]]).toString();
    return `${name}=${text.replace(/[^!-~]/gu, '%')}`;
  }).join('&');

/** A body with something wrong in it, or occasionally a valid one. */
export function malformedBody(random: Random): Buffer {
  const kind = random.below(20);
  if (kind === 0) return Buffer.from(Array.from({ length: random.below(80) }, () => random.below(256)));
  if (kind === 1) return Buffer.from(nested(random, random.pick([2_000, 20_000])));
  if (kind === 2) return Buffer.from(`\ufeff${object(random)}`);
  if (kind === 3) return Buffer.from(object(random), 'utf16le');
  if (kind < 7) return Buffer.from(form(random));
  if (kind < 10) return Buffer.from(rpc(random));
  const whole = Buffer.from(object(random));
  if (kind < 12) return whole.subarray(0, random.below(whole.length + 1));
  if (kind === 12 && whole.length > 0) whole[random.below(whole.length)] = random.below(256);
  return whole;
}
