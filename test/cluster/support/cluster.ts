import { runSignpost, startSignpost, type SignpostServer } from '../../fixtures/signpost-server.js';
import { waitUntil } from '../../fixtures/wait-until.js';
import { startBalancer, type Balancer } from './balancer.js';
import { freePorts } from '../../fixtures/free-port.js';
import { startPostgresql, type Postgresql } from './postgresql.js';

type Settings = Readonly<Record<string, string>>;

/** The secret of every server of a cluster. Any random value will do. */
export const SECRET = 'Qw8eRt7yUi6oPa5sDf4gHj3kLz2xCv1b';

/** One of the servers, with the address that bypasses the balancer. */
export interface Member {
  readonly name: string;
  readonly url: string;
  /** A new process after each start. */
  server: SignpostServer;
}

/** Servers on one PostgreSQL, behind the shipped balancer. */
export interface Cluster {
  readonly postgresql: Postgresql;
  readonly balancer: Balancer;
  readonly members: readonly Member[];
  /** The credentials that one of the servers printed at the first start. */
  readonly operator: { readonly email: string; readonly password: string; readonly apiKey: string };
  /** Runs a command on the cluster's database. Returns its parsed JSON output. */
  json(...words: string[]): Promise<unknown>;
  /** Starts a server again after it has ended, on the same port. */
  restart(member: Member): Promise<void>;
  remove(): Promise<void>;
}

/** Settings that must be the same on every server. */
export const clusterSettings = (postgresql: Postgresql, url: string): Settings => ({
  SIGNPOST_DATABASE_URL: postgresql.url,
  SIGNPOST_SECRET: SECRET,
  SIGNPOST_PUBLIC_URL: url,
  SIGNPOST_TRUST_PROXY: '127.0.0.1',
  SIGNPOST_SIGNUP: 'open',
  SIGNPOST_CAPTURE_CONCURRENCY: '1',
});

interface ClusterOptions {
  /** Settings of each server, in addition to the common ones. */
  readonly servers?: readonly Settings[];
}

/** Starts PostgreSQL, the balancer, and several servers at once, three by default. */
export async function startCluster({ servers = [{}, {}, {}] }: ClusterOptions = {}): Promise<Cluster> {
  const [balancerPort = 0, ...ports] = await freePorts(servers.length + 1);
  const [postgresql, balancer] = await Promise.all([startPostgresql(), startBalancer(balancerPort, ports)]);
  const common = clusterSettings(postgresql, balancer.url);
  const start = (index: number, dataDir?: string) =>
    startSignpost({ ...common, SIGNPOST_PORT: String(ports[index]), ...servers[index] }, dataDir);
  const members = await Promise.all(
    ports.map(async (port, index): Promise<Member> => ({
      name: `signpost-${index + 1}`,
      url: `http://127.0.0.1:${port}`,
      server: await start(index),
    })),
  );
  await waitUntil('the balancer has all servers', async () => {
    const log = balancer.log();
    const isUp = ({ name }: Member) => log.lastIndexOf(`${name} is UP`) >= log.lastIndexOf(`${name} is DOWN`);
    return members.every(isUp) && (await fetch(`${balancer.url}/readyz`)).ok;
  });
  const words = members.map(({ server }) => server.output()).join('');
  const shown = (pattern: RegExp) => pattern.exec(words)?.[1] ?? '';
  return {
    postgresql,
    balancer,
    members,
    operator: {
      email: shown(/Operator +(\S+)/u),
      password: shown(/One-time password +(\S+)/u),
      apiKey: shown(/API key +(\S+)/u),
    },
    async json(...line) {
      const dataDir = members[0]?.server.dataDir ?? '';
      const { code, stdout, stderr } = await runSignpost(dataDir, [...line, '--json'], common);
      if (code !== 0) throw new Error(`signpost ${line.join(' ')} failed: ${stderr}`);
      const printed: unknown = JSON.parse(stdout);
      return printed;
    },
    async restart(member) {
      member.server = await start(members.indexOf(member), member.server.dataDir);
    },
    async remove() {
      await Promise.all(members.map(({ server }) => server.remove()));
      await balancer.end();
      await postgresql.remove();
    },
  };
}
