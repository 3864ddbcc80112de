import { createHash } from 'node:crypto';
import { LIMITS, OAUTH_SCOPE, type OAuthTokens } from '@signpost/contract';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import type { ConnectionRow } from '../storage/rows.js';

/** What is stored in place of a secret: of 190 random bits a fast hash without a key is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const accessFormat = opaqueTokenFormat('sp_access_');
const familyFormat = opaqueTokenFormat('sp_refresh_');
const TURN_CHARACTERS = 32;
const TURN = new RegExp(`^[0-9A-Za-z]{${TURN_CHARACTERS}}$`, 'u');

/** Whether a text has the form and the checksum of an access token of a connection. Needs no database. */
export const isConnectionToken = (text: string): boolean => accessFormat.matches(text);

/** A refresh token: what all of its connection begin with, by which one that was replaced is still known, and its own end. */
export interface RefreshToken {
  readonly family: string;
  readonly turn: string;
}

/** Takes a refresh token apart; undefined for a text that is none. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [family = '', turn = '', ...more] = text.split('.');
  return more.length === 0 && familyFormat.matches(family) && TURN.test(turn) ? { family, turn } : undefined;
}

export const newFamily = (randomBytes: RandomBytes): string => familyFormat.generate(randomBytes);

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** New tokens for a connection: what its client gets, and what is stored of it. */
export function issueTokens(family: string, randomBytes: RandomBytes, nowMs: number) {
  const accessToken = accessFormat.generate(randomBytes);
  const turn = randomCharacters(randomBytes, BASE62, TURN_CHARACTERS);
  const { accessTokenSeconds, unusedDays } = LIMITS.oauth;
  const columns: Partial<ConnectionRow> = {
    access_hash: hashSecret(accessToken),
    access_expires_at: nowMs + accessTokenSeconds * SECOND_MS,
    family_hash: hashSecret(family),
    refresh_hash: hashSecret(turn),
    expires_at: nowMs + unusedDays * DAY_MS,
  };
  const answer: OAuthTokens = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    refresh_token: `${family}.${turn}`,
    scope: OAUTH_SCOPE,
  };
  return { columns, answer };
}
