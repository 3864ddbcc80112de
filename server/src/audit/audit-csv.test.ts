import { auditCsv } from './audit-csv.js';
import type { AuditEntry } from './read-audit.js';

const ENTRY: AuditEntry = {
  id: '1',
  atMs: Date.UTC(2026, 10, 23),
  kind: 'key.created',
  via: 'console',
  address: '192.0.2.7',
  actor: { id: 'acc_1', email: 'ada@example.org' },
  subject: { id: 'acc_2', email: null },
  detail: null,
};

async function csvOf(...entries: readonly AuditEntry[]): Promise<string> {
  async function* some() {
    yield entries;
    await Promise.resolve();
  }
  let text = '';
  for await (const part of auditCsv(some())) text += part;
  return text;
}

test('writes an audit entry as a line, with its description and the identifiers of accounts', async () => {
  const [headings, line, end] = (await csvOf(ENTRY)).split('\r\n');
  expect(headings).toBe('time,kind,what,by,by account,via,from,account,account identifier,detail');
  expect(line).toBe(
    '2026-11-23T00:00:00.000Z,key.created,Key made,ada@example.org,acc_1,console,192.0.2.7,,acc_2,',
  );
  expect(end).toBe('');
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['two\r\nlines', '"two\r\nlines"'],
  ['a, b', '"a, b"'],
  ['{"perMinute":7}', '"{""perMinute"":7}"'],
  ['1-1', '1-1'],
])('writes the detail %j as the cell %j, which is no formula', async (detail, cell) => {
  expect(await csvOf({ ...ENTRY, detail })).toMatch(new RegExp(`,${escape(cell)}\\r\\n$`, 'u'));
});

const escape = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, '\\$&');
