import type { Account } from '../../accounts/account.js';
import { Actions } from '../layout/actions.js';
import { Card as PlainCard, type CardProps } from '../layout/card.js';
import { ButtonForm, Field, Form, Submit } from '../layout/form.js';
import { PasswordField, Username } from '../layout/password-field.js';

export const NAME_PATH = '/account/name';
export const EMAIL_PATH = '/account/email';
export const ALERTS_PATH = '/account/alerts';
export const PAGE_LOGGING_PATH = '/account/page-logging';
/** The path of the setting that says whether the log of requests has the addresses of captured pages. */
export const LOG_SETTING_PATH = '/account#log';

/** A section of the account page, such as a setting with the form that changes it. */
export const Card = ({ children, ...heading }: CardProps) => (
  <PlainCard {...heading} class="card setting">
    <div>{children}</div>
  </PlainCard>
);

export const NameCard = ({ name }: Pick<Account, 'name'>) => (
  <Card id="name-heading" title="Name">
    <Form action={NAME_PATH} class="stack account-form">
      <Field
        name="name"
        label="Your name"
        hint="Shown at the top of each page. If it is empty, your e-mail is shown."
        autocomplete="name"
        maxlength={100}
        value={name ?? ''}
      />
      <Submit>Save the name</Submit>
    </Form>
  </Card>
);

export const EmailCard = ({ email }: Pick<Account, 'email'>) => (
  <Card id="email-heading" title="E-mail">
    <p>
      You sign in as <strong>{email}</strong>.
    </p>
    <Form action={EMAIL_PATH} class="stack account-form">
      <Username email={email} />
      <Field name="email" label="New e-mail" type="email" autocomplete="email" required />
      <PasswordField name="current" label="Your password" />
      <Submit>Change the e-mail</Submit>
    </Form>
  </Card>
);

export const PasswordCard = () => (
  <Card id="password-heading" title="Password">
    <p>A new password signs out all your other browsers.</p>
    <Actions links={[['/password', 'Change your password']]} />
  </Card>
);

interface SecondFactorCardProps {
  readonly isOn: boolean;
  readonly codesLeft: number;
}

const State = ({ isOn }: Pick<SecondFactorCardProps, 'isOn'>) => (
  <span class={isOn ? 'badge good' : 'badge'}>{isOn ? 'on' : 'off'}</span>
);

export const SecondFactorCard = ({ isOn, codesLeft }: SecondFactorCardProps) => (
  <Card id="second-factor" title="Second factor">
    <p>
      <State isOn={isOn} />{' '}
      {isOn
        ? `You sign in with your password and a code from your app. ${codesLeft} recovery ${codesLeft === 1 ? 'code is' : 'codes are'} left.`
        : 'You sign in with your password only.'}
    </p>
    <Actions
      links={[
        ['/account/second-factor', isOn ? 'Turn off the second factor…' : 'Set up a second factor'],
        isOn && ['/account/second-factor/codes', 'Make new recovery codes…'],
      ]}
    />
  </Card>
);

/**
 * Says whether mail is sent about limits, with a button that changes this. Shown only if mail is configured and can
 * reach the account's address.
 */
export const AlertsCard = ({ email, areOn }: { readonly email: string; readonly areOn: boolean }) => (
  <Card id="alerts" title="Mail about limits">
    <p>
      {areOn ? 'On' : 'Off'}: when 80% and 100% of a day’s limit of a key are used,{' '}
      {areOn ? 'a mail goes' : 'no mail goes'} to {email}.
    </p>
    <ButtonForm action={ALERTS_PATH} sends={{ state: areOn ? 'off' : 'on' }}>
      {areOn ? 'Turn this mail off' : 'Turn this mail on'}
    </ButtonForm>
  </Card>
);

/** Says whether the log of requests has the addresses of captured pages, with a button that changes this. */
export const LogCard = ({ logsPages }: Pick<Account, 'logsPages'>) => (
  <Card id="log" title="Log of requests">
    <p>
      <State isOn={logsPages} /> Keep the addresses of captured pages in the log of requests. They stay for
      seven days, and you and the operators of this server see them.
    </p>
    <p class="muted">
      Of an address the host and the path are kept; never a user and password, or what follows a ? or #.
      {logsPages && ' Turning it off removes those that were kept.'}
    </p>
    <ButtonForm
      action={PAGE_LOGGING_PATH}
      sends={{ state: logsPages ? 'off' : 'on' }}
      about=": addresses of captured pages in the log"
    >
      {logsPages ? 'Turn this off' : 'Turn this on'}
    </ButtonForm>
  </Card>
);

export const DeletionCard = () => (
  <Card id="deletion" title="Delete the account">
    <p>
      Your projects, keys, tokens and usage are deleted with it. Programs that use your keys are refused at
      once.
    </p>
    <Actions links={[['/account/delete', 'Delete the account…', 'destructive']]} />
  </Card>
);
