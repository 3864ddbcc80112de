const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** A number of bytes as people say it: "830 bytes", "42 kB", "1.3 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return bytes >= KILOBYTE ? `${Math.round(bytes / KILOBYTE)} kB` : `${bytes} bytes`;
}
