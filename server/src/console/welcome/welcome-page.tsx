import { operations } from '@signpost/contract';
import type { ComponentChildren } from 'preact';
import { createProject } from '../../accounts/project.js';
import { abortOnDisconnect } from '../../http/connections.js';
import { createKey } from '../../keys/create-key.js';
import { listKeys } from '../../keys/find-keys.js';
import { CodeTabs, PROGRAMS } from '../code/code-tabs.js';
import type { CallKey } from '../code/request-code.js';
import { CopyValue } from '../layout/copyable.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { isObject } from '../answer/answer-values.js';
import { tryCall, formatLimitsLeft } from '../answer/attempt.js';
import { Answer, type Outcome } from '../answer/outcome.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { FirstAnswer } from './first-answer.js';

const PATH = '/welcome';
const EXAMPLE = { postcode: 'SW1A 1AA' };

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ComponentChildren;
}

const Step = ({ number, title, children }: StepProps) => (
  <section class="card step" aria-labelledby={`step-${number}`}>
    <h2 id={`step-${number}`}>
      <span class="step-number">{number}</span> {title}
    </h2>
    {children}
  </section>
);

const KeyForm = () => (
  <Step number={1} title="Make a key">
    <p>Programs show a key with each request. It belongs to a project, which says what it is for.</p>
    <Form action={PATH} class="stack project-form">
      <Field
        name="name"
        label="Name of the project"
        autocomplete="off"
        required
        maxlength={100}
        value="My first project"
      />
      <button type="submit" name="act" value="make">
        Make my key
      </button>
    </Form>
  </Step>
);

const KeyStep = ({ callKey }: { readonly callKey: CallKey }) => (
  <Step number={1} title="Your key">
    {callKey.isWhole ? (
      <>
        <p class="notice">
          It is shown only now. Keep it where only your program can read it: anyone who has it can use your
          limits.
        </p>
        <CopyValue id="new-key" label="the key" value={callKey.text} />
      </>
    ) : (
      <p>
        <code>{callKey.text}…</code> It was shown once, when it was made. If you lost it, make another on the{' '}
        <a href="/overview">overview</a> and revoke this one.
      </p>
    )}
  </Step>
);

const renderSteps = (context: SignedInContext, children: ComponentChildren, problems?: FormProblems) =>
  context.render(
    { title: 'Your first request', problems },
    <>
      <h1>{context.user.account.name === null ? 'Welcome' : `Welcome, ${context.user.account.name}`}</h1>
      <p>Three steps to your first answer.</p>
      {children}
    </>,
  );

const showForm = (context: SignedInContext, problems?: FormProblems) =>
  renderSteps(context, <KeyForm />, problems);

interface Steps {
  readonly keyId: number;
  readonly callKey: CallKey;
  readonly problem?: string | undefined;
  readonly outcome?: Outcome;
}

async function showSteps(context: SignedInContext, { keyId, callKey, problem, outcome }: Steps) {
  const { deps, user, request } = context;
  const [{ dailyUsage }, [last]] = await Promise.all([
    deps.usage.ofAccount(user.account.id),
    deps.history.logOfKey(keyId),
  ]);
  const call = {
    id: 'lookupPostcode',
    operation: operations.lookupPostcode,
    publicUrl: deps.publicUrl(),
    key: callKey,
    request: { body: EXAMPLE, variables: [] },
  };
  return renderSteps(
    context,
    <>
      <KeyStep callKey={callKey} />
      <Step number={2} title="Send a request">
        <p>Paste this into a terminal, or into a program; it looks a postcode up.</p>
        <CodeTabs id="first" call={call} languages={PROGRAMS} />
      </Step>
      <Step number={3} title="See it arrive">
        <FirstAnswer
          keyId={keyId}
          dailyUsage={dailyUsage}
          last={last}
          problem={problem}
          isRefused={deps.rejectionLimit.hasRejectedKey(request.ip)}
        />
        {/* Outside of the live region, so that an update does not remove the answer. */}
        <div id="first-answer">
          {outcome === undefined ? null : (
            <Answer
              outcome={outcome}
              operation={operations.lookupPostcode}
              directory={deps.directories.current()}
              keyId={String(keyId)}
            />
          )}
        </div>
      </Step>
    </>,
  );
}

async function makeKey(context: SignedInContext) {
  const { domain, user } = context;
  const { name } = formFields(context.request.body, ['name']);
  const accountId = user.account.id;
  const project = await createProject(domain, { accountId, name });
  const { id, key } = await createKey(domain, { accountId, projectId: project.id });
  return showSteps(context, { keyId: id, callKey: { text: key, isWhole: true } });
}

/** Runs the example request with the key that the form names. Redirects to /welcome if that is no live key. */
async function sendExample(context: SignedInContext) {
  const { deps, domain, user, reply, request } = context;
  const { key: keyId } = formFields(request.body, ['key']);
  const keys = await listKeys(domain, user.account.id, 'live');
  const key = keys.find(({ id }) => String(id) === keyId);
  if (key === undefined) return context.redirect(PATH);
  const startedMs = deps.monotonicMs();
  const caller = { signal: abortOnDisconnect(reply), requestId: request.id };
  const attempt = await tryCall(caller, (options) =>
    deps.calls.perform(key, deps.operations.lookupPostcode, EXAMPLE, options),
  );
  const steps = { keyId: key.id, callKey: { text: key.prefix, isWhole: false } };
  if (!attempt.isDone) return showSteps(context, { ...steps, problem: attempt.error.message });
  const { result, admission } = attempt;
  const answer = 'value' in result && isObject(result.value) ? result.value : {};
  const limitsLeft = admission === undefined ? undefined : formatLimitsLeft(admission);
  const elapsedMs = deps.monotonicMs() - startedMs;
  const outcome = { status: 200, elapsedMs, limitsLeft, answer, body: EXAMPLE };
  return showSteps(context, { ...steps, outcome });
}

/** GET and POST /welcome: the steps from a new account to the first response. */
export const welcomePage = signedInPage(PATH, {
  get: async (context) => {
    const [key] = await listKeys(context.domain, context.user.account.id, 'live');
    return key === undefined
      ? showForm(context)
      : showSteps(context, { keyId: key.id, callKey: { text: key.prefix, isWhole: false } });
  },
  post: (context) =>
    formFields(context.request.body, ['act']).act === 'ask' ? sendExample(context) : makeKey(context),
  onError: (context, error) => showForm(context, context.problemsOf(error, 'name')),
});
