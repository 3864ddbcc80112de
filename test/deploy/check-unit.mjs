import { strict as assert } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../mcp-conformance/report.mjs';
import { bootRoot } from './booted-root.mjs';
import { runCommand } from './run-command.mjs';
import { step } from './step.mjs';
import { until } from './until.mjs';

const START_TIMEOUT_MS = 60_000;

const BACKUPS = '/var/lib/signpost/backups';

const CAPTURE = `
const body = JSON.stringify({ url: 'http://127.0.0.1:3000/' });
const headers = { 'X-Api-Key': process.argv[1], 'Content-Type': 'application/json' };
fetch('http://127.0.0.1:3000/api/screenshot', { method: 'POST', headers, body })
  .then(async (answer) => console.log(answer.status, answer.headers.get('content-type'), answer.ok || await answer.text()));
`;

/** Builds the machine of machine.Dockerfile. Returns the folder of its root file system. */
async function makeMachine({ root, folder, engine, image }) {
  const tag = 'localhost/signpost-machine:check';
  const file = join(root, 'test/deploy/machine.Dockerfile');
  await engine.build(tag, `--build-arg=SIGNPOST_IMAGE=${image}`, `--file=${file}`, join(root, 'deploy'));
  const machine = join(folder, 'machine');
  mkdirSync(machine);
  const container = (await engine.call('create', tag)).trim();
  await runCommand('sh', ['-c', `${engine.name} export ${container} | tar --extract --directory=${machine}`]);
  await engine.call('rm', container);
  return machine;
}

/** Checks the unit on a machine that is booted with systemd for it. */
export async function checkUnit(common) {
  const booted = await step('A machine with systemd, set up as the documents say, boots', async () =>
    bootRoot(await makeMachine(common)),
  );
  const key = await step(
    'signpost.service: systemd starts it, and the first key is in the journal',
    async () => {
      await booted.run('systemctl', 'start', 'signpost');
      const journal = () => booted.run('journalctl', '--unit=signpost', '--output=cat', '--no-pager');
      return until('it is there', async () => /sp_live_\w+/u.exec(await journal())?.[0], START_TIMEOUT_MS);
    },
  );
  await check(
    'signpost.service: its restrictions leave the browser its sandbox: a picture is taken',
    async () => {
      assert.equal((await booted.run('node', '-e', CAPTURE, key)).trim(), '200 image/png true');
    },
  );
  await check('signpost.sh: a command runs beside the server, as its user', async () => {
    const findings = JSON.parse(await booted.run('signpost', 'doctor', '--json'));
    assert.deepEqual(
      findings.filter(({ state }) => state === 'does not work'),
      [],
    );
    const owners = await booted.run('find', '/var/lib/signpost', '-not', '-user', 'signpost');
    assert.equal(owners, '');
  });
  const backups = async () => (await booted.run('ls', BACKUPS)).trim().split('\n');
  await check('signpost-backup.timer: it is taken, and what it starts writes a backup', async () => {
    await booted.run('systemctl', 'start', 'signpost-backup.timer');
    await booted.run('systemctl', 'start', 'signpost-backup.service');
    const [name, ...others] = await backups();
    assert.match(name, /^signpost-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/u);
    assert.deepEqual(others, []);
    await booted.run('test', '-s', `${BACKUPS}/${name}`);
  });
  await check('signpost-backup.service: of many backups the newest 14 stay', async () => {
    const old = Array.from(
      { length: 20 },
      (_, day) => `signpost-2020-01-${String(day + 1).padStart(2, '0')}T023000Z.backup`,
    );
    // The name of a backup is its time to the second. A backup of this very second would have the name of the next one.
    await booted.run('find', BACKUPS, '-type', 'f', '-delete');
    await booted.run('touch', ...old.map((name) => `${BACKUPS}/${name}`));
    await booted.run('chown', '-R', 'signpost:signpost', BACKUPS);
    await booted.run('systemctl', 'start', 'signpost-backup.service');
    const left = await backups();
    assert.equal(left.length, 14);
    assert.ok(!left.includes(old[0]) && left.includes(old.at(-1)));
  });
  await check(
    'signpost-backup.service: if it fails, on-failure is told, and the journal says so',
    async () => {
      const hook = '#!/bin/sh\necho "$1" > /run/told\n';
      await booted.run('sh', '-c', `printf '${hook}' > /etc/signpost/on-failure`);
      await booted.run('chmod', '755', '/etc/signpost/on-failure');
      await booted.run('mv', BACKUPS, `${BACKUPS}.away`);
      await booted.run('touch', BACKUPS);
      await assert.rejects(booted.run('systemctl', 'start', 'signpost-backup.service'));
      await until(
        'the program was told',
        async () => (await booted.run('cat', '/run/told')).trim() === 'signpost-backup.service',
      );
      const journal = await booted.run('journalctl', '--priority=crit', '--output=cat', '--no-pager');
      assert.match(journal, /signpost-backup\.service failed\. What it said/u);
    },
  );
  await check('signpost.service: systemd stops it well', async () => {
    await booted.run('systemctl', 'stop', 'signpost');
    const state = await booted.run('systemctl', 'show', '--property=Result,ExecMainStatus', 'signpost');
    assert.deepEqual(state.trim().split('\n').toSorted(), ['ExecMainStatus=0', 'Result=success']);
  });
  booted.powerOff();
}
