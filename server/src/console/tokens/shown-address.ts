const MAX_CHARACTERS = 160;
/** Controls, marks that turn the direction of writing round, and halves of characters. */
const UNSEEN = /\p{C}/gu;

/** An address that somebody else chose, fit to be read: what cannot be seen made visible, and cut where it is long. */
export function shownAddress(address: string): string {
  const characters = [...address.replace(UNSEEN, '\u{FFFD}')];
  if (characters.length <= MAX_CHARACTERS) return characters.join('');
  const all = characters.length.toLocaleString('en-GB');
  return `${characters.slice(0, MAX_CHARACTERS).join('')}… (cut; it has ${all} characters)`;
}
