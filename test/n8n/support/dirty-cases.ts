/** The kind of an item's value. An expression that throws has no value. */
export const DIRT = ['clean', 'dirty', 'blank', 'malformed', 'unknown', 'throws'] as const;
export type Dirt = (typeof DIRT)[number];

/** An operation, the value of an item for each kind of dirt, and the expected results. */
export interface DirtyCase {
  readonly node: 'signpost' | 'referral';
  readonly resource: string;
  readonly operation: string;
  readonly values: Readonly<Record<Exclude<Dirt, 'throws'>, string>>;
  /** The parameters of the node. One of them contains `value`, the expression for the value of an item. */
  readonly parameters: (value: string) => object;
  readonly fails: readonly Dirt[];
  /** The results for a clean and a dirty value. */
  readonly found: object;
  /** Where the result is: in one field beside the item's fields, among the item's fields, or without them. */
  readonly place: 'field' | 'among' | 'alone';
}

const IN_FIELD = { resultField: 'result' };
const PALACE = { postcode: 'SW1A 1AA' };
const CLEAN = 'SW1A 1AA';
const POSTCODES = {
  clean: CLEAN,
  dirty: ' sw1a-1aa.\u200b ',
  blank: '  ',
  malformed: 'nonsense',
  unknown: 'ZZ1 1ZZ',
};
const ALL_BAD: readonly Dirt[] = ['blank', 'malformed', 'unknown', 'throws'];
const BLANK: readonly Dirt[] = ['blank', 'throws'];

type Sketch = Pick<DirtyCase, 'operation' | 'parameters' | 'fails' | 'found'> & Partial<DirtyCase>;

const postcode = (sketch: Sketch): DirtyCase => ({
  node: 'signpost',
  resource: 'postcode',
  values: POSTCODES,
  place: 'field',
  ...sketch,
});

const capture = (
  pageUrl: string,
  sketch: Pick<DirtyCase, 'operation' | 'found'> & Partial<DirtyCase>,
): DirtyCase => ({
  node: 'signpost',
  resource: 'capture',
  values: {
    clean: pageUrl,
    dirty: ` ${pageUrl}?a=b c&d="é" `,
    blank: '',
    malformed: 'no address',
    unknown: 'http://127.0.0.1:1/',
  },
  parameters: (url) => ({ url, options: { width: 64, height: 48 } }),
  fails: ALL_BAD,
  place: 'among',
  ...sketch,
});

/** Values of the option Maximum Wait, for operations that have no other parameter that can be dirty. */
const withoutValue = { blank: '9', clean: '9', dirty: ' 9 ', malformed: 'x', unknown: '-1' };
const waiting = (maximumWait: string) => ({ options: { maximumWait } });

