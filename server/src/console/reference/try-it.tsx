import type { Operation } from '@signpost/contract';
import { headersOf } from './answer.js';
import type { RequestExample } from './request-example.js';

interface TryItProps {
  readonly id: string;
  readonly operation: Operation;
  readonly example: RequestExample | undefined;
}

const SENDS: Readonly<Record<Operation['authentication'], string | undefined>> = {
  apiKey: 'the API key',
  accessToken: 'the authorisation value',
  body: undefined,
};

const lines = (text: string) => text.split('\n').length;

/** The words of a field's name: `refreshToken` is "Refresh token". */
function label(name: string): string {
  const words = name.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function Secret({ id, name }: { readonly id: string; readonly name: string }) {
  const fieldId = `${id}-${name}`;
  return (
    <div class="field">
      <label for={fieldId}>{label(name)}</label>
      <p class="hint" id={`${fieldId}-hint`}>
        Treat it like a password: it is sent to this server alone and forgotten with this page.
      </p>
      <input
        id={fieldId}
        type="password"
        autocomplete="off"
        spellcheck={false}
        data-secret={name}
        aria-describedby={`${fieldId}-hint`}
      />
    </div>
  );
}

function Body({ id, example }: { readonly id: string; readonly example: RequestExample }) {
  const text = JSON.stringify(example.whole, null, 2);
  return (
    <>
      {Object.keys(example.whole).length === 0 ? null : (
        <div class="field">
          <label for={`${id}-body`}>Request body (JSON)</label>
          <textarea
            id={`${id}-body`}
            rows={lines(text) + 1}
            autocomplete="off"
            spellcheck={false}
            data-body=""
          >
            {text}
          </textarea>
        </div>
      )}
      {example.secrets.map((name) => (
        <Secret key={name} id={id} name={name} />
      ))}
    </>
  );
}

/**
 * A form that the page's script sends. Without scripts it stays hidden, and none of its fields has a name, so that
 * nothing of it can ever get into an address.
 */
export function TryIt({ id, operation, example }: TryItProps) {
  const sent = SENDS[operation.authentication];
  return (
    <details class="try" data-try="" hidden>
      <summary>
        Try it<span class="visually-hidden">: {operation.title}</span>
      </summary>
      <form
        class="stack"
        autocomplete="off"
        aria-label={`Try it: ${operation.title}`}
        data-method={operation.method}
        data-path={operation.path}
        data-authentication={operation.authentication}
        data-headers={Object.keys(headersOf(operation)).join(' ')}
      >
        {example === undefined ? null : <Body id={id} example={example} />}
        <div class="actions">
          <button type="submit">
            Send<span class="visually-hidden">: {operation.title}</span>
          </button>
          <span class="muted">
            <code>
              {operation.method} {operation.path}
            </code>
            {sent === undefined ? null : (
              <>
                {' with '}
                <a href="#authorisation">{sent}</a>
              </>
            )}
          </span>
        </div>
        <p class="result-status" role="status" data-status="" />
        <div class="result" data-result="" />
      </form>
    </details>
  );
}
