import { formatDuration } from '@signpost/contract';
import { MINUTE_MS } from '../../platform/time-units.js';
import { memoizeByObject } from '../../platform/memoize-by-object.js';
import { addressSubject } from '../../throttle/address-subject.js';
import { RecentEvents } from '../../throttle/recent-events.js';
import { formFields } from '../layout/form-data.js';
import { formatCount } from '../layout/formatting.js';
import { operationPath } from '../layout/operation-path.js';
import { CountryMap } from '../map/country-map.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import type { PageContext } from '../routing/page-context.js';
import { Facts } from '../layout/facts.js';

/** How many postcodes an IP address (IPv6: a network) may look up here in a minute. */
const MAX_TRIES = 20;
const MAX_SHOWN_CHARACTERS = 20;

const triesOf = memoizeByObject(
  ({ monotonicMs }: ConsoleDeps) => new RecentEvents({ max: MAX_TRIES, windowMs: MINUTE_MS, monotonicMs }),
);

const FACTS = [
  ['Local authority', 'localAuthority'],
  ['Constituency', 'constituency'],
  ['Ward', 'ward'],
  ['Region', 'region'],
  ['Country', 'country'],
] as const;

interface Result {
  readonly status: 200 | 404 | 429;
  readonly found?: NonNullable<ReturnType<typeof lookUp>>;
  readonly problem?: string;
}

function lookUp(deps: ConsoleDeps, postcode: string) {
  const directory = deps.directories.current();
  const row = directory.rowOf(postcode);
  if (row === undefined || row === 'malformed') return undefined;
  return { record: directory.record(row), point: directory.pointOf(row) };
}

/**
 * Looks up the postcode in the page's query; undefined if the query has none. If the postcode is unknown, or the
 * address of the sender has used up its `MAX_TRIES`, the result has a problem to show.
 */
export function tryPostcode({ deps, request }: PageContext): Result | undefined {
  const { postcode } = formFields(request.query, ['postcode']);
  if (postcode.trim() === '') return undefined;
  const retryAfterSeconds = triesOf(deps).add(addressSubject(request.ip));
  if (retryAfterSeconds > 0)
    return {
      status: 429,
      problem: `You have tried ${MAX_TRIES} postcodes in a minute. Try again in ${formatDuration(retryAfterSeconds)}, or make a key.`,
    };
  const found = lookUp(deps, postcode);
  if (found !== undefined) return { status: 200, found };
  const { info } = deps.directories.current();
  return {
    status: 404,
    problem: info.isSample
      ? `It is not among the ${formatCount(info.rows)} sample postcodes of this server. Try SW1A 1AA, EH99 1SP or CF99 1SN.`
      : 'There is no such postcode.',
  };
}

function FoundPostcode({ record, point }: NonNullable<Result['found']>) {
  return (
    <div class="try-found">
      <Facts facts={FACTS.map(([label, name]) => [label, record[name] ?? false])} />
      {point === undefined ? null : (
        <CountryMap
          label={record.postcode}
          whereabouts={record.localAuthority ?? record.country ?? ''}
          {...point}
        />
      )}
    </div>
  );
}

/** A form that looks up one postcode, for people without a key, and its result. */
export function PostcodeTrial({
  result,
  text,
}: {
  readonly result: Result | undefined;
  readonly text: string;
}) {
  return (
    <section class="card" id="try" aria-labelledby="try-title">
      <h2 id="try-title">Try a postcode</h2>
      <form action="/#try" class="row">
        <div class="field">
          <label for="postcode">Postcode</label>
          <input
            id="postcode"
            name="postcode"
            required
            autocomplete="off"
            maxlength={MAX_SHOWN_CHARACTERS}
            placeholder="SW1A 1AA"
            value={text.slice(0, MAX_SHOWN_CHARACTERS)}
            aria-describedby={result?.problem === undefined ? undefined : 'postcode-problem'}
          />
        </div>
        <button type="submit">Look it up</button>
      </form>
      {result?.problem === undefined ? null : (
        <p class="problem" id="postcode-problem" role="alert">
          {result.problem}
        </p>
      )}
      {result?.found === undefined ? null : <FoundPostcode {...result.found} />}
      <p class="hint">
        <a href={operationPath('lookupPostcode')}>All fields, and the request in code</a>
      </p>
    </section>
  );
}
