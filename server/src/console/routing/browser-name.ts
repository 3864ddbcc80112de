import bowser from 'bowser';

/** Browsers send about two hundred; reading more would be work for nothing. */
const MAX_READ_CHARACTERS = 500;
const MAX_CHARACTERS = 100;
const UNKNOWN = 'An unknown browser';

/** The browser and its system in words, as "Firefox on Linux", by what it says of itself. */
export function describeBrowser(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return UNKNOWN;
  const { browser, os } = bowser.parse(userAgent.slice(0, MAX_READ_CHARACTERS));
  const name = browser.name ?? '';
  if (name === '') return UNKNOWN;
  return (os.name === undefined ? name : `${name} on ${os.name}`).slice(0, MAX_CHARACTERS);
}
