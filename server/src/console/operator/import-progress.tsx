import type { RunningImport } from '../../postcodes/import/directory-imports.js';
import { formatMegabytes, Timestamp } from '../layout/formatting.js';
import { DIRECTORY_PATH } from './account-route.js';
import { Card } from '../layout/card.js';

const PHASES: Readonly<Record<RunningImport['phase'], string>> = {
  start: 'Beginning',
  receive: 'Receiving the file',
  download: 'Fetching',
  read: 'Reading the postcodes',
  write: 'Writing the directory',
  compare: 'Comparing with the previous edition',
};

const HUNDRED = 100;

export function ImportProgressCard({ underWay }: { readonly underWay: RunningImport }) {
  const { what, startedAtMs, phase, doneBytes, totalBytes } = underWay;
  const isKnown = totalBytes !== undefined && totalBytes > 0;
  const percent = isKnown ? Math.min(HUNDRED, Math.floor((doneBytes / totalBytes) * HUNDRED)) : undefined;
  const done = doneBytes > 0 ? `: ${formatMegabytes(doneBytes)}` : '';
  const share = percent === undefined ? done : `: ${percent} % of ${formatMegabytes(totalBytes ?? 0)}`;
  return (
    <Card id="under-way" title="An import is under way">
      <p class="operator-program">
        {what}, since <Timestamp timeMs={startedAtMs} />. The current directory answers until it is done.
      </p>
      <label class="import-progress">
        {PHASES[phase]}
        {share}
        <progress {...(percent === undefined ? {} : { value: percent, max: HUNDRED })} />
      </label>
      <p class="muted">
        You may leave this page. <a href={DIRECTORY_PATH}>See how far it is</a>
      </p>
    </Card>
  );
}
