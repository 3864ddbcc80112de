import { type DailyUsage, totalOf } from '../chart/usage-summary.js';
import { DailyUsageChart } from '../chart/daily-usage-chart.js';
import type { LoggedRequest } from '../../usage/read-request-log.js';
import { Form, Submit } from '../layout/form.js';
import { formatCount } from '../layout/formatting.js';
import { LiveRegion } from '../layout/live-region.js';
import { operationTitle } from '../usage/usage-query.js';
import { Actions } from '../layout/actions.js';

interface FirstAnswerProps {
  readonly keyId: number;
  readonly dailyUsage: DailyUsage;
  readonly last: LoggedRequest | undefined;
  readonly problem: string | undefined;
  /** Whether a request from the viewer's address was rejected as `unauthorized` in the last minute. */
  readonly isRefused: boolean;
}

const Waiting = ({ keyId, problem, isRefused }: Omit<FirstAnswerProps, 'dailyUsage' | 'last'>) => (
  <>
    <p class="waiting" role="status">
      <span class="pulse" aria-hidden="true" /> Waiting for your first request…
    </p>
    {problem === undefined ? null : <p class="notice danger">{problem}</p>}
    {isRefused ? (
      <p class="notice">
        A request came from your address, but its key is missing or mistyped: it is none that this server
        knows. Copy the whole key again, from <code>sp_live_</code> to its end.
      </p>
    ) : null}
    <p class="muted">No terminal at hand? You can send the same request from here.</p>
    <Form action="/welcome#live" class="send-here" id="send-here">
      <input type="hidden" name="act" value="ask" />
      <input type="hidden" name="key" value={String(keyId)} />
      <Submit>Send it from here</Submit>
    </Form>
  </>
);

const FIRST_ERROR_STATUS = 400;

function Answered({ dailyUsage, last }: Pick<FirstAnswerProps, 'dailyUsage' | 'last'>) {
  const total = totalOf(dailyUsage);
  const isFailed = last !== undefined && last.status >= FIRST_ERROR_STATUS;
  return (
    <>
      <p class={isFailed ? 'notice' : 'notice good'} role="status">
        {isFailed
          ? 'Your last request arrived, but it failed.'
          : total === 1
            ? 'Your first answer is here.'
            : `${formatCount(total)} requests were answered.`}
        {last === undefined
          ? ''
          : ` The last: ${operationTitle(last.operation)}, ${last.status}, in ${formatCount(last.elapsedMs)} ms.`}
        {isFailed && last.rejection !== undefined ? ` ${last.rejection}` : ''}
      </p>
      <DailyUsageChart dailyUsage={dailyUsage} label="Your requests per day" />
      <Actions
        links={[
          ['/reference', 'Try every operation', 'main'],
          ['/overview', 'To your overview'],
        ]}
      />
    </>
  );
}

/**
 * Says that it waits while the account's daily usage is 0. Then shows the latest request of the key on the page, and
 * the account's requests per day.
 */
export const FirstAnswer = ({ dailyUsage, last, ...waiting }: FirstAnswerProps) => (
  <LiveRegion>
    {totalOf(dailyUsage) === 0 ? <Waiting {...waiting} /> : <Answered dailyUsage={dailyUsage} last={last} />}
  </LiveRegion>
);
