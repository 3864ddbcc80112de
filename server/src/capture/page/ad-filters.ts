import { readFile } from 'node:fs/promises';
import type { FiltersEngine, Request } from '@ghostery/adblocker';
import { reasonOf, ServiceError } from '../../platform/errors.js';
import { loadOnce } from '../../platform/load-once.js';
import { OWN_BLOCK_LIST } from './own-block-list.js';

/** Recognises requests for advertisements and visitor tracking, and has the styles that hide advertisements. */
export interface AdFilters {
  /** Whether a request of a page is for an advertisement or for visitor tracking. */
  readonly isAd: (url: string, type: Request['type'], pageUrl: string) => boolean;
  /** The styles that hide advertisements in a page with these features. */
  readonly hidingStyles: (pageUrl: string, features: PageFeatures) => string;
}

/** The ids, classes and links that a page contains. */
export interface PageFeatures {
  readonly ids: string[];
  readonly classes: string[];
  readonly hrefs: string[];
}

const unreadable = (path: string, error: unknown) =>
  new ServiceError(
    'internal',
    `SIGNPOST_BLOCK_LISTS names a file that cannot be read: ${path} (${reasonOf(error)}). Correct the variable, or leave it out.`,
    { cause: error },
  );

const readLists = (paths: readonly string[]) =>
  Promise.all(
    paths.map((path) =>
      readFile(path, 'utf8').catch((error: unknown) => {
        throw unreadable(path, error);
      }),
    ),
  );

async function load(paths: readonly string[]): Promise<AdFilters> {
  const [lists, { FiltersEngine, Request }] = await Promise.all([
    readLists(paths),
    import('@ghostery/adblocker'),
  ]);
  const engine: FiltersEngine = FiltersEngine.parse([OWN_BLOCK_LIST, ...lists].join('\n'));
  return {
    isAd: (url, type, sourceUrl) => engine.match(Request.fromRawDetails({ url, type, sourceUrl })).match,
    hidingStyles: (url, features) => {
      const { hostname, domain } = Request.fromRawDetails({ url, type: 'document' });
      const wanted = { url, hostname, domain, ...features };
      return engine.getCosmeticsFilters({ ...wanted, getInjectionRules: false, getExtendedRules: false })
        .styles;
    },
  };
}

/**
 * Returns a function that loads the filters of the built-in list and of these files. Throws a ServiceError if a file
 * cannot be read now. The files are read again and parsed only when the returned function is first called, because
 * parsing long ones takes seconds and hundreds of megabytes.
 */
export async function createAdFilters(paths: readonly string[]): Promise<() => Promise<AdFilters>> {
  await readLists(paths);
  return loadOnce(() => load(paths));
}
