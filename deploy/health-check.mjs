// For a container's HEALTHCHECK: ends with 0 where the server in this container answers.
const TIMEOUT_MS = 4_000;

const port = process.env.SIGNPOST_PORT || '3000';
const host = process.env.SIGNPOST_HOST;
const reached = host === undefined || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;

try {
  const answer = await fetch(`http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/healthz`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  console.log(`${answer.status} ${await answer.text()}`);
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.log(String(error));
  process.exitCode = 1;
}
