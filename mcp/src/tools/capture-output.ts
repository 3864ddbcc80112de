import { z } from 'zod';

const MAX_URL_CHARACTERS = 300;

/** A page's address as words repeat it. */
export const formatUrl = (url: string): string =>
  url.length > MAX_URL_CHARACTERS ? `${url.slice(0, MAX_URL_CHARACTERS)}…` : url;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface PageHeaders {
  readonly 'X-Page-Status': number;
  readonly 'X-Page-Url': string;
  readonly 'X-Page-Title': string;
}

/** What a captured page was in the end, for a model that did not see where it led. */
export function describePage(headers: PageHeaders): string {
  const title = decoded(headers['X-Page-Title']);
  return `The page: ${title === '' ? 'without a title' : JSON.stringify(title)}, at ${formatUrl(headers['X-Page-Url'])}, answered ${headers['X-Page-Status']}.`;
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** A number of bytes as people say it: "830 bytes", "42 kB", "1.3 MB". */
export function formatFileSize(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return bytes >= KILOBYTE ? `${Math.round(bytes / KILOBYTE)} kB` : `${bytes} bytes`;
}

/** Where the captured file goes, for tools that can write one. */
export const outputFileArgument = (example: string) =>
  z
    .string()
    .min(1)
    .optional()
    .describe(`Name for the saved file, such as "${example}", below the output folder; never overwrites.`);

const REPORT_EVERY_MS = 5_000;

/** Does slow work and reports while it lasts, so that a caller who counts the time from the last word goes on waiting. */
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
