import { check } from '../mcp-conformance/report.mjs';

/** Does what may take longer than a check, and counts it as one; throws where it fails, since the rest builds on it. */
export async function step(title, work) {
  const startMs = performance.now();
  const outcome = await work().then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  const seconds = Math.round((performance.now() - startMs) / 1000);
  await check(`${title} (${seconds} s)`, async () => {
    if (outcome.error !== undefined) throw outcome.error;
  });
  if (outcome.error !== undefined) throw new Error('What builds on it was not checked.');
  return outcome.value;
}
