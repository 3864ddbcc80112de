import { parseUrl } from '@signpost/contract';

const MOST_CHARACTERS = 80;

/** A name for the file that was made of a page: its host, in characters that every system takes. */
export function fileName(url: string, extension: string): string {
  const host = parseUrl(url)?.hostname ?? '';
  const name = host
    .replaceAll(/[^\w.-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/gu, '')
    .slice(0, MOST_CHARACTERS);
  return `${name === '' ? 'page' : name}.${extension}`;
}
