import { z } from 'zod';
import type { SignpostProcess } from '../signpost-process.js';

const shownKey = z.object({ key: z.string() });

/** Two keys of a stranger's account with the default limits. */
export async function attackKeys(signpost: SignpostProcess): Promise<{ first: string; second: string }> {
  const [email, project] = ['stranger@example.org', 'Attack'];
  await signpost.run('account', 'create', '--email', email);
  await signpost.run('project', 'create', '--account', email, '--name', project);
  const newKey = async () => {
    const limits = ['--per-minute', '5', '--per-day', '20'];
    const words = ['key', 'create', '--account', email, '--project', project, ...limits, '--json'];
    const shown: unknown = JSON.parse(await signpost.run(...words));
    return shownKey.parse(shown).key;
  };
  return { first: await newKey(), second: await newKey() };
}
