/** A command line that looks a postcode up with this key, to be pasted as it is. */
export const lookupCommand = (publicUrl: string, key: string): string =>
  [
    'curl',
    `-H "X-Api-Key: ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '{"postcode":"SW1A 1AA"}'`,
    `${publicUrl}/api/postcode/lookup`,
  ].join(' ');
