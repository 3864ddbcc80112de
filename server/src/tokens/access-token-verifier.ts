import { verifyAccessToken, type AccessTokenParts, type VerifiedClaims } from './access-token.js';
import { checkAccessTokenForm, endedAccessToken, invalidAccessToken } from './presented-token.js';
import { stillVerifies } from './signing-key.js';
import type { Identity, TokenHolders } from './token-holder.js';

const REMEMBERED_TOKENS = 10_000;

/** Whom a valid access token stands for, and when it ends. */
export interface VerifiedAccessToken {
  readonly identity: Identity;
  readonly validToMs: number;
}

/**
 * Verifies access tokens. What a signature says never changes, so that a busy token costs no check of it; its end, its
 * key and its account are looked at each time.
 */
export function accessTokenVerifier(parts: AccessTokenParts, holders: TokenHolders) {
  const claimsOf = new Map<string, VerifiedClaims>();

  const checkSignature = async (presented: string) => {
    checkAccessTokenForm(presented);
    const claims = await verifyAccessToken(parts, presented);
    if (claimsOf.size >= REMEMBERED_TOKENS) claimsOf.clear();
    claimsOf.set(presented, claims);
    return claims;
  };

  return async (presented: string): Promise<VerifiedAccessToken> => {
    const { accountId, signingKeyId, validToMs } =
      claimsOf.get(presented) ?? (await checkSignature(presented));
    const nowMs = parts.clock();
    if (nowMs >= validToMs) {
      claimsOf.delete(presented);
      throw endedAccessToken(validToMs);
    }
    const holder = await holders.withSigningKey(accountId, signingKeyId);
    const key = holder?.key ?? null;
    if (holder === undefined || key === null || !stillVerifies(key.retiredAtMs, nowMs)) {
      claimsOf.delete(presented);
      throw invalidAccessToken();
    }
    return { identity: holder.identity, validToMs };
  };
}
