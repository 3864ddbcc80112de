const OTHER_COUNTRY = 'Ask the postal service of that country about it.';
const TERRITORY = 'Ask the postal service of that territory about it.';
const FORCES = 'Ask the British Forces Post Office about it.';

/**
 * Patterns of codes that people confuse with UK postcodes: what each is, and who can look it up. The first match
 * counts.
 */
const FOREIGN: readonly (readonly [pattern: RegExp, what: string, otherSource: string])[] = [
  [/^(?:BFPO|B\.F\.P\.O\.?)(?![A-Z])|^BF1(?!\d)/u, 'a British Forces (BFPO) address', FORCES],
  [
    /^(?:ASCN|BBND|BIQQ|FIQQ|PCRN|SIQQ|STHL|TDCU|TKCA) ?1ZZ$/u,
    'a code of a British overseas territory',
    TERRITORY,
  ],
  [
    /^(?:GX11 ?1AA|AI-?2640|KY\d-?\d{4}|VG-?\d{4}|MSR-?\d{4})$/u,
    'a code of a British overseas territory',
    TERRITORY,
  ],
  [/^[A-Z]\d[A-Z][ -]?\d[A-Z]\d$/u, 'a Canadian postal code', OTHER_COUNTRY],
  [/^(?:[AC-FHKNPRTV-Y]\d\d|D6W)[ -]?[\dAC-FHKNPRTV-Y]{4}$/u, 'an Eircode, of Ireland', OTHER_COUNTRY],
  [/^\d{5}-\d{4}$/u, 'a ZIP code of the United States', OTHER_COUNTRY],
  [/^\d{5}$/u, 'a ZIP code of the United States, or a code of another country', OTHER_COUNTRY],
  [/^\d{4} ?[A-Z]{2}$/u, 'a Dutch postcode', OTHER_COUNTRY],
  [/^[A-Z]{1,3}[ -]\d{3,7}$/u, 'a code of another country', OTHER_COUNTRY],
  [/^\d{3,10}(?:[ -]\d{2,4})?$/u, 'a code of another country', OTHER_COUNTRY],
];

const MAX_CHARACTERS = 20;

/**
 * Says which foreign code a text looks like, such as a Canadian postal code, and who can look it up; undefined if it
 * looks like none.
 */
export function foreignCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (code.length > MAX_CHARACTERS) return undefined;
  const [, kind, otherSource] = FOREIGN.find(([pattern]) => pattern.test(code)) ?? [];
  return kind === undefined || otherSource === undefined
    ? undefined
    : `has the form of ${kind}, which the directory does not cover. ${otherSource}`;
}
