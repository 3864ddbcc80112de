const ACRONYMS = /\b(css|gss|html|icb|id|itl|json|lsoa|msoa|pdf|url)(s?)\b/giu;
const UNITS = / (characters|degrees|metres|ms|pixels|seconds)$/u;

/** A name of the interface as people read it: "radiusMetres" is "Radius (metres)". */
export function labelOf(name: string): string {
  const words = name.replace(/[A-Z]|\d+/gu, (part) => ` ${part.toLowerCase()}`).trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
    .replace(ACRONYMS, (_, acronym: string, plural: string) => `${acronym.toUpperCase()}${plural}`)
    .replace('Java script', 'JavaScript')
    .replace(UNITS, (_, unit: string) => ` (${unit === 'ms' ? 'milliseconds' : unit})`);
}
