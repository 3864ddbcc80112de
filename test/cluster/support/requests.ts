import { z } from 'zod';
import type { Cluster } from './cluster.js';

/** Looks up a postcode with a key. */
export const lookUp = (url: string, apiKey: string) =>
  fetch(`${url}/api/postcode/lookup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': apiKey },
    body: JSON.stringify({ postcode: 'SW1A 1AA' }),
  });

export const tokenStatus = (url: string, accessToken: string) =>
  fetch(`${url}/api/token/status`, { headers: { Authorization: `Bearer ${accessToken}` } });

export const refresh = (url: string, refreshToken: string) =>
  fetch(`${url}/api/token/refresh`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
  });

const key = z.object({ key: z.string(), prefix: z.string() });
const pair = z.object({ accessToken: z.string(), refreshToken: z.string(), validTo: z.string() });

/** Creates a key in the first project. */
export const createKey = async (cluster: Cluster, ...limits: string[]) =>
  key.parse(
    await cluster.json(
      'key',
      'create',
      '--account',
      cluster.operator.email,
      '--project',
      'First project',
      ...limits,
    ),
  );

/** A new access token and the refresh token of an account, by default the operator's. */
export const showTokens = async (cluster: Cluster, email = cluster.operator.email) =>
  pair.parse(await cluster.json('token', 'show', '--account', email));
