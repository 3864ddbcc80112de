import type { ComponentChildren } from 'preact';
import type { Account } from '../../accounts/account.js';
import type { FormProblems } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import { PasswordField } from '../layout/password-field.js';

export const NAME_PATH = '/account/name';
export const EMAIL_PATH = '/account/email';
export const ALERTS_PATH = '/account/alerts';
export const PAGE_LOGGING_PATH = '/account/page-logging';
/** The setting on the account page that decides what the request log records. */
export const LOG_SETTING_PATH = '/account#log';

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** One setting of an account, with the form that changes it. */
export const Card = ({ id, title, children }: CardProps) => (
  <section class="card setting" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <div>{children}</div>
  </section>
);

interface FormCardProps {
  readonly account: Account;
  readonly problems: FormProblems | undefined;
}

export const NameCard = ({ account, problems }: FormCardProps) => (
  <Card id="name-heading" title="Name">
    <FormAlert problems={problems} />
    <Form action={NAME_PATH} class="stack account-form">
      <Field
        name="name"
        label="Your name"
        hint="Shown at the top of each page. If it is empty, your e-mail is shown."
        autocomplete="name"
        maxlength={100}
        value={account.name ?? ''}
        problems={problems}
      />
      <button type="submit" class="secondary">
        Save the name
      </button>
    </Form>
  </Card>
);

export const EmailCard = ({ account, problems }: FormCardProps) => (
  <Card id="email-heading" title="E-mail">
    <p>
      You sign in as <strong>{account.email}</strong>.
    </p>
    <FormAlert problems={problems} />
    <Form action={EMAIL_PATH} class="stack account-form">
      <input type="hidden" name="username" value={account.email} autocomplete="username" />
      <Field name="email" label="New e-mail" type="email" autocomplete="email" required problems={problems} />
      <PasswordField name="current" label="Your password" problems={problems} />
      <button type="submit" class="secondary">
        Change the e-mail
      </button>
    </Form>
  </Card>
);

export const PasswordCard = () => (
  <Card id="password-heading" title="Password">
    <p>A new password signs out all your other browsers.</p>
    <p class="actions">
      <a class="button secondary" href="/password">
        Change your password
      </a>
    </p>
  </Card>
);

interface SecondFactorCardProps {
  readonly isOn: boolean;
  readonly codesLeft: number;
}

export const SecondFactorCard = ({ isOn, codesLeft }: SecondFactorCardProps) => (
  <Card id="second-factor" title="Second factor">
    <p>
      {isOn ? (
        <>
          <span class="badge good">on</span> You sign in with your password and a code from your app.
        </>
      ) : (
        <>
          <span class="badge">off</span> You sign in with your password only.
        </>
      )}{' '}
      {isOn ? `${codesLeft} recovery ${codesLeft === 1 ? 'code is' : 'codes are'} left.` : null}
    </p>
    <p class="actions">
      <a class="button secondary" href="/account/second-factor">
        {isOn ? 'Turn off the second factor…' : 'Set up a second factor'}
      </a>
      {isOn ? (
        <a class="button secondary" href="/account/second-factor/codes">
          Make new recovery codes…
        </a>
      ) : null}
    </p>
  </Card>
);

interface AlertsCardProps {
  readonly email: string;
  readonly areOn: boolean;
}

/** Whether mail is sent about limits. Shown only if mail is configured. */
export const AlertsCard = ({ email, areOn }: AlertsCardProps) => (
  <Card id="alerts" title="Mail about limits">
    <p>
      {areOn ? 'On' : 'Off'}: when 80% and 100% of a day’s limit of a key are used,{' '}
      {areOn ? 'a mail goes' : 'no mail goes'} to {email}.
    </p>
    <Form action={ALERTS_PATH}>
      <input type="hidden" name="state" value={areOn ? 'off' : 'on'} />
      <button type="submit" class="secondary">
        {areOn ? 'Turn this mail off' : 'Turn this mail on'}
      </button>
    </Form>
  </Card>
);

/** Whether the request log records the addresses of captured pages. */
export const LogCard = ({ logsPages }: { readonly logsPages: boolean }) => (
  <Card id="log" title="Log of requests">
    <p>
      {logsPages ? <span class="badge good">on</span> : <span class="badge">off</span>} Keep the addresses of
      captured pages in the log of requests. They stay for seven days, and you and the operators of this
      server see them.
    </p>
    <p class="muted">
      Of an address the host and the path are kept; never a user and password, or what follows a ? or #.
      {logsPages ? ' Turning it off removes those that were kept.' : null}
    </p>
    <Form action={PAGE_LOGGING_PATH}>
      <input type="hidden" name="state" value={logsPages ? 'off' : 'on'} />
      <button type="submit" class="secondary">
        {logsPages ? 'Turn this off' : 'Turn this on'}
        <span class="visually-hidden">: addresses of captured pages in the log</span>
      </button>
    </Form>
  </Card>
);

export const DeletionCard = () => (
  <Card id="deletion" title="Delete the account">
    <p>
      Your projects, keys, tokens and usage are deleted with it. Programs that use your keys are refused at
      once.
    </p>
    <p class="actions">
      <a class="button destructive" href="/account/delete">
        Delete the account…
      </a>
    </p>
  </Card>
);
