import type { SignpostServer } from '../../fixtures/signpost-server.js';

/** The value in `/metrics` of the metric whose name matches this regular expression; NaN if there is none. */
export async function metricOf(server: SignpostServer, name: string): Promise<number> {
  const exposition = await (await server.get('/metrics')).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(exposition)?.[1]);
}
