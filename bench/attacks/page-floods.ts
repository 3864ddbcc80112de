import { type Attack, repeat } from './attack.js';
import { lookups, signIns } from './neighbours.js';
import { send } from './send.js';

const CONNECTIONS = 100;

/** An attack that requests a page that needs no key, over many connections without a pause. */
const pageFlood = (path: string, addresses: number, neighbour = lookups): Attack => ({
  name: `${path} over ${CONNECTIONS} connections, ${addresses === 1 ? '1 address' : `${addresses} addresses`}`,
  neighbour,
  run: ({ url }) =>
    repeat(CONNECTIONS, (index) =>
      send(url, {
        path,
        from: `10.3.0.${index % addresses}`,
        headers: { 'Accept-Encoding': 'br, gzip' },
      }),
    ),
});

export const pageFloods: readonly Attack[] = [
  pageFlood('/reference', 1),
  pageFlood('/reference', CONNECTIONS),
  pageFlood('/reference?q=postcode', CONNECTIONS),
  pageFlood('/', CONNECTIONS, signIns),
];
