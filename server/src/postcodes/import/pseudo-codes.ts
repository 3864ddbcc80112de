import type { DetailField } from '../table/detail-columns.js';
import type { NameColumn } from '../table/directory-data.js';

/** Codes that mean "none" in any column: Z, Z99, 99ZZ00, 99ZZ99Z9, 9Z9 and the like. */
const NONE = /^(?:Z9*|99ZZ(?:\d\d)?(?:Z\d)?|99ZZ\d{4}|9Z9)$/u;
/** Names of codes that mean "none". */
const NAME_OF_NONE = /\(pseudo\)|\bpseudo\b|non-national park|unparished|non-built-up/iu;
/** Codes that mean "none" in one column. */
const NONE_IN_COLUMN: Readonly<Partial<Record<NameColumn | DetailField, RegExp>>> = {
  // Only England has regions.
  region: /^[WSNLM]\d{8}$/u,
  localAuthority: /^[LM]\d{8}$/u,
  civilParish: /^E43\d{6}$/u,
  nationalPark: /^(?:E65000001|W31000001)$/u,
  builtUpArea: /^(?:E63|W45|K08|E34|W37|K05)9+$/u,
};

/** Whether a code, or its name if it is known, means that there is no area. */
export const isPseudoArea = (column: NameColumn | DetailField, code: string, name?: string): boolean =>
  NONE.test(code) ||
  NONE_IN_COLUMN[column]?.test(code) === true ||
  (name !== undefined && NAME_OF_NONE.test(name));
