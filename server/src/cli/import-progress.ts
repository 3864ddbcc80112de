import cliProgress from 'cli-progress';
import { isTerminal } from './terminal.js';
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
  /** Call before other output: removes the bar, or ends the line of megabytes. May be called twice. */
  end(): void;
}

function bar(stream: NodeJS.WritableStream): ProgressDisplay {
  const display = new cliProgress.SingleBar({
    stream,
    format: '{phase} [{bar}] {percentage}% of {megabytes} MB',
    hideCursor: true,
    clearOnComplete: true,
  });
  let phase: ImportProgress['phase'] | undefined;
  let state: 'none' | 'line' | 'bar' = 'none';
  const endPhase = () => {
    if (state === 'line') stream.write('\n');
    display.stop();
    state = 'none';
  };
  return {
    show({ phase: next, doneBytes, totalBytes }) {
      if (next !== phase) endPhase();
      phase = next;
      const label = PHASE_LABELS[next];
      if (state !== 'bar' && totalBytes !== undefined) {
        endPhase();
        state = 'bar';
        const megabytes = Math.max(1, Math.round(totalBytes / MEGABYTE));
        display.start(totalBytes, 0, { phase: label, megabytes });
      }
      if (state === 'bar') display.update(doneBytes);
      else if (doneBytes > 0) {
        // Without a total, a bar would show 100 % from the start.
        state = 'line';
        stream.write(`\r${label} ${(doneBytes / MEGABYTE).toFixed(1)} MB`);
      }
    },
    end() {
      endPhase();
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

/**
 * Makes a display of an import's progress. On a terminal: a bar, or the megabytes if the total is unknown. Otherwise: a
 * line per phase and, if the total is known, per ten per cent.
 */
export const importProgress = (stream: NodeJS.WritableStream): ProgressDisplay =>
  isTerminal(stream) ? bar(stream) : lines(stream);
