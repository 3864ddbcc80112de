import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestHelper } from 'n8n-workflow';
import { wholeAddress } from '../../nodes/shared/service';
import { ignoresSsl } from '../../nodes/shared/ssl-issues';
import { cleanKey, property, textOf } from '../../nodes/shared/values';

/**
 * A token that expires within this time is renewed before a request, unless it is the owner's last token and this
 * process received it less than FRESH_MS ago.
 */
const RENEW_BEFORE_END_MS = 60_000;
/** A token that this process received less than this time ago counts as fresh. */
const FRESH_MS = 60_000;
/** Clocks that differ by less than this count as equal. */
const SAME_TIME_MS = 5_000;
const TIMEOUT_MS = 30_000;

const text = (value: unknown): string => textOf(value) ?? '';

/** The Base URL and the refresh token without what people often paste with them, such as spaces. */
const enteredCredential = (credentials: ICredentialDataDecryptedObject) => ({
  baseUrl: wholeAddress(credentials.baseUrl) ?? text(credentials.baseUrl),
  refreshToken: cleanKey(credentials.refreshToken),
});

/** Identifies the server and the account of an access token, by the Base URL and the refresh token. */
const ownerOf = (credentials: ICredentialDataDecryptedObject): string => {
  const { baseUrl, refreshToken } = enteredCredential(credentials);
  return `${baseUrl} ${refreshToken}`;
};

interface IssuedToken extends IDataObject {
  readonly accessToken: string;
  /** When the token expires, by this machine's clock. */
  readonly validTo: string;
  readonly tokenOwner: string;
}

/** By owner: the refresh in progress. */
const refreshes = new Map<string, Promise<IssuedToken>>();
/**
 * By owner: the last token that this process received. `number` is its place among all tokens that this process has
 * received, from 1.
 */
const latestTokens = new Map<
  string,
  { readonly issued: IssuedToken; readonly atMs: number; readonly number: number }
>();
let issuedTokens = 0;

/** By owner: the lowest number of a token that satisfies all demands for a new one. */
const neededNumbers = new Map<string, number>();
/** By the request that demanded a new token: the number of the owner's last token at the time of the demand. */
const demands = new Map<unknown, number>();

const expiresSoon = (validTo: unknown, nowMs: number) => {
  const endMs = Date.parse(text(validTo));
  return !Number.isNaN(endMs) && endMs - nowMs < RENEW_BEFORE_END_MS;
};

/**
 * The expiry by this machine's clock, because the server's clock may be ahead or behind. Returns `validTo` unchanged if
 * the clocks agree or a date cannot be read.
 */
function localExpiry(validTo: string, serverDate: unknown, nowMs: number): string {
  const aheadMs = Date.parse(text(serverDate)) - nowMs;
  const endMs = Date.parse(validTo);
  if (Number.isNaN(endMs) || Number.isNaN(aheadMs) || Math.abs(aheadMs) < SAME_TIME_MS) return validTo;
  return new Date(endMs - aheadMs).toISOString();
}

async function requestToken(
  { helpers }: IHttpRequestHelper,
  credentials: ICredentialDataDecryptedObject,
): Promise<IssuedToken> {
  const { baseUrl, refreshToken } = enteredCredential(credentials);
  const answer: unknown = await helpers.httpRequest({
    method: 'POST',
    url: `${baseUrl}/api/token/refresh`,
    body: { refreshToken },
    json: true,
    returnFullResponse: true,
    disableFollowRedirect: true,
    timeout: TIMEOUT_MS,
    ...(ignoresSsl(credentials) ? { skipSslCertificateValidation: true } : {}),
  });
  const body = property(answer, 'body');
  const accessToken = text(property(body, 'access_token'));
  if (accessToken === '')
    throw new Error(
      `${baseUrl} answered no access token. Check the Base URL in the Signpost Referral credential.`,
    );
  const serverDate = property(property(answer, 'headers'), 'date');
  const validTo = localExpiry(text(property(body, 'valid_to')), serverDate, Date.now());
  return { accessToken, validTo, tokenOwner: ownerOf(credentials) };
}

/** Whether the credential's token is the last one that this process received for its owner, less than a minute ago. */
function isFresh(credentials: ICredentialDataDecryptedObject): boolean {
  const lastToken = latestTokens.get(ownerOf(credentials));
  return (
    lastToken?.issued.accessToken === credentials.accessToken &&
    Date.now() - (lastToken?.atMs ?? 0) < FRESH_MS
  );
}

/** Whether the access token belongs to another account or server, or expires soon and was not issued just now. */
export function needsRenewal(credentials: ICredentialDataDecryptedObject): boolean {
  const isOthers = text(credentials.tokenOwner) !== ownerOf(credentials);
  return isOthers || (expiresSoon(credentials.validTo, Date.now()) && !isFresh(credentials));
}

/**
 * Whether a token has been issued since this request first demanded a new one. The first call for a request notes the
 * demand and returns false. After a failed refresh the result is still false, so that the next try of the same request
 * refreshes again.
 */
export function hasNewToken(credentials: ICredentialDataDecryptedObject, request: unknown): boolean {
  const owner = ownerOf(credentials);
  const last = latestTokens.get(owner)?.number ?? 0;
  const before = demands.get(request);
  if (before === undefined) {
    demands.set(request, last);
    neededNumbers.set(owner, last + 1);
    return false;
  }
  if (last <= before) return false;
  demands.delete(request);
  return true;
}

/**
 * The last token that this process received for the credential's owner; undefined if there is none, if the credential
 * has that token already, or if the token expires soon.
 */
function findNewerToken(credentials: ICredentialDataDecryptedObject): IssuedToken | undefined {
  const { issued } = latestTokens.get(ownerOf(credentials)) ?? {};
  const isOther = credentials.accessToken !== issued?.accessToken;
  return issued !== undefined && isOther && !expiresSoon(issued.validTo, Date.now()) ? issued : undefined;
}

/** Whether a request has demanded a newer token than the owner's last one. */
const isOutdated = (owner: string) =>
  (latestTokens.get(owner)?.number ?? 0) < (neededNumbers.get(owner) ?? 0);

/**
 * Returns an access token newer than the one in the credential; undefined if the credential's token is fresh and no
 * request demands a newer one, because a service that rejects even fresh tokens would otherwise be asked for one token
 * after another. Concurrent callers with the same Base URL and refresh token share one request. A caller whose token is
 * not the last issued one gets that one without a request, unless that one expires soon or a request demands a newer
 * one.
 */
export async function renew(
  helper: IHttpRequestHelper,
  credentials: ICredentialDataDecryptedObject,
): Promise<IssuedToken | undefined> {
  const owner = ownerOf(credentials);
  const underWay = refreshes.get(owner);
  if (underWay !== undefined) return await underWay;
  if (!isOutdated(owner)) {
    if (isFresh(credentials)) return undefined;
    const newerToken = findNewerToken(credentials);
    if (newerToken !== undefined) return newerToken;
  }
  const refresh = requestToken(helper, credentials).then((issued) => {
    issuedTokens += 1;
    latestTokens.set(owner, { issued, atMs: Date.now(), number: issuedTokens });
    return issued;
  });
  refreshes.set(owner, refresh);
  try {
    return await refresh;
  } finally {
    refreshes.delete(owner);
  }
}
