import { JOSEError, JWTExpired } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../platform/clock.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { MINUTE_MS, SECOND_MS } from '../platform/time-units.js';
import {
  checkAccessTokenForm,
  expiredAccessToken,
  futureAccessToken,
  invalidAccessToken,
} from './presented-token.js';
import { ACCESS_TOKEN_LIFETIME_MS, type SigningKeys, stillVerifies } from './signing-keys.js';
import type { Identity, TokenHolders } from './token-holder.js';

/** The audience of access tokens: all services behind the referral interface. */
const AUDIENCE = 'signpost-referral';
const ALGORITHM = 'EdDSA';
const TYPE = 'JWT';
const ID_LENGTH = 22;
/**
 * How far the clocks of servers may differ. A token from a clock that is ahead is accepted for longer than 180 minutes,
 * by as much as that clock is ahead.
 */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE_MS;

/** A signed token and its expiry time. */
export interface AccessToken {
  readonly accessToken: string;
  readonly validToMs: number;
}

/** The claims of a token whose signature, issuer, audience and expiry were checked. */
interface VerifiedClaims {
  readonly accountId: string;
  readonly signingKeyId: string;
  readonly issuedAtMs: number;
  readonly validToMs: number;
}

interface AccessTokenDeps {
  readonly signingKeys: SigningKeys;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** The public address of the server, without a trailing slash. */
  readonly issuer: () => string;
}

const headerSchema = z.object({ kid: z.string().max(100) });
const claimsSchema = z.object({ sub: z.string(), iat: z.int(), exp: z.int() });

/** Signs a token for an account. It is valid for 180 minutes from this second. */
export async function signAccessToken(deps: AccessTokenDeps, accountId: string): Promise<AccessToken> {
  const { id: kid, privateKey } = await deps.signingKeys.current();
  const issuedAt = Math.floor(deps.clock() / SECOND_MS);
  const end = issuedAt + ACCESS_TOKEN_LIFETIME_MS / SECOND_MS;
  const accessToken = await new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
    .setIssuer(deps.issuer())
    .setAudience(AUDIENCE)
    .setSubject(accountId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(end)
    .setJti(randomCharacters(deps.randomBytes, BASE62, ID_LENGTH))
    .sign(privateKey);
  return { accessToken, validToMs: end * SECOND_MS };
}

/**
 * Verifies a token's claims and its signature, only with our own keys, whatever the token's header says. Throws a
 * ServiceError if the token is not valid. The caller must check that the token was not issued in the future, and that
 * the signing key and the account are still valid.
 */
async function verifyAccessToken(deps: AccessTokenDeps, presented: string): Promise<VerifiedClaims> {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      presented,
      async (header) => {
        const key = await deps.signingKeys.publicKey(headerSchema.parse(header).kid);
        if (key === undefined) throw invalidAccessToken();
        return key;
      },
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: deps.issuer(),
        audience: AUDIENCE,
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
        clockTolerance: 0,
        currentDate: new Date(deps.clock()),
      },
    );
    const { sub, iat, exp } = claimsSchema.parse(payload);
    const { kid } = headerSchema.parse(protectedHeader);
    return {
      accountId: sub,
      signingKeyId: kid,
      issuedAtMs: iat * SECOND_MS,
      validToMs: exp * SECOND_MS,
    };
  } catch (error) {
    if (error instanceof JWTExpired) {
      throw expiredAccessToken(claimsSchema.parse(error.payload).exp * SECOND_MS);
    }
    if (error instanceof JOSEError || error instanceof z.ZodError) throw invalidAccessToken();
    throw error;
  }
}

const MAX_REMEMBERED_TOKENS = 10_000;

/** The holder of a valid access token, and when the token expires. */
export interface VerifiedAccessToken {
  readonly identity: Identity;
  readonly validToMs: number;
}

/**
 * Returns a function that verifies access tokens. A successful signature check stays valid, so it is cached for the
 * tokens used last. The time of issue, the expiry, the signing key and the account are checked each time.
 */
export function accessTokenVerifier(deps: AccessTokenDeps, holders: TokenHolders) {
  const claimsOf = new LRUCache<string, VerifiedClaims>({ max: MAX_REMEMBERED_TOKENS });

  const checkSignature = async (presented: string) => {
    checkAccessTokenForm(presented);
    const claims = await verifyAccessToken(deps, presented);
    claimsOf.set(presented, claims);
    return claims;
  };

  return async (presented: string): Promise<VerifiedAccessToken> => {
    const { accountId, signingKeyId, issuedAtMs, validToMs } =
      claimsOf.get(presented) ?? (await checkSignature(presented));
    const nowMs = deps.clock();
    if (issuedAtMs > nowMs + MAX_CLOCK_DIFFERENCE_MS) throw futureAccessToken(issuedAtMs);
    if (nowMs >= validToMs) {
      claimsOf.delete(presented);
      throw expiredAccessToken(validToMs);
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
