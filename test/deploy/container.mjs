import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';

/** The restrictions of deploy/compose.single.yaml and of docs/how-to/run-in-a-container.md. */
const restrictions = (root, profile) => [
  ...['--init', '--read-only', '--tmpfs=/tmp:size=1g,mode=1777', '--cap-drop=ALL'],
  ...[
    '--security-opt=no-new-privileges',
    `--security-opt=seccomp=${profile ?? join(root, 'deploy/seccomp.json')}`,
  ],
];

/**
 * Starts the image as the documents say. `url` is its address on this machine. `inner` is the address at which the server
 * finds itself, and so the address of the front page that a capture may show.
 */
export async function startServer({ engine, root, image, volume, environment = {}, profile }) {
  const port = await freePort();
  const isShared = engine.sharesNetwork();
  const variables = { ...environment, ...(isShared ? { SIGNPOST_PORT: String(port) } : {}) };
  const container = await engine.start([
    ...restrictions(root, profile),
    `--volume=${volume}:/data`,
    ...(isShared ? [] : [`--publish=127.0.0.1:${port}:3000`]),
    ...Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`),
    image,
  ]);
  const url = `http://127.0.0.1:${port}`;
  const call = (path, options = {}) =>
    fetch(`${url}${path}`, { signal: AbortSignal.timeout(35_000), redirect: 'manual', ...options });
  return {
    ...container,
    url,
    inner: isShared ? url : 'http://127.0.0.1:3000',
    call,
    /** A POST of JSON with an API key. */
    post: (path, key, body) =>
      call(path, {
        method: 'POST',
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}
