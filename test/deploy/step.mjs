import { check } from '../mcp-conformance/report.mjs';

/** Runs work that may take longer than a check, and counts it as one. Throws if it fails, because later checks need it. */
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
  if (outcome.error !== undefined) throw new Error('The checks that need it were left out.');
  return outcome.value;
}
