import type { Operation } from '@signpost/contract';
import { Answer } from '../answer/outcome.js';
import { ALL_LANGUAGES, CodeTabs } from '../code/code-tabs.js';
import type { CallKey } from '../code/request-code.js';
import { KeySelect } from '../keys/key-select.js';
import { Labelled, describedBy } from '../layout/form.js';
import { DirectoryNotice } from '../layout/notices.js';
import { operationPath } from '../layout/operation-path.js';
import { describeSchema } from '../request/json-schema.js';
import { requestFields, type RequestField } from '../request/request-fields.js';
import { LEFT_OUT, linkState, maskForm, maskRequest } from '../request/masked-request.js';
import type { OperationViewProps } from './operation-state.js';
import { OperationDetails } from './operation-details.js';
import { MethodBadge, OperationLinks } from './operation-links.js';
import { CREDENTIALS } from './pasted-credential.js';
import { requestExample } from './request-example.js';
import { FORM_ID, RequestForm } from './request-form.js';

/** An input for a pasted credential, which no page shows again. */
function Credential({ operation, outcome }: OperationViewProps) {
  const credential = CREDENTIALS[operation.authentication];
  if (credential === undefined) return null;
  const problem = outcome?.isOfCredential === true ? outcome.problem : undefined;
  return (
    <Labelled id="credential" label={credential.label} hint={credential.hint} problem={problem}>
      <input
        id="credential"
        name="credential"
        form={FORM_ID}
        type="password"
        required
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder={credential.placeholder}
        {...describedBy('credential', credential.hint, problem)}
        data-secret=""
      />
    </Labelled>
  );
}

/**
 * The input for the call's credential. Interface A: a choice among the person's keys that work or, if there are none, a
 * pasted key. Interface B: a pasted token, unless the token is a field of the request.
 */
function Caller(props: OperationViewProps) {
  const { operation, keys, keyId, accountId } = props;
  if (operation.interface === 'B')
    return (
      <>
        <Credential {...props} />
        {accountId === undefined || operation.authentication === 'body' ? null : (
          <p class="hint">
            The page <a href="/apikeys">Tokens</a> shows yours.
          </p>
        )}
      </>
    );
  if (keys.length > 0) return <KeySelect id="request-key" keys={keys} chosen={keyId} form={FORM_ID} />;
  return (
    <>
      {accountId === undefined ? (
        <p class="hint">
          <a href={`/signin?next=${encodeURIComponent(operationPath(props.id))}`}>Sign in</a> to choose one of
          your keys, or paste one.
        </p>
      ) : (
        <p class="notice">
          You have no key that works. <a href="/welcome">Make a key</a>
        </p>
      )}
      <Credential {...props} />
    </>
  );
}

/** The operation's method and address, the choice of the credential, and the button that sends the request. */
function RequestBar(props: OperationViewProps) {
  const { operation, publicUrl } = props;
  const isFile = operation.response.kind === 'file';
  return (
    <section class="card request-bar" aria-labelledby="send-title">
      <h2 id="send-title" class="visually-hidden">
        Send the request
      </h2>
      <p class="endpoint">
        <MethodBadge method={operation.method} /> <code>{`${publicUrl}${operation.path}`}</code>
      </p>
      <Caller {...props} />
      <p class="actions">
        <button type="submit" form={FORM_ID} id="send">
          Send
        </button>
        <button type="button" class="secondary" id="cancel" hidden>
          Cancel
        </button>
        <span class="hint" data-without-script="">
          {operation.interface === 'A' ? 'It counts as one request of the key.' : ''}
          {isFile ? ' The file opens in a new tab.' : ''}
        </span>
      </p>
    </section>
  );
}

/**
 * The request that the code shows while the form is untouched: the shortest valid one, with placeholders for its
 * secrets. Undefined if the operation has no fields.
 */
