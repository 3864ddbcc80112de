import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';
import { Actions } from '../layout/actions.js';
import type { PageContext } from './page-context.js';

interface Message {
  readonly title: string;
  /** The heading of the page; by default its title. */
  readonly heading?: string;
  readonly status?: number;
  readonly text: ComponentChildren;
  /** Links to continue with, the likeliest first. */
  readonly links: readonly (readonly [path: string, label: string])[];
}

/** Shows a page with one message, and with links to go on. */
export const showMessage = (
  context: PageContext,
  { title, heading = title, status = 200, text, links }: Message,
): FastifyReply =>
  context.render(
    { title, width: 'narrow', status },
    <>
      <h1>{heading}</h1>
      <p>{text}</p>
      <Actions
        links={links.map(([path, label], index) => [path, label, index === 0 ? 'main' : 'secondary'])}
      />
    </>,
  );
