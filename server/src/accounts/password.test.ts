import argon2 from '@node-rs/argon2';
import { systemRandomBytes } from '../platform/random.js';
import { checkPassword, checkPasswordLength, generatePassword, PasswordHasher } from './password.js';

const hasher = new PasswordHasher();

test('hashes a password with argon2id, 19 MiB of memory, two passes and a new random salt', async () => {
  const hashes = await Promise.all([1, 2].map(() => hasher.hash('correct horse battery', systemRandomBytes)));
  for (const hash of hashes) {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/u);
    expect(await argon2.verify(hash, 'correct horse battery')).toBe(true);
    expect(await argon2.verify(hash, 'correct horse batterz')).toBe(false);
  }
  expect(hashes[0]).not.toBe(hashes[1]);
});

test('verifying a password for an account that does not exist does the same argon2id work, and returns false', async () => {
  const verified = jest.spyOn(argon2, 'verify');
  expect(await hasher.verify('correct horse battery', undefined)).toBe(false);
  expect(verified.mock.calls).toEqual([
    [expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u), 'correct horse battery'],
  ]);
});

test('accepts the same password typed on two keyboards that encode its letters differently', async () => {
  const hash = await hasher.hash('cafe\u0301 cafe\u0301 cafe', systemRandomBytes);
  expect(await hasher.verify('café café cafe', hash)).toBe(true);
});

test('accepts passwords of 12 to 200 characters, and counts an emoji as one character', () => {
  for (const password of ['x'.repeat(12), 'x'.repeat(200), '🦊'.repeat(200)]) {
    expect(() => checkPasswordLength(password)).not.toThrow();
  }
  expect(() => checkPasswordLength('🦊'.repeat(11))).toThrow(
    'The password has 11 characters. Choose one of 12 to 200',
  );
  expect(() => checkPasswordLength('x'.repeat(201))).toThrow('The password has 201 characters.');
});

test('the rejection of a password that is too short does not repeat it', () => {
  expect(() => checkPasswordLength('hunter2')).toThrow(/^(?!.*hunter2)/u);
});

const ada = { email: 'ada@example.org', name: 'Ada Lovelace' };

test.each([
  ['password1234', 'is one of the most common passwords, or close to one'],
  ['P@ssw0rd1234', 'is one of the most common passwords, or close to one'],
  ['1qaz2wsx3edc', 'is one of the most common passwords, or close to one'],
  ['letmeinletmein', 'repeats itself, or follows a sequence'],
  ['aaaaaaaaaaaaaaaa', 'repeats itself, or follows a sequence'],
  ['abcdefghijklm', 'repeats itself, or follows a sequence'],
  ['ada@example.org', "is made of the account's e-mail address or name"],
  ['ADA@EXAMPLE.ORG1', "is made of the account's e-mail address or name"],
  ['Ada Lovelace', "is made of the account's e-mail address or name"],
  ['adalovelace1', "is made of the account's e-mail address or name"],
])('rejects the password "%s", as it %s', async (password, why) => {
  await expect(checkPassword(password, ada)).rejects.toMatchObject({
    kind: 'invalidRequest',
    message: `The password is easily guessed: it ${why}. Choose another, such as four or more unrelated words.`,
  });
});

test.each([
  'correct horse battery staple',
  'a long enough password',
  'xkqz-2p9d-mmw4',
  '🦊🐢 🐬🦉🐝 🐧🦔🐙🐘 🦀',
])('accepts the password "%s"', async (password) => {
  await expect(checkPassword(password, ada)).resolves.toBeUndefined();
});

test('rejects each of the ten thousand most common passwords, however long it is', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const commonest = dictionary['passwords-common'].slice(0, 10_000);
  expect(commonest).toHaveLength(10_000);
  expect(commonest.some((password) => password.length >= 12)).toBe(true);
  for (const password of commonest)
    await expect(checkPassword(password, ada)).rejects.toThrow(
      password.length < 12 ? 'Choose one of 12 to 200' : 'easily guessed',
    );
});

test('a generated password has only easily read characters and a valid length', () => {
  const password = generatePassword(systemRandomBytes);
  expect(password).toMatch(/^(?:[2-9a-hjkmnp-z]{4}-){4}[2-9a-hjkmnp-z]{4}$/u);
  expect(() => checkPasswordLength(password)).not.toThrow();
  expect(generatePassword(systemRandomBytes)).not.toBe(password);
});

/** `start` queues work for an address, as many times as given. The work waits until `end` is called. */
function heldWork(queue: PasswordHasher) {
  const started: string[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const start = (address: string, times = 1) =>
    Array.from({ length: times }, () =>
      queue.run(address, () => {
        started.push(address);
        return ended;
      }),
    );
  return { start, started, end: () => end() };
}

const overloaded = (words: string) => ({
  kind: 'overloaded',
  message: expect.stringContaining(words),
  retryAfterSeconds: 5,
});

test('hashes two passwords at a time, lets a hundred from one address wait, and rejects the next as overloaded', async () => {
  const queue = new PasswordHasher();
  const { start, started, end } = heldWork(queue);
  const works = start('192.0.2.7', 102);
  await Promise.resolve();
  expect(started).toHaveLength(2);
  await expect(start('192.0.2.7')[0]).rejects.toMatchObject(overloaded('from your network address'));
  expect(queue.rejected).toEqual({ address: 1, queue: 0 });
  end();
  await Promise.all(works);
  expect(started).toHaveLength(102);
});

test('addresses take turns to hash, however many passwords from one address wait', async () => {
  const { start, started, end } = heldWork(new PasswordHasher());
  const works = [...start('192.0.2.7', 50), ...start('198.51.100.1'), ...start('this machine')];
  end();
  await Promise.all(works);
  expect(started.slice(2, 6)).toEqual(['192.0.2.7', '198.51.100.1', 'this machine', '192.0.2.7']);
});

test('when other addresses have filled the whole queue, a password from an address with none waiting still enters it', async () => {
  const queue = new PasswordHasher();
  const { start, started, end } = heldWork(queue);
  const floods = [1, 2, 3, 4, 5].flatMap((host) => start(`203.0.113.${host}`, host === 1 ? 102 : 100));
  const outcomes = Promise.allSettled(floods);
  const neighbour = start('192.0.2.7');
  end();
  await Promise.all(neighbour);
  expect(started).toContain('192.0.2.7');
  const rejected = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(rejected).toEqual([
    { status: 'rejected', reason: expect.objectContaining(overloaded('Too many people are signing in')) },
  ]);
  expect(queue.rejected).toEqual({ address: 0, queue: 1 });
});