function exampleRequest({ request }: Operation, publicUrl: string) {
  if (request === undefined) return undefined;
  const { root } = describeSchema(request, 'input');
  const { shortest, secrets } = requestExample(root, publicUrl);
  const values = { ...shortest, ...Object.fromEntries(secrets.map((name) => [name, ''])) };
  return maskRequest(values, root.properties ?? {});
}

const keyOf = ({ keys, keyId, operation }: OperationViewProps): CallKey | undefined => {
  const key = keys.find(({ id }) => String(id) === keyId);
  return key === undefined || operation.authentication !== 'apiKey'
    ? undefined
    : { text: key.prefix, isWhole: false };
};

function Code({
  props,
  leftOut,
  link,
}: {
  readonly props: OperationViewProps;
  readonly leftOut: readonly RequestField[];
  readonly link: string;
}) {
  const { id, operation, state, publicUrl } = props;
  const isUntouched = Object.values(state).every((text) => text === '' || text === 'no');
  const typed = operation.request && maskForm(requestFields(operation), state, leftOut);
  const request = isUntouched && leftOut.length === 0 ? exampleRequest(operation, publicUrl) : typed;
  return (
    <section class="card" aria-labelledby="code-title">
      <div class="page-head">
        <h2 id="code-title">The same in code</h2>
        <a id="request-link" href={link}>
          Link to this request
        </a>
      </div>
      <CodeTabs
        id="call"
        call={{ id, operation, request, publicUrl, key: keyOf(props) }}
        languages={ALL_LANGUAGES}
      />
    </section>
  );
}

/**
 * The button that makes a link to the capture; nothing if the operation returns no file. The link is shown on this
 * page, although files open in a new tab.
 */
function LinkButton({ id, operation }: OperationViewProps) {
  if (operation.response.kind !== 'file') return null;
  return (
    <p class="actions">
      <button
        type="submit"
        form={FORM_ID}
        class="secondary small"
        name="link"
        value="yes"
        formaction={`${operationPath(id)}#result`}
        formtarget="_self"
      >
        Make a link to this {id === 'capturePdf' ? 'PDF' : 'picture'}
      </button>
      <span class="hint">Anyone who has it sees what is captured, without a key.</span>
    </p>
  );
}

/** The page of one operation: its form, the result, the request as code, and the documented responses. */
export function OperationView(props: OperationViewProps) {
  const { id, operation, state, keyId, leftOut, outcome, directory, accountId } = props;
  const { query, leftOut: leftOutFields } = linkState(requestFields(operation), state, leftOut);
  const link = operationPath(id, {
    ...(keyId === '' ? {} : { key: keyId }),
    ...Object.fromEntries(query),
    ...(leftOutFields.length === 0 ? {} : { [LEFT_OUT]: leftOutFields.map(({ name }) => name).join(',') }),
  });
  return (
    <div class="reference operation-page" id="operation" data-operation={id} data-account={accountId ?? ''}>
      <div class="operation-form">
        <OperationLinks chosen={id} />
        <h1 id="request-title">{operation.title}</h1>
        <p>{operation.description}</p>
        <RequestForm {...props} leftOutFields={leftOutFields} />
      </div>
      <div class="operation-side">
        <RequestBar {...props} />
        <section class="card" id="result" aria-labelledby="result-title">
          <h2 id="result-title">Answer</h2>
          <div id="answer">
            {outcome === undefined ? (
              <p class="muted">Nothing was sent yet.</p>
            ) : (
              <Answer outcome={outcome} operation={operation} directory={directory} keyId={keyId} />
            )}
          </div>
          <LinkButton {...props} />
        </section>
        <Code props={props} leftOut={leftOutFields} link={link} />
        <section class="card" id="history" aria-labelledby="history-title" hidden>
          <div class="page-head">
            <h2 id="history-title">Your last requests</h2>
            <button type="button" class="small" id="forget-history">
              Forget them
            </button>
          </div>
          <ol id="history-list" />
          <p class="hint">Kept only in this browser, without secrets.</p>
        </section>
        {accountId === undefined ? null : <DirectoryNotice info={directory.info} />}
      </div>
      <OperationDetails operation={operation} />
    </div>
  );
}
