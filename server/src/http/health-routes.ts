import type { FastifyInstance } from 'fastify';

/** What a server needs to answer every request; each true where it works now. */
export interface Readiness {
  readonly directory: boolean;
  readonly database: boolean;
  readonly browser: boolean;
  /** False once the server has been told to stop. */
  readonly accepting: boolean;
}

/** GET /healthz: the process answers. GET /readyz: everything that requests need is there. */
export function addHealthRoutes(server: FastifyInstance, readiness: () => Promise<Readiness>): void {
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const checks = await readiness();
    const failing = Object.entries(checks).flatMap(([name, isReady]) => (isReady ? [] : [name]));
    if (failing.length === 0) return { status: 'ready', checks };
    return reply.code(503).send({ error: `Not ready: ${failing.join(', ')}.`, checks });
  });
}
