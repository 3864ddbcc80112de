/** A tool call, and the words that its result must contain. */
interface Step {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly says: RegExp;
  readonly isError?: true;
}

/** A question as people put it, with the calls that answer it. */
export interface Question {
  readonly question: string;
  readonly steps: readonly Step[];
}

const one = (question: string, tool: string, args: Record<string, unknown>, says: RegExp): Question => ({
  question,
  steps: [{ tool, args, says }],
});

/** Questions as people ask them. `page` is the address of a page that may be captured. */
export const questionsAbout = (page: string): readonly Question[] => [
  one('Which ward is SW1A 1AA in?', 'lookup_postcode', { postcode: 'SW1A 1AA' }, /Ward: St James's/u),
  one(
    'Who polices eh991sp?',
    'lookup_postcode',
    { postcode: 'eh991sp' },
    /EH99 1SP[\s\S]*Country: Scotland/u,
  ),
  one(
    'Where on the map is the Palace of Westminster, SW1A 0AA?',
    'lookup_postcode',
    { postcode: 'SW1A 0AA' },
    /51\.49984, -0\.12463/u,
  ),
  one('I was given W1A IAA, is that a typing slip?', 'lookup_postcode', { postcode: 'W1A IAA' }, /W1A 1AA/u),
  one(
    'Which NHS board covers WC1B 3DG?',
    'lookup_postcode',
    { postcode: 'WC1B 3DG' },
    /NHS North Central London/u,
  ),
  one(
    'Which of these exist: SW1A 1AA, ZZ1 1ZZ, EH99 1SP, nonsense?',
    'lookup_postcodes',
    { postcodes: ['SW1A 1AA', 'ZZ1 1ZZ', 'EH99 1SP', 'nonsense'] },
    /2 of 4 found[\s\S]*No such postcode: ZZ1 1ZZ\nNot a whole postcode: nonsense/u,
  ),
  one(
    'In which local authorities are these customers?',
    'lookup_postcodes',
    { postcodes: ['SW1A 1AA', 'SW7 5BD', 'WC1B 3DG'] },
    /Westminster[\s\S]*Kensington and Chelsea[\s\S]*Camden/u,
  ),
  one('Is sw1a2aa a real postcode?', 'validate_postcode', { postcode: 'sw1a2aa' }, /Yes: SW1A 2AA/u),
  one(
    'Is ZZ99 9ZZ a real postcode?',
    'validate_postcode',
    { postcode: 'ZZ99 9ZZ' },
    /^No: ZZ99 9ZZ[\s\S]*only a small sample/u,
  ),
  {
    question: 'What is within 500 m of SW1A 2AA?',
    steps: [
      {
        tool: 'find_nearest_postcodes',
        args: { postcode: 'SW1A 2AA', radiusMetres: 500 },
        says: /within 500 m of SW1A 2AA[\s\S]*0 m {2}SW1A 2AA[\s\S]*SW1A 2HQ/u,
      },
      {
        tool: 'find_nearest_postcodes',
        args: { postcode: 'SW1A 2AA', radiusMetres: 500, limit: 1, offset: 1 },
        says: /These are 2 to 2 of \d+\./u,
      },
    ],
  },
  one(
    'How far is EH99 1SP from the palace, and how far is ZZ1 1ZZ?',
    'measure_distance',
    { from: 'SW1A 1AA', to: ['EH99 1SP', 'ZZ1 1ZZ', '51.501,-0.1416'] },
    /EH99 1SP: 5\d{5}(?:\.\d)? m, bearing 3\d\d[\s\S]*ZZ1 1ZZ: no such postcode\n51\.501, -0\.1416: \d+(?:\.\d)? m/u,
  ),
  one(
    'Which postcodes are in "From sw1a-1aa to ZZ1 1ZZ"?',
    'find_postcodes_in_text',
    { text: 'From sw1a-1aa to ZZ1 1ZZ' },
    /SW1A 1AA at 5 to 13: exists\nZZ1 1ZZ at 17 to 24: does not exist/u,
  ),
  one(
    'Which postcode am I standing in, at 51.501, -0.1416?',
    'find_nearest_postcodes',
    { latitude: 51.501, longitude: -0.1416, limit: 1 },
    /SW1A 1AA/u,
  ),
  one(
    'Are there any postcodes near 60.0, -20.0?',
    'find_nearest_postcodes',
    { latitude: 60, longitude: -20, radiusMetres: 20_000 },
    /No active postcode/u,
  ),
  {
    question: 'Which postcodes begin with SW1A?',
    steps: [
      {
        tool: 'lookup_postcode',
        args: { postcode: 'sw1a' },
        says: /SW1A is an outcode[\s\S]*get_outcode with \{"outcode": "SW1A"\}[\s\S]*autocomplete_postcode/u,
        isError: true,
      },
      { tool: 'autocomplete_postcode', args: { partial: 'SW1A' }, says: /SW1A 0AA, SW1A 1AA/u },
    ],
  },
  {
    question: 'What is in sector M1 1?',
    steps: [
      {
        tool: 'get_outcode',
        args: { outcode: 'M1 1' },
        says: /"M1 1" is a sector of M1\./u,
        isError: true,
      },
      {
        tool: 'lookup_postcode',
        args: { postcode: 'm1-1' },
        says: /"m1-1" is a sector of M1\.[\s\S]*ask autocomplete_postcode with \{"partial": "M1 1"\}/u,
        isError: true,
      },
      { tool: 'autocomplete_postcode', args: { partial: 'M1 1' }, says: /M1 1AD, M1 1AE/u },
    ],
  },
  one('Finish this for me: eh99', 'autocomplete_postcode', { partial: 'eh99' }, /EH99 1SP/u),
  one(
    'Roughly where is M1, and whose is it?',
    'get_outcode',
    { outcode: 'm1' },
    /^M1: 2 active postcodes[\s\S]*Middle: 53\.\d+, -2\.\d+[\s\S]*Local authorities: Manchester/u,
  ),
  {
    question: 'Which postcodes are in Westminster?',
    steps: [
      {
        tool: 'list_area_postcodes',
        args: { kind: 'localAuthority', name: 'westminster', limit: 2 },
        says: /^localAuthority Westminster.* has \d+ active postcodes\. 1 to 2: \S+ \S+, \S+ \S+\. .* offset 2/u,
      },
      {
        tool: 'list_area_postcodes',
        args: { kind: 'localAuthority', name: 'westminster', offset: 5_000 },
        says: /None come after offset 5000\./u,
      },
      {
        tool: 'list_area_postcodes',
        args: { name: 'westminster' },
        says: /kind: must say what "name" is/u,
        isError: true,
      },
    ],
  },
  {
    question: 'Look up SW1A 1ZZ, or something like it.',
    steps: [
      {
        tool: 'lookup_postcode',
        args: { postcode: 'SW1A 1ZZ' },
        says: /ask autocomplete_postcode with \{"partial": "SW1A 1"\}/u,
        isError: true,
      },
      { tool: 'autocomplete_postcode', args: { partial: 'SW1A 1' }, says: /SW1A 1AA/u },
    ],
  },
  one(
    'Show me this page at phone width.',
    'capture_screenshot',
    { url: page, width: 390, height: 844 },
    /390 × 844 pixels[\s\S]*The page: ".+", at "http:\/\/127\.0\.0\.1:\d+\/", answered 200/u,
  ),
  one('Show me the whole page.', 'capture_screenshot', { url: page, fullPage: true }, /1280 × \d+ pixels/u),
  one(
    'Picture it as a small JPEG.',
    'capture_screenshot',
    { url: page, format: 'jpeg', width: 320, height: 200 },
    /image\/jpeg, 320 × 200/u,
  ),
  one(
    'Save this page as an A5 PDF on its side.',
    'capture_pdf',
    { url: page, format: 'A5', landscape: true },
    /PDF of .*: 1 page, /u,
  ),
  one(
    'What does this page say?',
    'read_page',
    { url: page },
    /^The page: ".+", at "http:\/\/127\.0\.0\.1:\d+\/", answered 200\.[\s\S]*All of its \d+ characters:\n.+\npage text [\da-f]{12}\n\w+/u,
  ),
  one('How much have I used this today?', 'get_usage', {}, /Requests: \d+ in all, \d+ today/u),
];
