import { z } from 'zod';
import { runSignpost } from '../../fixtures/signpost-server.js';
import type { Credential } from './n8n.js';

/** The account and the project that the first start of a server creates. */
const ACCOUNT = 'operator@localhost';
const PROJECT = 'First project';

const newKey = z.object({ key: z.string() });
const newPair = z.object({ refreshToken: z.string() });

async function json(dataDir: string, words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runSignpost(dataDir, [...words, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Creates a key in the first project with the command line. The key has no limit per day. */
export async function createKey(dataDir: string, perMinute: number | 'unlimited'): Promise<string> {
  const limits = ['--per-minute', String(perMinute), '--per-day', 'unlimited'];
  const words = ['key', 'create', '--account', ACCOUNT, '--project', PROJECT, ...limits];
  return newKey.parse(await json(dataDir, words)).key;
}

/** Creates an account with API access. Returns its refresh token. */
export async function createRefreshToken(dataDir: string, email: string): Promise<string> {
  await json(dataDir, ['account', 'create', '--email', email, '--api-access']);
  return newPair.parse(await json(dataDir, ['token', 'show', '--account', email])).refreshToken;
}

export const signpostCredential = (name: string, baseUrl: string, apiKey: string): Credential => ({
  name,
  type: 'signpostApi',
  data: { baseUrl, apiKey },
});

export const referralCredential = (
  name: string,
  baseUrl: string,
  data: Readonly<Record<string, string>>,
): Credential => ({
  name,
  type: 'signpostReferralApi',
  data: { baseUrl, connectWith: 'refreshToken', ...data },
});
