import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runCommand } from './run-command.mjs';

/** Starts a process that does nothing in a network of its own, which lasts as long as the process. */
async function holdNetwork() {
  // The program says a word once it is in the network.
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo && exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  return holder;
}

/** Made of the address, as Docker does: who starts again at an address is found there at once. */
const hardwareAddress = (address) =>
  ['02', '42', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');

const ip = (pid, ...words) => runCommand('nsenter', [`--net=/proc/${pid}/ns/net`, 'ip', ...words]);

/** Bridges apart from this machine's networks, one for each network of compose.yaml. */
export async function openSwitch(networkNames) {
  const { pid: hub } = await holdNetwork();
  for (const index of networkNames.keys()) {
    await ip(hub, 'link', 'add', `bridge${index}`, 'type', 'bridge');
    await ip(hub, 'link', 'set', `bridge${index}`, 'up');
  }
  let count = 0;
  /** Makes a network for one container, plugged into the bridges of its networks; answers the process that holds it. */
  const plug = async (addresses) => {
    const holder = await holdNetwork();
    const { pid } = holder;
    await ip(pid, 'link', 'set', 'lo', 'up');
    for (const [name, address] of Object.entries(addresses)) {
      const index = networkNames.indexOf(name);
      const cable = `cable${(count += 1)}`;
      const plugged = ['name', `eth${index}`, 'address', hardwareAddress(address), 'netns', String(pid)];
      await ip(hub, 'link', 'add', cable, 'type', 'veth', 'peer', ...plugged);
      await ip(hub, 'link', 'set', cable, 'master', `bridge${index}`, 'up');
      await ip(pid, 'address', 'add', `${address}/24`, 'dev', `eth${index}`);
      await ip(pid, 'link', 'set', `eth${index}`, 'up');
    }
    return holder;
  };
  return { plug };
}