/** Returns a case for each tested operation. The test prints the operations that have none. */
export const dirtyCases = (pageUrl: string): readonly DirtyCase[] => [
  capture(pageUrl, { operation: 'screenshot', found: { mimeType: 'image/png' } }),
  capture(pageUrl, {
    operation: 'pdf',
    found: { mimeType: 'application/pdf' },
    parameters: (url) => ({ url }),
  }),
  capture(pageUrl, {
    operation: 'readPage',
    found: { content: expect.stringContaining('Hello') },
    place: 'field',
    parameters: (url) => ({ url, mainContentOnly: false, options: IN_FIELD }),
  }),
  capture(pageUrl, {
    operation: 'makeALink',
    found: { url: expect.stringContaining('/c/'), expiresAt: expect.any(String) },
    place: 'field',
    // Making a link does not open its page, so a page that does not exist is no failure.
    fails: ['blank', 'malformed', 'throws'],
    parameters: (url) => ({ linkedCapture: 'captureScreenshot', url, options: IN_FIELD }),
  }),
  postcode({
    operation: 'lookUp',
    parameters: (value) => ({ postcode: value, options: IN_FIELD }),
    fails: ALL_BAD,
    found: PALACE,
  }),
  postcode({
    operation: 'lookUpMany',
    parameters: (value) => ({ postcodeOfItem: value, options: IN_FIELD }),
    fails: ['throws'],
    found: { ...PALACE, found: true },
  }),
  postcode({
    operation: 'validate',
    values: { ...POSTCODES, dirty: ' sw1a1aa ' },
    parameters: (value) => ({ postcode: value, options: IN_FIELD }),
    fails: BLANK,
    found: { ...PALACE, isValid: true },
  }),
  postcode({
    operation: 'findNearest',
    parameters: (value) => ({
      startFrom: 'postcode',
      postcode: value,
      oneItemPerResult: false,
      options: IN_FIELD,
    }),
    fails: ALL_BAD,
    found: { results: expect.arrayContaining([expect.objectContaining(PALACE)]) },
  }),
  postcode({
    operation: 'autocomplete',
    values: { clean: 'SW1A 1', dirty: ' sw1a1 ', blank: '', malformed: 'x', unknown: 'ZZ9' },
    parameters: (partial) => ({ partial, oneItemPerResult: false, options: IN_FIELD }),
    fails: ['blank', 'malformed', 'throws'],
    found: { postcodes: expect.arrayContaining([CLEAN]) },
  }),
  postcode({
    operation: 'getOutcode',
    values: { clean: 'SW1A', dirty: ' sw1a. ', blank: '', malformed: 'nonsense', unknown: 'ZZ9' },
    parameters: (outcode) => ({ outcode, options: IN_FIELD }),
    fails: ALL_BAD,
    found: { outcode: 'SW1A', countries: ['England'] },
  }),
  postcode({
    operation: 'listArea',
    values: { clean: 'Westminster', dirty: ' westminster ', blank: '', malformed: '%', unknown: 'Atlantis' },
    parameters: (areaName) => ({
      findBy: 'name',
      kind: 'localAuthority',
      areaName,
      returnAll: true,
      oneItemPerResult: false,
      options: IN_FIELD,
    }),
    fails: ALL_BAD,
    found: {
      area: expect.objectContaining({ name: 'Westminster' }),
      postcodes: expect.arrayContaining([CLEAN]),
    },
  }),
  postcode({
    operation: 'measureDistance',
    parameters: (from) => ({ from, to: ['EH99 1SP', 'nowhere'], options: IN_FIELD }),
    fails: ALL_BAD,
    found: { results: [expect.objectContaining({ metres: expect.any(Number) }), null] },
  }),
  postcode({
    operation: 'reverseGeocode',
    values: { clean: '51.501', dirty: ' 51.501 ', blank: '', malformed: 'north', unknown: '0' },
    parameters: (latitude) => ({ points: { values: [{ latitude, longitude: -0.1416 }] }, options: IN_FIELD }),
    fails: ['blank', 'malformed', 'throws'],
    found: { results: [expect.objectContaining(PALACE)] },
  }),
  postcode({
    operation: 'findInText',
    values: {
      clean: `At ${CLEAN}.`,
      dirty: '\tsw1a-1aa,\n',
      blank: '',
      malformed: 'nonsense',
      unknown: 'ZZ1 1ZZ',
    },
    parameters: (text) => ({ text, options: IN_FIELD }),
    fails: ['throws'],
    found: { results: [expect.objectContaining({ ...PALACE, isValid: true })] },
  }),
  postcode({
    operation: 'getDirectory',
    values: withoutValue,
    parameters: (maximumWait) => ({ options: { ...IN_FIELD, maximumWait } }),
    fails: ['throws'],
    found: { isSample: true },
  }),
  {
    node: 'signpost',
    resource: 'usage',
    operation: 'get',
    values: withoutValue,
    parameters: waiting,
    fails: ['throws'],
    found: { totalRequests: expect.any(Number) },
    place: 'alone',
  },
  {
    node: 'referral',
    resource: 'token',
    operation: 'getStatus',
    values: withoutValue,
    parameters: waiting,
    fails: ['throws'],
    found: { result: 'success' },
    place: 'alone',
  },
  {
    node: 'referral',
    resource: 'token',
    operation: 'refresh',
    values: withoutValue,
    parameters: waiting,
    // One refresh serves all items, with the options of the first item.
    fails: [],
    found: { result: 'success' },
    place: 'alone',
  },
  {
    node: 'referral',
    resource: 'call',
    operation: 'send',
    values: {
      clean: '/api/token/status',
      dirty: ' api/token/status ',
      blank: '/healthz',
      malformed: 'http://127.0.0.1:1/elsewhere',
      unknown: '/nothing/of/that/name',
    },
    parameters: (path) => ({ method: 'GET', path }),
    fails: ['malformed', 'unknown', 'throws'],
    found: { result: 'success' },
    place: 'alone',
  },
];
