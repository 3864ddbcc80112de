import { round } from '../figures.js';
import { hostileRequests } from '../hostile-requests.js';
import { type Attack, repeat } from './attack.js';
import { lookups } from './neighbours.js';
import { send } from './send.js';

const SENDERS = 2;

/**
 * An attack: two senders, each with its own address, send all hostile requests to `path` that have no key, over and
 * over.
 */
const hostileBodiesTo = (path: string, bytes: number): Attack => ({
  name: `${SENDERS} senders of ${round(bytes / 1_000)} kB to ${path}`,
  neighbour: lookups,
  run({ url }) {
    const bodies = hostileRequests(bytes).filter((one) => one.path === path && one.key === 'none');
    return repeat(SENDERS, async (index) => {
      for (const { mediaType, body } of bodies)
        await send(url, { path, from: `10.1.0.${index + 1}`, headers: { 'Content-Type': mediaType }, body });
    });
  },
});

export const hostileBodies: readonly Attack[] = [
  hostileBodiesTo('/api/token/refresh', 65_536),
  hostileBodiesTo('/api/token/refresh', 979_000),
  hostileBodiesTo('/signin', 65_536),
  hostileBodiesTo('/mcp', 65_536),
];
