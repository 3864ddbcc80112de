import type { RandomBytes } from '../random-bytes.js';
import { randomCharacters } from '../random-characters.js';

/** Without the characters that are mistaken for each other: 0 and o, 1 and l and i. */
const readable = '23456789abcdefghjkmnpqrstuvwxyz';
const groupCount = 5;
const groupLength = 4;

/** A password to be read out or typed from paper: five groups of four characters, 99 bits. */
export const generatePassword = (randomBytes: RandomBytes): string =>
  Array.from({ length: groupCount }, () => randomCharacters(randomBytes, readable, groupLength)).join('-');
