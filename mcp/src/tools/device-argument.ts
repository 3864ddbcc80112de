import { deviceName } from '@signpost/contract';
import { z } from 'zod';

const DEVICES: readonly string[] = deviceName.options;

/** The device for each kind of device that people name; undefined for the usual window. */
const BY_KIND: Readonly<Record<string, string | undefined>> = {
  mobile: 'iPhone 15',
  phone: 'iPhone 15',
  smartphone: 'iPhone 15',
  iphone: 'iPhone 15',
  android: 'Pixel 10',
  tablet: 'iPad (gen 11)',
  ipad: 'iPad (gen 11)',
  desktop: undefined,
  laptop: undefined,
};

const BRANDS = /\b(?:apple|samsung|google|motorola|generation|gen|the|an?)\b/gu;

/**
 * A name reduced for comparison: in lower case, and without brands, articles, "generation", and all signs but "+",
 * because people add or leave these out.
 */
const bareOf = (name: string) =>
  name
    .toLowerCase()
    .replace(BRANDS, '')
    .replace(/[^\p{L}\d+]+/gu, '');

const BY_BARE_NAME = new Map(DEVICES.map((name) => [bareOf(name), name]));

/**
 * The devices whose names begin with `name`, the shortest first; then those whose names are the beginning of `name`,
 * the longest first. Compares names as `bareOf` returns them.
 */
function similar(name: string): string[] {
  const bare = bareOf(name);
  if (bare === '') return [];
  const longer = DEVICES.filter((device) => bareOf(device).startsWith(bare));
  const shorter = DEVICES.filter((device) => bare.startsWith(bareOf(device)));
  return [
    ...longer.toSorted((one, other) => one.length - other.length),
    ...shorter.toSorted((one, other) => other.length - one.length),
  ];
}

const EXAMPLES = ['iPhone 15', 'Pixel 10', 'Galaxy S24', 'iPad (gen 11)'];

/**
 * Parses a device by its name as people write it, such as "Samsung Galaxy S24", or by its kind, such as "mobile";
 * undefined for "desktop" and "laptop". If the name is unknown, takes the first device that `similar` returns, and
 * rejects the name if `similar` returns nothing.
 */
export const deviceArgument = z
  .string()
  .transform((name, context): string | undefined => {
    const bare = bareOf(name);
    if (Object.hasOwn(BY_KIND, bare)) return BY_KIND[bare];
    const device = BY_BARE_NAME.get(bare) ?? similar(name)[0];
    if (device === undefined)
      context.addIssue({
        code: 'custom',
        message: `is no device that is known here. Call again with one such as ${EXAMPLES.join(', ')}, or with "mobile" or "tablet"`,
      });
    return device;
  })
  .optional()
  .describe('Show it on a phone or tablet, such as "iPhone 15", "mobile" or "tablet".');
