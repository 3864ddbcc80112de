import { captureLink, type Operation } from '@signpost/contract';
import type { PostcodeDirectory } from '../../postcodes/directory.js';
import { Alert } from '../layout/form.js';
import { withQuery } from '../layout/list.js';
import { CodeBlock, CopyValue } from '../layout/copyable.js';
import { AnswerMap, type AnswerMapProps, requestedPlaces, rowsOf } from './answer-map.js';
import { NullWords, nullWords } from './null-words.js';
import { Facts, isObject, type JsonObject, Rows } from './answer-values.js';

export interface Outcome {
  readonly status: number;
  readonly elapsedMs: number;
  /** The requests left for the key, in words; undefined for a pasted credential, or if the usage was not read. */
  readonly limitsLeft: string | undefined;
  readonly problem?: string | undefined;
  readonly answer?: JsonObject | undefined;
  readonly body: JsonObject;
  readonly isOfCredential?: boolean;
}

const formatPlace = (place: unknown) =>
  isObject(place) ? Object.values(place).map(String).join(', ') : String(place);

/** The response for people: its fields, its items as a list or a table, and a map of the points if there are any. */
function ReadableAnswer({ body, answer, directory }: AnswerMapProps) {
  const rows = rowsOf(answer);
  const isList = Array.isArray(answer['results']) || Array.isArray(answer['postcodes']);
  const { result } = answer;
  const others = Object.fromEntries(
    Object.entries(answer).filter(([name]) => !['results', 'postcodes'].includes(name)),
  );
  const facts = isObject(result) ? result : isList ? others : answer;
  const isTerminated = isObject(result) && result['isActive'] === false;
  return (
    <>
      {isTerminated && (
        <p class="notice">This postcode is terminated: Royal Mail no longer delivers to it.</p>
      )}
      <div class={isList ? undefined : 'answer-one'}>
        <div class="answer-map">
          <AnswerMap body={body} answer={answer} directory={directory} />
        </div>
        {Object.keys(facts).length === 0 ? null : (
          <div>
            <Facts facts={facts} />
          </div>
        )}
      </div>
      {isList ? (
        <Rows rows={rows} label="What was found" requested={requestedPlaces(body)?.map(formatPlace)} />
      ) : null}
    </>
  );
}

const formatElapsed = (ms: number) =>
  ms < 1_000
    ? `${Math.max(1, Math.round(ms))} ms`
    : `${(ms / 1_000).toLocaleString('en-GB', { maximumFractionDigits: 1 })} s`;

function LinkToCopy({ answer }: { readonly answer: JsonObject }) {
  const { success, data } = captureLink.safeParse(answer);
  return success ? <CopyValue id="made-link" label="the link" value={data.url} /> : null;
}

const RATE_LIMITED = 429;

interface AnswerProps {
  readonly outcome: Outcome;
  readonly operation: Operation;
  readonly directory: PostcodeDirectory;
  /** The id of the person's key that was chosen in the form; empty if none was. */
  readonly keyId: string;
}

export function Answer({ outcome, operation, directory, keyId }: AnswerProps) {
  const { status, elapsedMs, limitsLeft, problem, answer, body } = outcome;
  const isGood = problem === undefined;
  return (
    <NullWords.Provider value={nullWords(operation)}>
      <p class="answer-line" data-answered={isGood ? 'good' : 'bad'}>
        <span class={isGood ? 'status good' : 'status danger'}>{status}</span> in {formatElapsed(elapsedMs)}
        {limitsLeft === undefined ? null : <span class="muted"> · this key: {limitsLeft}</span>}
      </p>
      {isGood ? null : (
        <>
          <Alert hasFocus>{problem}</Alert>
          <p>
            <a href="/docs/reference/errors">Common errors and their cures</a>
          </p>
        </>
      )}
      {status === RATE_LIMITED && operation.interface === 'A' && (
        <p>
          <a href={withQuery('/higher-limits', { key: keyId })}>Ask for higher limits</a>
        </p>
      )}
      {answer === undefined ? null : (
        <>
          <LinkToCopy answer={answer} />
          <ReadableAnswer body={body} answer={answer} directory={directory} />
          <details>
            <summary>The answer as JSON</summary>
            <CodeBlock
              id="answer-json"
              label="The answer as JSON"
              code={JSON.stringify(answer, null, 2)}
              fileName="answer.json"
            />
          </details>
        </>
      )}
    </NullWords.Provider>
  );
}
