import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ipv4Only,
  startNameServer,
  type AnswerQuestion,
  type NameServer,
} from '../../../../test/fixtures/name-server.js';
import { openSystemNames, type NameLookups } from './name-lookups.js';

/** `serverMs` is short, because tests with silent name servers wait until a question times out. */
const TIMES = { serverMs: 500, lookupMs: 10_000, otherFamilyMs: 1_000 };
const NOTHING: AnswerQuestion = () => 'NXDOMAIN';

let folder: string;
let hostsFile: string;
let resolvConf: string;
let server: NameServer;
let answerTo = NOTHING;
let lookups: NameLookups;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-names-'));
  hostsFile = join(folder, 'hosts');
  resolvConf = join(folder, 'resolv.conf');
  server = await startNameServer((name, family) => answerTo(name, family));
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  answerTo = NOTHING;
  server.questions.length = 0;
  await Promise.all([writeFile(hostsFile, ''), writeFile(resolvConf, '')]);
  lookups = openSystemNames({ hostsFile, resolvConf, nameServers: [server.address], times: TIMES })();
});

afterEach(() => lookups.end());

const addressesOf = async (name: string, by = lookups) =>
  (await by.lookUp(name)).map(({ address }) => address);
const problemOf = (name: string) =>
  lookups.lookUp(name).then(
    () => 'found',
    (error: unknown) => (error instanceof Error && 'problem' in error ? error.problem : error),
  );

describe('the hosts file', () => {
  test.each([
    ['before the name servers are asked', '10.0.0.5 intranet.example', 'intranet.example', ['10.0.0.5']],
    ['in any case', '10.0.0.5 Intranet.Example', 'INTRANET.example', ['10.0.0.5']],
    ['with several names in a line', '10.0.0.5 a.example\tb.example  c.example', 'c.example', ['10.0.0.5']],
    [
      'without its comments',
      '10.0.0.5 a.example # b.example\n#10.0.0.6 a.example',
      'a.example',
      ['10.0.0.5'],
    ],
    [
      'with all addresses of a name',
      '10.0.0.5 a\n::1 a\r\n10.0.0.6 b a\n10.0.0.5 a',
      'a',
      ['10.0.0.5', '::1', '10.0.0.6'],
    ],
    ['with zones', 'fe80::1%eth0 router', 'router', ['fe80::1%eth0']],
    ['of a name that ends with a dot', '10.0.0.5 a.example', 'a.example.', ['10.0.0.5']],
    [
      'without malformed lines',
      'nonsense a.example\n\n10.0.0.5\n10.0.0.6 a.example',
      'a.example',
      ['10.0.0.6'],
    ],
  ])('gives addresses from the hosts file, %s', async (_what, hosts, name, addresses) => {
    answerTo = () => ({ addresses: ['192.0.2.1'] });
    await writeFile(hostsFile, hosts);

    expect(await addressesOf(name)).toEqual(addresses);
    expect(server.questions).toEqual([]);
  });

  test('a changed hosts file is read again, and the names of a deleted one are no longer found', async () => {
    await writeFile(hostsFile, '10.0.0.5 a.example');
    expect(await addressesOf('a.example')).toEqual(['10.0.0.5']);
    await writeFile(hostsFile, '10.0.0.66 a.example');
    expect(await addressesOf('a.example')).toEqual(['10.0.0.66']);
    await rm(hostsFile);
    expect(await problemOf('a.example')).toBe('notFound');
  });

  test('the hosts file does not apply to subdomains of its names', async () => {
    await writeFile(hostsFile, '10.0.0.5 example');
    expect(await problemOf('a.example')).toBe('notFound');
  });
});

