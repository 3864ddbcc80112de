import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ociConfig } from './oci-config.mjs';
import { until } from './until.mjs';

/** For the slowest machine; a container that ends is noticed at once. */
const START_TIMEOUT_MS = 90_000;
const INIT = { source: '/usr/bin/tini-static', target: '/sbin/docker-init' };

/** The addresses of a service in its networks: its own where the file gives one, else one that is free. */
function addressesOf(compose, name) {
  const number = Object.keys(compose.services).indexOf(name) + 2;
  return Object.fromEntries(
    Object.entries(compose.services[name].networks ?? { default: {} }).map(([network, settings]) => [
      network,
      settings?.ipv4_address ??
        `172.30.${60 + Object.keys(compose.networks ?? {}).indexOf(network)}.${number}`,
    ]),
  );
}

/**
 * Runs services of a compose file as containers. `images` says of each service what its image holds: `rootfs`,
 * `settings` as of the Dockerfile, and the owner of new volumes.
 */
export function composeProject({ compose, file, folder, runtime, plug, images }) {
  const hosts = join(folder, 'hosts');
  const lines = Object.keys(compose.services).flatMap((name) =>
    Object.values(addressesOf(compose, name)).map((address) => `${address} ${name}`),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(hosts, `127.0.0.1 localhost\n${lines.join('\n')}\n`);

  const bindOf = (words, owner) => {
    const [source, target, options = ''] = words.split(':');
    const isFile = source.startsWith('.');
    const path = isFile ? join(folder, source.replaceAll('/', '-')) : join(folder, 'volumes', source);
    if (isFile) writeFileSync(path, readFileSync(resolve(dirname(file), source)));
    else {
      mkdirSync(path, { recursive: true });
      chownSync(path, ...owner.split(':').map(Number));
    }
    return { source: runtime.seen(path), target, isReadOnly: options === 'ro' };
  };

  /** `overrides` are keys of the service; `changeProfile` answers another seccomp profile than the file's. */
  const start = async (name, overrides = {}, changeProfile = (profile) => profile) => {
    const service = { ...compose.services[name], ...overrides };
    const { rootfs, settings } = images[name];
    const network = await plug(addressesOf(compose, name));
    const profile = service.security_opt
      .find((option) => option.startsWith('seccomp:'))
      ?.slice('seccomp:'.length);
    const config = ociConfig({
      service,
      image: settings,
      rootfs: runtime.seen(rootfs),
      netns: `/proc/${network.pid}/ns/net`,
      binds: [
        { source: runtime.seen(hosts), target: '/etc/hosts', isReadOnly: true },
        ...(service.volumes ?? []).map((words) => bindOf(words, service.user ?? settings.user)),
      ],
      init: INIT,
      seccomp: profile && changeProfile(JSON.parse(readFileSync(resolve(dirname(file), profile), 'utf8'))),
    });
    const container = await runtime.start(`${name}-${network.pid}`, config);
    // Its address is free again, for whoever is started there next.
    container.ended.catch(() => network.kill());
    const [, ...healthCheck] = service.healthcheck?.test ?? ['CMD', ...settings.healthCheck];
    return {
      ...container,
      /** Waits until the health check's own command is content. */
      healthy: () =>
        Promise.race([
          until(`${name} is healthy`, () => container.exec(...healthCheck), START_TIMEOUT_MS),
          container.ended,
        ]),
    };
  };
  return { start, addressesOf: (name) => addressesOf(compose, name) };
}
