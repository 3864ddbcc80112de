import { createAddressPolicy } from '../capture/guard/address-policy.js';
import { createGuardedDownload } from '../capture/guard/guarded-fetch.js';
import { createHostResolvers } from '../capture/guard/host-resolver.js';
import { Rejection } from '../capture/guard/rejections.js';
import type { Clock } from '../platform/clock.js';
import { openSystemNames } from '../platform/names/name-lookups.js';
import type { ImportJob, ImportOutcome } from '../postcodes/import/directory-imports.js';
import type { Fetch } from '../postcodes/import/fetch-following.js';
import { openOutbound } from '../platform/outbound/outbound-proxy.js';
import type { OutboundSettings } from '../platform/outbound/outbound-settings.js';
import { importDirectory, type ImportProgress } from '../postcodes/import/import-directory.js';
import { importLatest } from '../postcodes/import/import-latest.js';
import { titleAndSize } from '../postcodes/import/latest-edition.js';
import { ImportError } from '../postcodes/import/import-error.js';
import type { Config } from './config.js';

/** The settings of the server that an import needs. */
export interface ImportSettings {
  readonly dataDir: string;
  readonly directorySearchUrl: string;
  /** Addresses and networks that imports from a URL may reach although not public. */
  readonly allowAddresses: readonly string[];
  readonly outbound: OutboundSettings;
}

export const importSettings = ({
  dataDir,
  directorySearchUrl,
  outbound,
  capture,
}: Config): ImportSettings => ({
  dataDir,
  directorySearchUrl,
  outbound,
  allowAddresses: capture.allowAddresses,
});

interface ImportDeps {
  readonly clock: Clock;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Makes a fetch under the rules for captures: a URL typed in the console reaches only public and allowed addresses. */
function guardedFetch(allowAddresses: readonly string[], outbound: OutboundSettings): Fetch {
  const isAllowed = createAddressPolicy(allowAddresses);
  const download = createGuardedDownload(
    createHostResolvers({ isAllowed, openLookups: openSystemNames(), outbound: openOutbound(outbound) }),
  );
  return async (url, init) => {
    try {
      return await download(url, init);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      throw new ImportError(
        `${url.host} was not found, or is not a public address. Give a public address, or name its network in SIGNPOST_ALLOW_ADDRESSES and restart the server.`,
        error,
      );
    }
  };
}

/**
 * Makes a function that fetches URLs even from addresses that are not public, through the configured proxy and with the
 * extra certificates. Not for URLs typed in the console. Returns undefined if there is neither a proxy nor
 * certificates: the plain `fetch` then does.
 */
export function operatorFetch(outbound: OutboundSettings): Fetch | undefined {
  if (outbound.proxy === undefined && outbound.extraCaFile === undefined) return undefined;
  return createGuardedDownload(
    createHostResolvers({
      isAllowed: () => true,
      openLookups: openSystemNames(),
      outbound: openOutbound(outbound),
    }),
  );
}

/** Runs an import started in the console. Expected failures are ServiceErrors that say what is wrong. */
export async function runDirectoryImport(
  { dataDir, directorySearchUrl, allowAddresses, outbound }: ImportSettings,
  { source, ...choices }: ImportJob,
  deps: ImportDeps,
): Promise<ImportOutcome> {
  const options = { dataDir, ...choices, ...deps };
  if (source.kind === 'latest') {
    let what = '';
    const latest = await importLatest({
      ...options,
      searchUrl: directorySearchUrl,
      fetch: operatorFetch(outbound),
      onFound: (found) => {
        what = `${titleAndSize(found)} (licence: ${found.licence})`;
      },
      onProgress: (progress) => {
        deps.onProgress({ ...progress, what });
      },
    });
    return { info: latest.info, report: latest.isUpToDate ? undefined : latest };
  }
  const report =
    source.kind === 'file'
      ? await importDirectory({ ...options, source: source.path, name: source.name })
      : await importDirectory({
          ...options,
          source: source.url,
          fetch: guardedFetch(allowAddresses, outbound),
        });
  return { info: report.info, report };
}
