import { readConfig } from './config.js';
import { collectFindings } from './findings.js';

const gone = () => Promise.reject(new Error('The file is gone.'));

test('if a check of the doctor throws an error, it is reported, and the other checks go on', async () => {
  const findings = await collectFindings(readConfig({ SIGNPOST_DATA_DIR: '/nowhere' }), {
    nowMs: 0,
    database: gone,
    directory: gone,
    captures: gone,
    network: gone,
    isSignUpOpen: () => undefined,
    mail: gone,
  });
  const failing = findings.filter(({ message }) => message === 'The file is gone.');
  expect(failing.map(({ name, state }) => [name, state])).toEqual(
    ['Database and secret', 'Postcode directory', 'Network', 'Browser', 'Mail'].map((name) => [
      name,
      'does not work',
    ]),
  );
  expect(findings.map(({ name }) => name)).toEqual(expect.arrayContaining(['Node.js', 'Disk', 'Sign-up']));
});
