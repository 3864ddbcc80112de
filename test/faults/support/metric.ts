import type { SignpostServer } from '../../fixtures/signpost-server.js';

/** What `/metrics` says of one figure. */
export async function metricOf(server: SignpostServer, name: string): Promise<number> {
  const exposition = await (await server.get('/metrics')).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(exposition)?.[1]);
}
