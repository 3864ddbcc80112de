import { z } from 'zod';
import { quoted, quotedUrl } from './foreign-text.js';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The source of the capture, for messages: the address that the caller sent, in quotation marks and without a password,
 * or "the HTML".
 */
export const describeSource = ({ url }: { readonly url?: string | undefined }): string =>
  url === undefined ? 'the HTML' : quotedUrl(url);

interface PageHeaders {
  readonly 'X-Page-Status': number;
  readonly 'X-Page-Url': string;
  readonly 'X-Page-Title': string;
  readonly 'X-Page-Rest'?: string;
}

const REST: ReadonlyMap<string | undefined, string> = new Map([
  ['bounded', ' It was still changing when it was captured, or too long to scroll to its end.'],
  ['skipped', ' It was captured before it had settled, because it took too long.'],
]);

/**
 * Says, from the header X-Page-Rest, that the page had not settled or was too long to be scrolled to its end; empty if
 * it had settled or that is not known.
 */
export const describeRest = (rest: string | undefined): string => REST.get(rest) ?? '';

/** The captured page's final address, title and status, for a model that cannot see them. */
export function describePage(headers: PageHeaders): string {
  const title = decoded(headers['X-Page-Title']);
  const url = headers['X-Page-Url'];
  return `The page: ${title === '' ? 'without a title' : quoted(title)}${url === '' ? '' : `, at ${quotedUrl(url)}`}, answered ${headers['X-Page-Status']}.${describeRest(headers['X-Page-Rest'])}`;
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** A file size in bytes, from 1,000 bytes in kB and from 1,000,000 in MB, such as "42 kB" or "1.3 MB". */
export function formatFileSize(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return bytes >= KILOBYTE ? `${Math.round(bytes / KILOBYTE)} kB` : `${bytes} bytes`;
}

/** The argument for the path of a file, for tools that can save one. */
export const outputFileArgument = (example: string) =>
  z
    .string()
    .min(1)
    .optional()
    .describe(`Name for the saved file, such as "${example}", below the output folder; never overwrites.`);

const REPORT_EVERY_MS = 5_000;

/**
 * Runs `work` and returns its result. Reports progress at once and then every five seconds, so that callers with an
 * idle timeout keep waiting.
 */
export async function withProgress<Result>(
  report: (message: string) => void,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  report(what);
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += REPORT_EVERY_MS / 1000;
    report(`${what}: ${seconds} s so far`);
  }, REPORT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
