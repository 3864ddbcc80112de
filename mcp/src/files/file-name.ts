import { parseUrl } from '@signpost/contract';

const MOST_HOST_CHARACTERS = 80;

/** A file's name from the page's host and the time, without its ending: "example.com-20260102-030405". */
export function fileNameOf(pageUrl: string, now: Date): string {
  const host = parseUrl(pageUrl)?.hostname ?? '';
  const safeHost = host
    .replace(/[^a-z\d.-]/giu, '')
    .replace(/^[.-]+/u, '')
    .slice(0, MOST_HOST_CHARACTERS);
  const [date = '', time = ''] = now.toISOString().slice(0, 19).replace(/[-:]/gu, '').split('T');
  return `${safeHost || 'page'}-${date}-${time}`;
}
