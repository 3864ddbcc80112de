import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import type { RandomBytes } from '../random-bytes.js';
import { BASE62, randomCharacters } from '../random-characters.js';
import { ACCESS_TOKEN_LIFETIME_MS } from './lifetime.js';
import { endedAccessToken, invalidAccessToken } from './presented-token.js';
import type { SigningKeys } from './signing-keys.js';

/** Whom access tokens are for: whatever serves the referral interface. */
export const AUDIENCE = 'signpost-referral';
const ALGORITHM = 'EdDSA';
const TYPE = 'JWT';
const idLength = 22;
const SECOND_MS = 1_000;

/** A signed token, and the moment at which it ends. */
export interface AccessToken {
  readonly accessToken: string;
  readonly validToMs: number;
}

/** What a token says once its signature, issuer, audience and end were checked. */
export interface VerifiedClaims {
  readonly accountId: string;
  readonly signingKeyId: string;
  readonly validToMs: number;
}

export interface AccessTokenParts {
  readonly signingKeys: SigningKeys;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** The public address of the server, without a slash at the end. */
  readonly issuer: () => string;
}

const headerSchema = z.object({ kid: z.string().max(100) });
const claimsSchema = z.object({ sub: z.string(), exp: z.int() });

/** Signs a token for an account, valid from this second on for 180 minutes. */
export async function signAccessToken(parts: AccessTokenParts, accountId: string): Promise<AccessToken> {
  const { id: kid, privateKey } = await parts.signingKeys.current();
  const issuedAt = Math.floor(parts.clock() / SECOND_MS);
  const end = issuedAt + ACCESS_TOKEN_LIFETIME_MS / SECOND_MS;
  const accessToken = await new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
    .setIssuer(parts.issuer())
    .setAudience(AUDIENCE)
    .setSubject(accountId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(end)
    .setJti(randomCharacters(parts.randomBytes, BASE62, idLength))
    .sign(privateKey);
  return { accessToken, validToMs: end * SECOND_MS };
}

/**
 * Checks a token's signature by our own keys alone, whatever its header names, and its claims; throws a ServiceError.
 * Whether its key still verifies and its account may still use it is for the caller to ask.
 */
export async function verifyAccessToken(parts: AccessTokenParts, presented: string): Promise<VerifiedClaims> {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      presented,
      async (header) => {
        const key = await parts.signingKeys.publicKey(headerSchema.parse(header).kid);
        if (key === undefined) throw invalidAccessToken();
        return key;
      },
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: parts.issuer(),
        audience: AUDIENCE,
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
        clockTolerance: 0,
        currentDate: new Date(parts.clock()),
      },
    );
    const { sub, exp } = claimsSchema.parse(payload);
    const { kid } = headerSchema.parse(protectedHeader);
    return { accountId: sub, signingKeyId: kid, validToMs: exp * SECOND_MS };
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw endedAccessToken(claimsSchema.parse(error.payload).exp * SECOND_MS);
    }
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw invalidAccessToken();
    throw error;
  }
}
