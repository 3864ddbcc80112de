import { mkdir, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { endAll } from './endings.js';
import { table } from './figures.js';
import { machine, machineWords } from './machine.js';
import { writeMarkdown } from './markdown.js';
import { PARTS, readOptions, type BenchOptions } from './options.js';
import { measureParts } from './parts.js';
import type { Section } from './section.js';
import { startSignpost, type SignpostProcess } from './signpost-process.js';

async function run(options: BenchOptions): Promise<void> {
  const measuredAt = new Date();
  process.stdout.write(`${machineWords}\n`);
  let server: Promise<SignpostProcess> | undefined;
  const startServer = () => (server ??= startSignpost({ directory: options.directory }));

  const sections: Section[] = [];
  for (const part of PARTS.filter((one) => options.parts.has(one))) {
    for (const section of await measureParts[part](options, startServer)) {
      process.stdout.write(table(section.title, section.rows));
      sections.push(section);
    }
  }

  const figures = Object.fromEntries(sections.map(({ name, rows }) => [name, rows]));
  await mkdir(dirname(options.json), { recursive: true });
  await writeFile(
    options.json,
    `${JSON.stringify({ measuredAt: measuredAt.toISOString(), machine, ...figures }, undefined, 2)}\n`,
  );
  process.stdout.write(`\nWritten to ${options.json}\n`);
  if (options.markdown !== undefined) {
    const provenance = `Measured on ${measuredAt.toISOString().slice(0, 10)}: ${machineWords}.`;
    await writeMarkdown(options.markdown, sections, provenance);
    process.stdout.write(`Written to ${options.markdown}\n`);
  }
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Both the terminal and npm forward Ctrl-C, so the signal may arrive twice.
    if (interruption.signal.aborted) return;
    interruption.abort();
    process.stderr.write('Stopped: ending what was started.\n');
    void endAll().then(() => process.exit(128 + constants.signals[signal]));
  });
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options !== undefined) await run(options);
} catch (error) {
  // Errors of an interrupted measurement are expected.
  if (!interruption.signal.aborted) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
} finally {
  await endAll();
}
