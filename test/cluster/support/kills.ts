import { once } from 'node:events';
import { waitUntil } from '../../fixtures/wait-until.js';
import type { Cluster, Member } from './cluster.js';

/** One kill: the server, and the times of the signal and of the end of its process. */
export interface Kill {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The longest time until the balancer sends requests to a restarted server again. */
const IN_BALANCER_AFTER_MS = 7_000;
const BETWEEN_KILLS_MS = 5_000;

/**
 * Kills a server every few seconds for some time, and restarts it immediately. The balancer always has at least one
 * server it considers up. All servers run when it ends.
 */
export async function keepKilling(cluster: Cluster, forMs: number): Promise<readonly Kill[]> {
  const kills: Kill[] = [];
  const readyAtMs = new Map<Member, number>(cluster.members.map((member) => [member, 0]));
  const endAtMs = Date.now() + forMs;
  const isInBalancer = (member: Member) =>
    Date.now() - (readyAtMs.get(member) ?? Infinity) > IN_BALANCER_AFTER_MS;
  for (let number = 0; Date.now() < endAtMs; number += 1) {
    const member = cluster.members[number % cluster.members.length];
    if (member === undefined) break;
    const startedAtMs = Date.now();
    await waitUntil('there is another server', () =>
      cluster.members.some((other) => other !== member && isInBalancer(other)),
    );
    const { process } = member.server;
    const exited = once(process, 'exit');
    const fromMs = Date.now();
    process.kill('SIGKILL');
    await exited;
    kills.push({ name: member.name, fromMs, toMs: Date.now() });
    readyAtMs.set(member, Infinity);
    await cluster.restart(member);
    readyAtMs.set(member, Date.now());
    const waitMs = BETWEEN_KILLS_MS - (Date.now() - startedAtMs);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return kills;
}
