import { rounds } from '../fixtures/length.js';
import { startSignpost } from '../fixtures/signpost-server.js';
import { integrityOf } from './support/check-database.js';
import { recordFault } from './support/fault-table.js';
import { countedFor, keepLookingUp, openLedgers, type Ledger } from './support/ledger.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const KILLS = rounds(6, 20);
const KEYS = 4;
const CLIENTS_PER_KEY = 5;
const MAX_REQUESTS_BEFORE_KILL = 600;

const sum = (ledgers: readonly Ledger[], field: 'sent' | 'acknowledged') =>
  ledgers.reduce((total, ledger) => total + ledger[field], 0);

test('after each kill -9 under load every acknowledged request is counted and the database is whole', async () => {
  let server = await startSignpost(UNLIMITED);
  const { dataDir } = server;
  const ledgers = await openLedgers(server, KEYS);
  let counted = 0;
  const wrong: unknown[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const killed = server;
    const killAt = sum(ledgers, 'acknowledged') + Math.ceil(Math.random() * MAX_REQUESTS_BEFORE_KILL);
    // Give up if requests are rejected instead of counted.
    const givenUpAt = sum(ledgers, 'sent') + 2 * MAX_REQUESTS_BEFORE_KILL;
    const watch = () => {
      if (sum(ledgers, 'acknowledged') >= killAt || sum(ledgers, 'sent') >= givenUpAt)
        killed.process.kill('SIGKILL');
      return false;
    };
    const clients = ledgers.flatMap((ledger) => Array.from({ length: CLIENTS_PER_KEY }, () => ledger));
    await Promise.all(clients.map((ledger) => keepLookingUp(killed, ledger, watch)));
    await killed.end('SIGKILL');

    server = await startSignpost(UNLIMITED, dataDir);
    const complaint = /"level":"error".*/u.exec(server.output())?.[0];
    if (complaint !== undefined) wrong.push({ kill, complaint });
    counted = 0;
    for (const ledger of ledgers) {
      const total = await countedFor(server, ledger);
      counted += total;
      if (total < ledger.acknowledged || total > ledger.sent) wrong.push({ kill, total, ...ledger });
    }
    const integrity = await integrityOf(dataDir);
    if (JSON.stringify(integrity) !== '{"integrity_check":"ok"}') wrong.push({ kill, integrity });
  }
  await server.remove();

  const [sent, acknowledged] = [sum(ledgers, 'sent'), sum(ledgers, 'acknowledged')];
  await recordFault({
    fault: `kill -9 under load, ${KEYS * CLIENTS_PER_KEY} connections on ${KEYS} keys`,
    expected:
      'every acknowledged request is counted, none twice, and the database opens without repair after each kill',
    figure: `${KILLS} kills; ${acknowledged} acknowledged ≤ ${counted} counted ≤ ${sent} sent; ${wrong.length} wrong after a kill`,
  });
  expect(wrong).toEqual([]);
  expect(counted).toBeGreaterThanOrEqual(acknowledged);
  expect(acknowledged).toBeGreaterThan(KILLS * KEYS);
});
