import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';
import { type Fact, Facts } from '../layout/facts.js';
import { labelOf } from '../request/request-fields.js';
import { withNextPath } from './next-path.js';
import type { PageContext } from './page-context.js';

const SECRET = /auth|code|cookie|credential|csrf|header|key|password|secret|token/iu;

/**
 * The values of a rejected form, so that people need not write them again. Without secrets, and empty if another site
 * may have sent the form.
 */
export function enteredFacts({ headers, body }: FastifyRequest): readonly Fact[] {
  if (headers['sec-fetch-site'] !== 'same-origin' || typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]): readonly Fact[] =>
    typeof value !== 'string' || value.trim() === '' || SECRET.test(name)
      ? []
      : [[labelOf(name), <span class="entered">{value}</span>]],
  );
}

/** Answers a form of a page that requires a sign-in, if its session ended meanwhile. */
export const showSignedOut = (context: PageContext): FastifyReply =>
  showMessage(context, {
    title: 'You are signed out',
    status: 403,
    text: 'Nothing was saved. Sign in, and send the form again.',
    links: [[withNextPath('/signin', context.request), 'Sign in']],
    entered: enteredFacts(context.request),
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
      {entered.length > 0 && (
        <Card id="entered" title="What you entered">
          <Facts facts={entered} />
        </Card>
      )}
    </>,
  );
