import type { KeyObject } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { RandomBytes } from '../random-bytes.js';
import { BASE62, randomCharacters } from '../random-characters.js';

/** What it takes to make the keys that sign and encrypt, and to use those that are stored. */
export interface KeyMaker {
  /** Under which all of them are encrypted. */
  readonly keyEncryptionKey: KeyObject;
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
}

const idLength = 20;

/** A new identifier; what it begins with says what it is for. */
export const newId = (randomBytes: RandomBytes, start: 'sig' | 'enc' | 'ref' | 'ret'): string =>
  `${start}_${randomCharacters(randomBytes, BASE62, idLength)}`;
