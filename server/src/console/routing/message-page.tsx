import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';
import { type Fact, Facts } from '../layout/facts.js';
import { formFields } from '../layout/form-data.js';
import { labelOf } from '../request/request-fields.js';
import { withNextPath } from './next-path.js';
import type { PageContext } from './page-context.js';

/** The fields of forms that people write and that may be shown again. */
const FIELDS = ['name', 'email', 'note', 'reason', 'answer', 'perMinute', 'perDay', 'ends', 'url'] as const;

/** The written values of a form, without secrets. */
function writtenFacts({ body }: FastifyRequest): readonly Fact[] {
  const entered = formFields(body, FIELDS);
  return FIELDS.map((name) => [
    labelOf(name),
    entered[name].trim() !== '' && <span class="key-note">{entered[name]}</span>,
  ]);
}

/** The written values of a form without a valid token; empty if another site may have sent it. */
export const enteredFacts = (request: FastifyRequest): readonly Fact[] =>
  request.headers['sec-fetch-site'] === 'same-origin' ? writtenFacts(request) : [];

/** Responds to a form whose session ended after its page was shown. The token has proved that the form is ours. */
export const showSignedOut = (context: PageContext): FastifyReply =>
  showMessage(context, {
    title: 'You are signed out',
    status: 403,
    text: 'Nothing was saved. Sign in, and send the form again.',
    links: [[withNextPath('/signin', context.request), 'Sign in']],
    entered: writtenFacts(context.request),
  });

interface Message {
  readonly title: string;
  /** The heading of the page; by default its title. */
  readonly heading?: string;
  readonly status?: number;
  readonly text: ComponentChildren;
  /** Links to continue with, the likeliest first. */
  readonly links: readonly (readonly [path: string, label: string])[];
  readonly entered?: readonly Fact[];
}

/** Shows a page with one message, and with links to go on. */
export const showMessage = (
  context: PageContext,
  { title, heading = title, status = 200, text, links, entered = [] }: Message,
): FastifyReply =>
  context.render(
    { title, width: 'narrow', status },
    <>
      <h1>{heading}</h1>
      <p>{text}</p>
      <Actions
        links={links.map(([path, label], index) => [path, label, index === 0 ? 'main' : 'secondary'])}
      />
      {entered.some(([, value]) => value !== false) && (
        <Card id="entered" title="What you entered">
          <Facts facts={entered} />
        </Card>
      )}
    </>,
  );
