import { z } from 'zod';
import type { SignpostProcess } from '../signpost-process.js';

const shownKey = z.object({ key: z.string() });

/** Command-line options that give a key the default limits of a new server. */
const DEFAULT_LIMITS = ['--per-minute', '5', '--per-day', '20'];
export const NO_LIMITS = ['--per-minute', 'unlimited', '--per-day', 'unlimited'];

/** Creates an account for a stranger, with two keys. Returns the keys. */
export async function attackKeys(
  signpost: SignpostProcess,
  limits = DEFAULT_LIMITS,
): Promise<{ first: string; second: string }> {
  const [email, project] = ['stranger@example.org', 'Attack'];
  await signpost.run('account', 'create', '--email', email);
  await signpost.run('project', 'create', '--account', email, '--name', project);
  const newKey = async () => {
    const words = ['key', 'create', '--account', email, '--project', project, ...limits, '--json'];
    const shown: unknown = JSON.parse(await signpost.run(...words));
    return shownKey.parse(shown).key;
  };
  return { first: await newKey(), second: await newKey() };
}
