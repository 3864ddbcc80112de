import { z } from 'zod';
import type { SignpostProcess } from './signpost-process.js';

/** The operator account with which every installation starts. It has FIRST_PROJECT. */
export const OPERATOR = 'operator@localhost';
const FIRST_PROJECT = 'First project';

const shownKey = z.object({ key: z.string() });

/** Returns `count` keys of one server: the one with which it started, then new ones. */
export async function keysOf(signpost: SignpostProcess, count: number): Promise<string[]> {
  const keys = [signpost.apiKey];
  while (keys.length < count) {
    const words = ['key', 'create', '--account', OPERATOR, '--project', FIRST_PROJECT, '--json'];
    const shown: unknown = JSON.parse(await signpost.run(...words));
    keys.push(shownKey.parse(shown).key);
  }
  return keys;
}
