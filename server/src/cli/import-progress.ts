import cliProgress from 'cli-progress';
import type { ImportProgress } from '../postcodes/import/import-directory.js';

const MEGABYTE = 1_000_000;
const PERCENT_PER_LINE = 10;

const PHASE_LABELS: Record<ImportProgress['phase'], string> = {
  download: 'Fetching',
  read: 'Reading',
  write: 'Writing',
  compare: 'Comparing',
};

interface ProgressDisplay {
  show(progress: ImportProgress): void;
  /** Clears the terminal for further output. May be called more than once. */
  end(): void;
}

const isTerminal = (stream: NodeJS.WritableStream) => 'isTTY' in stream && stream.isTTY === true;

function bar(stream: NodeJS.WritableStream): ProgressDisplay {
  const display = new cliProgress.SingleBar({
    stream,
    format: '{phase} [{bar}] {percentage}% of {megabytes} MB',
    hideCursor: true,
    clearOnComplete: true,
  });
  let phase: ImportProgress['phase'] | undefined;
  return {
    show({ phase: next, doneBytes, totalBytes }) {
      if (next !== phase) {
        display.stop();
        phase = next;
        const label = PHASE_LABELS[phase];
        // A bar without a total would show 100 % from the start.
        if (totalBytes === undefined) stream.write(`${label}\n`);
        else display.start(totalBytes, 0, { phase: label, megabytes: Math.round(totalBytes / MEGABYTE) });
      }
      display.update(doneBytes);
    },
    end() {
      display.stop();
    },
  };
}

function lines(stream: NodeJS.WritableStream): ProgressDisplay {
  let shown = '';
  return {
    show({ phase, doneBytes, totalBytes }) {
      const percent =
        totalBytes === undefined || totalBytes === 0
          ? undefined
          : Math.floor((doneBytes / totalBytes) * PERCENT_PER_LINE) * PERCENT_PER_LINE;
      const line = `${PHASE_LABELS[phase]}${percent === undefined ? '' : ` ${percent} %`}`;
      if (line !== shown) stream.write(`${line}\n`);
      shown = line;
    },
    end: () => undefined,
  };
}

/** Shows the progress of an import: a bar on a terminal, otherwise a line for every ten per cent. */
export const importProgress = (stream: NodeJS.WritableStream): ProgressDisplay =>
  isTerminal(stream) ? bar(stream) : lines(stream);
