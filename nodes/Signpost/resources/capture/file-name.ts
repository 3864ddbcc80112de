import { parseUrl } from '../../../shared/parse-url';

/** Characters that some file system refuses. */
const UNWANTED = /[\\/:*?"<>|\p{Cc}]+/gu;

/**
 * The name of a captured file: what the user wants, else the web site's name, always with an extension. A user's
 * extension stays as it is.
 */
export function captureFileName(wanted: string | undefined, url: string, extension: string): string {
  const site = parseUrl(url)?.hostname ?? 'page';
  const name = (wanted ?? site).replace(UNWANTED, '-').replace(/^\.+/u, '');
  const hasExtension = wanted !== undefined && /\.[a-z0-9]{1,5}$/iu.test(name);
  return hasExtension ? name : `${name === '' ? 'page' : name}.${extension}`;
}