describe('name servers', () => {
  test('name servers are asked for IPv4 and IPv6 addresses, and aliases are followed', async () => {
    answerTo = (_name, family) =>
      family === 4
        ? { addresses: ['192.0.2.1', '192.0.2.2'], alias: 'real.example' }
        : { addresses: ['2001:db8:0:0:0:0:0:1'] };

    expect(await addressesOf('a.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  });

  test.each(['empty', 'NXDOMAIN', 'SERVFAIL', 'REFUSED', 'silent'] as const)(
    'a lookup returns the addresses of one family, whatever name servers do for the other: %s',
    async (other) => {
      answerTo = (_name, family) => (family === 4 ? { addresses: ['192.0.2.1'] } : other);
      expect(await addressesOf('a.example')).toEqual(['192.0.2.1']);
      answerTo = (_name, family) => (family === 6 ? { addresses: ['2001:db8:0:0:0:0:0:1'] } : other);
      expect(await addressesOf('b.example')).toEqual(['2001:db8::1']);
    },
  );

  test.each([
    ['NXDOMAIN', 'NXDOMAIN', 'notFound'],
    ['empty', 'empty', 'notFound'],
    ['NXDOMAIN', 'SERVFAIL', 'notFound'],
    ['NXDOMAIN', 'silent', 'notFound'],
    ['empty', 'SERVFAIL', 'serverFailure'],
    ['SERVFAIL', 'SERVFAIL', 'serverFailure'],
    ['REFUSED', 'REFUSED', 'serverFailure'],
    ['empty', 'silent', 'noAnswer'],
    ['silent', 'silent', 'noAnswer'],
  ] as const)('name servers that say %s for IPv4 and %s for IPv6 mean %s', async (ipv4, ipv6, problem) => {
    answerTo = (_name, family) => (family === 4 ? ipv4 : ipv6);

    expect(await problemOf('a.example')).toBe(problem);
  });

  test('name servers that are not running count as not answering', async () => {
    const nobody = await startNameServer(NOTHING);
    await nobody.close();
    const asking = openSystemNames({ hostsFile, resolvConf, nameServers: [nobody.address] })();

    await expect(asking.lookUp('a.example')).rejects.toMatchObject({ problem: 'noAnswer' });
  });

  test.each(['a.invalid', 'a.onion', '', 'a..b', `${'a'.repeat(64)}.example`])(
    'name servers are not asked for a name that cannot exist: "%s"',
    async (name) => {
      answerTo = () => ({ addresses: ['192.0.2.1'] });

      expect(await problemOf(name)).toBe('notFound');
      expect(server.questions).toEqual([]);
    },
  );

  test.each(['localhost', 'LOCALHOST.', 'a.localhost'])('resolves %s without a name server', async (name) => {
    answerTo = () => ({ addresses: ['192.0.2.1'] });

    expect(await addressesOf(name)).toEqual(['127.0.0.1']);
    expect(server.questions).toEqual([]);
  });
});

describe('search domains', () => {
  const asked = () => [...new Set(server.questions)];

  test('search domains are tried first for a name without a dot, and last for one with a dot', async () => {
    await writeFile(resolvConf, 'search corp.example.  lab.example');
    await problemOf('wiki');
    expect(asked()).toEqual(['wiki.corp.example', 'wiki.lab.example', 'wiki']);
    server.questions.length = 0;
    await problemOf('wiki.team');
    expect(asked()).toEqual(['wiki.team', 'wiki.team.corp.example', 'wiki.team.lab.example']);
  });

  test('search domains are not used for a name that ends with a dot', async () => {
    await writeFile(resolvConf, 'search corp.example');
    await problemOf('wiki.team.');
    expect(asked()).toEqual(['wiki.team']);
  });

  test('search domains are not tried after a name server failed', async () => {
    await writeFile(resolvConf, 'search corp.example');
    answerTo = () => 'SERVFAIL';
    expect(await problemOf('wiki.team')).toBe('serverFailure');
    expect(asked()).toEqual(['wiki.team']);
  });

  test('search domains are read again after a change, and come only from the last line of resolv.conf that names any', async () => {
    answerTo = (name, family) => ipv4Only([name === 'wiki.b.example' ? '192.0.2.2' : '192.0.2.1'], family);
    await writeFile(resolvConf, 'domain a.example');
    expect(await addressesOf('wiki')).toEqual(['192.0.2.1']);
    await writeFile(resolvConf, 'search c.example # old\nsearch b.example');
    expect(await addressesOf('wiki')).toEqual(['192.0.2.2']);
  });
});

test('treats a lookup that takes too long as one without an answer', async () => {
  answerTo = () => 'silent';
  const times = { ...TIMES, serverMs: 60_000, lookupMs: 20 };
  const asking = openSystemNames({ hostsFile, resolvConf, nameServers: [server.address], times })();

  await expect(asking.lookUp('a.example')).rejects.toMatchObject({ problem: 'noAnswer' });
  asking.end();
});

test('after `end()`, a running lookup and later ones fail, and later ones send no query', async () => {
  answerTo = () => 'silent';
  const problem = problemOf('a.example');
  lookups.end();

  expect(await problem).toBe('noAnswer');
  server.questions.length = 0;
  expect(await problemOf('b.example')).toBe('noAnswer');
  expect(server.questions).toEqual([]);
});
