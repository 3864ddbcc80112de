import { configProblems } from '../../../test/fixtures/config-problems.js';
import { readConfig } from './config.js';

test.each([
  ['Ops@example.org', { label: 'ops@example.org', href: 'mailto:ops@example.org' }],
  [
    'https://example.org/help?a=b',
    { label: 'https://example.org/help?a=b', href: 'https://example.org/help?a=b' },
  ],
])('accepts %s as the contact of the operator', (text, contact) => {
  expect(readConfig({ SIGNPOST_CONTACT: text }).contact).toEqual(contact);
});

test.each(['javascript:alert(1)', 'ask Ada', 'ftp://example.org', 'https://user@example.org', 'a@b@c'])(
  'rejects %s as the contact of the operator',
  (text) => {
    expect(configProblems({ SIGNPOST_CONTACT: text })).toEqual([
      `SIGNPOST_CONTACT must be an e-mail or a web address, such as "ops@example.org" or "https://example.org/help", but is "${text}"`,
    ]);
  },
);

test('a mail server needs a sender, and an error about its URL does not show the password', () => {
  const url = 'smtps://me:pass%40word@mail.example:465';
  const from = 'Signpost <signpost@example.org>';
  for (const without of [{}, { SIGNPOST_MAIL_FROM: from }]) expect(readConfig(without).mail).toBeUndefined();
  const { mail } = readConfig({ SIGNPOST_SMTP_URL: url, SIGNPOST_MAIL_FROM: from });
  expect([mail?.url.hostname, mail?.from]).toEqual(['mail.example', from]);
  expect(configProblems({ SIGNPOST_SMTP_URL: url })).toEqual([
    'SIGNPOST_MAIL_FROM must be set when SIGNPOST_SMTP_URL is, for example to "Signpost <signpost@example.org>"',
  ]);
  for (const wrong of [
    'pass-word',
    'https://me:pass-word@mail.example',
    'smtp://',
    'smtp://m/pass-word',
    'smtps://m?pass-word',
    'smtp://a:pass-word%zz@m',
  ]) {
    const problems = configProblems({ SIGNPOST_SMTP_URL: wrong, SIGNPOST_MAIL_FROM: from }).join();
    expect([wrong, problems]).toEqual([
      wrong,
      expect.stringMatching(/^SIGNPOST_SMTP_URL must be like "smtps:/u),
    ]);
    expect(problems).not.toContain('pass-word');
  }
  for (const wrong of ['Signpost', 'a@b\r\nBcc: c@d', 'Signpost <>', '"x" <a@b>'])
    expect(configProblems({ SIGNPOST_SMTP_URL: url, SIGNPOST_MAIL_FROM: wrong })).toHaveLength(1);
});
