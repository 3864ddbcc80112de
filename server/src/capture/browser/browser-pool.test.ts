import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import { BrowserPool } from './browser-pool.js';
import { BrowserSupervisor } from './browser-supervisor.js';

const silent = () => undefined;

test('a pool that does not start browsers on demand rejects a lease at once while a browser whose last start failed is starting again', async () => {
  let giveUp: () => void = silent;
  const launches = [
    () => Promise.reject(new Error('The first start fails.')),
    () => new Promise<never>((_resolve, reject) => (giveUp = () => reject(new Error('So does the next.')))),
  ];
  const supervisor = new BrowserSupervisor({
    name: 'The browser',
    launch: () => launches.shift()?.() ?? Promise.reject(new Error('There is none.')),
    explain: () => ({ message: 'It does not start.', reason: '' }),
    recycleAfter: 1,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const pool = new BrowserPool({
    supervisors: [supervisor],
    startsOnDemand: false,
    toNoBrowserError: () => new Error('None is up.'),
  });
  await pool.start();
  await waitUntil('it is tried again', () => supervisor.state === 'starting');

  await expect(pool.lease()).rejects.toThrow('None is up.');
  expect(supervisor.state).toBe('starting');
  giveUp();
  await pool.close();
});
