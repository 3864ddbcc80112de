import { createSecretKey } from 'node:crypto';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { deriveKey } from '../secret/sealing.js';

const accessFormat = opaqueTokenFormat('sp_access_');
const familyFormat = opaqueTokenFormat('sp_refresh_');
const TURN_CHARACTERS = 32;
const TURN = new RegExp(`^[0-9A-Za-z]{${TURN_CHARACTERS}}$`, 'u');

/** Whether a text has the form and the checksum of an access token of a connection. Needs no database. */
export const isConnectionToken = (text: string): boolean => accessFormat.matches(text);

export interface RefreshToken {
  /**
   * The part that all refresh tokens of a connection share, so that even a replaced token identifies its connection.
   */
  readonly family: string;
  /** The part that changes with each token. */
  readonly turn: string;
}

/** Splits a refresh token; undefined if the text is not one. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [family = '', turn = '', ...more] = text.split('.');
  return more.length === 0 && familyFormat.matches(family) && TURN.test(turn) ? { family, turn } : undefined;
}

export const newFamily = (randomBytes: RandomBytes): string => familyFormat.generate(randomBytes);
export const newTurn = (randomBytes: RandomBytes): string =>
  randomCharacters(randomBytes, BASE62, TURN_CHARACTERS);
export const newAccessToken = (randomBytes: RandomBytes): string => accessFormat.generate(randomBytes);

/**
 * The key that encrypts the tokens that replaced a refresh token. It can be derived only from the replaced token
 * itself, not from its stored hash.
 */
export const successorKey = ({ family, turn }: RefreshToken) =>
  deriveKey(createSecretKey(Buffer.from(`${family}.${turn}`)), 'refresh-token-successor');
