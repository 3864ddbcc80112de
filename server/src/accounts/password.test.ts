import { verify } from '@node-rs/argon2';
import { systemRandomBytes } from '../platform/random.js';
import { checkPassword, createPasswordSemaphore, generatePassword, hashPassword } from './password.js';

const deps = { randomBytes: systemRandomBytes, passwordSemaphore: createPasswordSemaphore() };

test('a password is stored as argon2id with 19 MiB and two passes, salted anew each time', async () => {
  const hashes = await Promise.all([1, 2].map(() => hashPassword('correct horse battery', deps)));
  for (const hash of hashes) {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/u);
    expect(await verify(hash, 'correct horse battery')).toBe(true);
    expect(await verify(hash, 'correct horse batterz')).toBe(false);
  }
  expect(hashes[0]).not.toBe(hashes[1]);
});

test('the same letters from two keyboards are the same password', async () => {
  const hash = await hashPassword('cafe\u0301 cafe\u0301 cafe', deps);
  expect(await verify(hash, 'café café cafe')).toBe(true);
});

test('12 to 200 characters are taken, counted as people count them', () => {
  for (const password of ['x'.repeat(12), 'x'.repeat(200), '🦊'.repeat(200)]) {
    expect(() => checkPassword(password)).not.toThrow();
  }
  expect(() => checkPassword('🦊'.repeat(11))).toThrow(
    'The password has 11 characters. Choose one of 12 to 200',
  );
  expect(() => checkPassword('x'.repeat(201))).toThrow('The password has 201 characters.');
});

test('the refusal of a password does not repeat it', () => {
  expect(() => checkPassword('hunter2')).toThrow(/^(?!.*hunter2)/u);
});

test('a made password can be typed from paper and keeps the rules', () => {
  const password = generatePassword(systemRandomBytes);
  expect(password).toMatch(/^(?:[2-9a-hjkmnp-z]{4}-){4}[2-9a-hjkmnp-z]{4}$/u);
  expect(() => checkPassword(password)).not.toThrow();
  expect(generatePassword(systemRandomBytes)).not.toBe(password);
});

test('two are hashed at a time and a hundred wait; the next is refused at once, and told when to come back', async () => {
  const semaphore = createPasswordSemaphore();
  let started = 0;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = () => {
    started += 1;
    return ended;
  };
  const works = Array.from({ length: 102 }, () => semaphore.run(work));
  await Promise.resolve();
  expect(started).toBe(2);
  await expect(semaphore.run(work)).rejects.toMatchObject({ kind: 'overloaded', retryAfterSeconds: 5 });
  end();
  await Promise.all(works);
  expect(started).toBe(102);
});
