import type { QueueState } from '../../../capture/capture-queue.js';

const BROWSER = {
  ready: { words: 'ready', tone: 'good' },
  starting: { words: 'starting', tone: 'warn' },
  down: { words: 'down', tone: 'danger' },
} as const;

const count = (value: number) => value.toLocaleString('en-GB');

/** How the browser stands, and the captures before it. */
export function CaptureCard({ state }: { readonly state: QueueState }) {
  const { words, tone } = BROWSER[state.browser];
  return (
    <li class="card">
      <h2>Captures</h2>
      <dl class="facts">
        <dt>Browser</dt>
        <dd>
          <span class={`badge ${tone}`}>{words}</span>
        </dd>
        <dt>Program</dt>
        <dd class="operator-program">{state.program}</dd>
        <dt>Under way</dt>
        <dd>{count(state.active)}</dd>
        <dt>Waiting</dt>
        <dd>{count(state.queued)}</dd>
        <dt>Since the start</dt>
        <dd>
          {count(state.captures)} {state.captures === 1 ? 'capture' : 'captures'}
        </dd>
        <dt>Browser restarts</dt>
        <dd>{count(state.restarts)}</dd>
      </dl>
    </li>
  );
}
