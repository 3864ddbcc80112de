import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';

const ID_LENGTH = 20;

/** Generates an id. Its start tells what it identifies, such as "sig" for a signing key. */
export const newId = (randomBytes: RandomBytes, start: 'sig' | 'enc' | 'ref' | 'ret' | 'sec'): string =>
  `${start}_${randomCharacters(randomBytes, BASE62, ID_LENGTH)}`;
