import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestHelper } from 'n8n-workflow';
import { pasted, property, textOf } from '../../nodes/shared/values';

/** A token is renewed when it has less than this left, so that none ends on its way. */
const RENEW_BEFORE_END_MS = 60_000;
/** A token that was issued so recently is used whatever the clocks say. */
const FRESH_MS = 60_000;
/** Clocks that differ less than this are taken for equal. */
const SAME_TIME_MS = 5_000;
const TIMEOUT_MS = 30_000;

const text = (value: unknown): string => textOf(value) ?? '';

/** What the user entered, without what does not belong to it. */
const entered = (credentials: ICredentialDataDecryptedObject) => ({
  baseUrl: text(credentials.baseUrl).replace(/\/+$/u, ''),
  refreshToken: pasted(credentials.refreshToken),
});

/** Names the account and server of which an access token is, so that one of another is never sent. */
const ownerOf = (credentials: ICredentialDataDecryptedObject): string => {
  const { baseUrl, refreshToken } = entered(credentials);
  return `${baseUrl} ${refreshToken}`;
};

interface Issued extends IDataObject {
  readonly accessToken: string;
  /** By the clock of this machine. */
  readonly validTo: string;
  readonly tokenOwner: string;
}

const running = new Map<string, Promise<Issued>>();
const latest = new Map<string, { readonly issued: Issued; readonly atMs: number }>();

const endsSoon = (validTo: unknown, nowMs: number) => {
  const endMs = Date.parse(text(validTo));
  return !Number.isNaN(endMs) && endMs - nowMs < RENEW_BEFORE_END_MS;
};

/** The end by this machine's clock: that of the server may go before or after it. */
function localEnd(validTo: string, serverDate: unknown, nowMs: number): string {
  const aheadMs = Date.parse(text(serverDate)) - nowMs;
  const endMs = Date.parse(validTo);
  if (Number.isNaN(endMs) || Number.isNaN(aheadMs) || Math.abs(aheadMs) < SAME_TIME_MS) return validTo;
  return new Date(endMs - aheadMs).toISOString();
}

async function request(
  { helpers }: IHttpRequestHelper,
  credentials: ICredentialDataDecryptedObject,
): Promise<Issued> {
  const { baseUrl, refreshToken } = entered(credentials);
  const answer: unknown = await helpers.httpRequest({
    method: 'POST',
    url: `${baseUrl}/api/token/refresh`,
    body: { refreshToken },
    json: true,
    returnFullResponse: true,
    disableFollowRedirect: true,
    timeout: TIMEOUT_MS,
  });
  const body = property(answer, 'body');
  const accessToken = text(property(body, 'access_token'));
  if (accessToken === '')
    throw new Error(
      `${baseUrl} answered no access token. Check the Base URL in the Signpost Referral credential.`,
    );
  const serverDate = property(property(answer, 'headers'), 'date');
  const validTo = localEnd(text(property(body, 'valid_to')), serverDate, Date.now());
  return { accessToken, validTo, tokenOwner: ownerOf(credentials) };
}

/** Whether the credential's token is the last one issued for its owner, and not a minute old. */
export function isFresh(credentials: ICredentialDataDecryptedObject): boolean {
  const known = latest.get(ownerOf(credentials));
  return known?.issued.accessToken === credentials.accessToken && Date.now() - (known?.atMs ?? 0) < FRESH_MS;
}

/** Whether the access token is another account's or ends soon; never for one that has just been issued. */
export function needsRenewal(credentials: ICredentialDataDecryptedObject): boolean {
  const isOthers = text(credentials.tokenOwner) !== ownerOf(credentials);
  return isOthers || (endsSoon(credentials.validTo, Date.now()) && !isFresh(credentials));
}

/** A token that was issued by this process later than the one in the credential. */
function newer(credentials: ICredentialDataDecryptedObject): Issued | undefined {
  const { issued } = latest.get(ownerOf(credentials)) ?? {};
  const isOther = text(credentials.accessToken) !== '' && credentials.accessToken !== issued?.accessToken;
  return issued !== undefined && isOther && !endsSoon(issued.validTo, Date.now()) ? issued : undefined;
}

/**
 * Answers an access token newer than the one in the credential; undefined where that one is fresh, so that a service
 * which refuses even fresh tokens is not asked for one after the other. Those who ask at the same time share one
 * request; who comes with an older token than the last one issued gets that without any.
 */
export async function renew(
  helper: IHttpRequestHelper,
  credentials: ICredentialDataDecryptedObject,
): Promise<Issued | undefined> {
  const owner = ownerOf(credentials);
  const underWay = running.get(owner);
  if (underWay !== undefined) return await underWay;
  if (isFresh(credentials)) return undefined;
  const known = newer(credentials);
  if (known !== undefined) return known;
  const refresh = request(helper, credentials).then((issued) => {
    latest.set(owner, { issued, atMs: Date.now() });
    return issued;
  });
  running.set(owner, refresh);
  try {
    return await refresh;
  } finally {
    running.delete(owner);
  }
}

/** Forgets the last token issued, so that the next renewal asks the service. */
export const forget = (credentials: ICredentialDataDecryptedObject): void => {
  latest.delete(ownerOf(credentials));
};
