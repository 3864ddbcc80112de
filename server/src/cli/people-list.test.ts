import { temporaryFolder, type TemporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { readPeople } from './people-list.js';

let folder: TemporaryFolder;
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(() => folder.remove());

const ada = { email: 'ada@example.org', name: 'Ada Lovelace' };

test.each([
  ['an e-mail and a name', 'ada@example.org,Ada Lovelace\n'],
  ['a name and an e-mail', 'Ada Lovelace;ada@example.org\r\n'],
  ['a mailbox', 'Ada Lovelace <ada@example.org>\n'],
  ['titles', 'E-Mail\tName\nada@example.org\tAda Lovelace\n'],
  [
    'titles of other e-mails',
    'Manager email,Name,Company name,Email\nboss@example.org,Ada Lovelace,ACME,ada@example.org\n',
  ],
  ['titles in another order', 'Name,Email address\r"Ada Lovelace" , ada@example.org\r'],
  ['first and last names', 'First name,Last name,Work e-mail,Team\nAda,Lovelace,ada@example.org,Engines\n'],
  ['an empty cell', 'Team\tFirst name\tMail\tLast name\n\tAda\tada@example.org\tLovelace\n'],
  [
    'the first line of a spreadsheet, blank lines and notes',
    'sep=;\n\n# New ones\nada@example.org;Ada Lovelace\n',
  ],
])('reads a list with %s', async (_what, text) => {
  expect(await readPeople(await folder.write('people.csv', text))).toEqual([ada]);
});

test('keeps a separator that is inside quotes, and accepts e-mails without names', async () => {
  const text = '"Lovelace, ""Ada""",ada@example.org\nalan@example.org\n';
  expect(await readPeople(await folder.write('people.csv', text))).toEqual([
    { email: 'ada@example.org', name: 'Lovelace, "Ada"' },
    { email: 'alan@example.org', name: undefined },
  ]);
});

test('in a list with titles, the whole text of a line without an e-mail is returned in its place', async () => {
  const text = 'Name;E-Mail\nAda Lovelace;ada@example.org\nAlan Turing\n';
  const [, alan] = await readPeople(await folder.write('people.csv', text));
  expect(alan?.email).toBe('Alan Turing');
});

test('reads everybody in a line that was copied from the addressees of a mail', async () => {
  const text = '"Ada Lovelace" <ada@example.org>; alan@example.org; Grace <grace@example.org>';
  expect(await readPeople(await folder.write('people.txt', text))).toEqual([
    ada,
    { email: 'alan@example.org', name: undefined },
    { email: 'grace@example.org', name: 'Grace' },
  ]);
});

test.each<[string, Buffer, string?]>([
  ['UTF-8', Buffer.from('\uFEFFjose@example.org,José Müller\n')],
  ['UTF-16', Buffer.from('\uFEFFjose@example.org,José Müller\n', 'utf16le')],
  ['Windows-1252', Buffer.from('jose@example.org,José O\x92Müller\n', 'latin1'), 'José O’Müller'],
])('reads names in a file encoded in %s', async (_encoding, bytes, name = 'José Müller') => {
  expect(await readPeople(await folder.write('people.csv', bytes))).toEqual([
    { email: 'jose@example.org', name },
  ]);
});

test.each(['', '\n\n', 'email,name\n'])('rejects the list %j, which names nobody', async (text) => {
  await expect(readPeople(await folder.write('people.csv', text))).rejects.toThrow(
    'must have an e-mail on each line',
  );
});

test('rejects a list that does not exist, and names its file', async () => {
  await expect(readPeople('/nowhere/people.csv')).rejects.toThrow(
    'The file /nowhere/people.csv cannot be read: ',
  );
});
