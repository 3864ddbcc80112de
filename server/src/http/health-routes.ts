import type { FastifyInstance } from 'fastify';

/** What a server needs to answer every request. */
export interface Readiness {
  readonly directory: boolean;
  /** Why no request can be counted, in a sentence; undefined where they can. */
  readonly databaseProblem: string | undefined;
  readonly browser: boolean;
  /** False once the server has been told to stop. */
  readonly accepting: boolean;
}

/** GET /healthz: the process answers. GET /readyz: everything that requests need is there. */
export function addHealthRoutes(server: FastifyInstance, readiness: () => Promise<Readiness>): void {
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const { directory, databaseProblem, browser, accepting } = await readiness();
    const checks = { directory, database: databaseProblem === undefined, browser, accepting };
    const failing = Object.entries(checks).flatMap(([name, isReady]) => (isReady ? [] : [name]));
    if (failing.length === 0) return { status: 'ready', checks };
    const why = databaseProblem === undefined ? '' : ` The database: ${databaseProblem}`;
    return reply.code(503).send({ error: `Not ready: ${failing.join(', ')}.${why}`, checks });
  });
}
