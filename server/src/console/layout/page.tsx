import type { ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { FormProblems } from '../form-fields.js';
import { PageStateProvider, type PageState } from './page-state.js';
import { SiteHeader } from './site-header.js';

export interface PageHead {
  readonly title: string;
  /** The HTTP status; 200, or that of the problems, where it is left out. */
  readonly status?: number;
  /** What was wrong with the form that is shown again. */
  readonly problems?: FormProblems | undefined;
  /** A wide page has room for tables and charts, a narrow one holds a single form. */
  readonly width?: 'narrow' | 'wide';
}

function Page({ head, state, content }: { head: PageHead; state: PageState; content: ComponentChild }) {
  const { prefix, names } = state.assets;
  const styleSheets = names.filter((name) => name.endsWith('.css'));
  return (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${head.title} · Signpost`}</title>
        {styleSheets.map((name) => (
          <link key={name} rel="stylesheet" href={`${prefix}${name}`} />
        ))}
        <link rel="icon" type="image/svg+xml" href={`${prefix}signpost.svg`} />
        <script type="module" src={`${prefix}console.js`} />
      </head>
      <body>
        <PageStateProvider value={state}>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          <SiteHeader />
          <main id="content" class={head.width ?? 'wide'} tabindex={-1}>
            {content}
          </main>
          <div id="announcements" role="status" class="visually-hidden" />
        </PageStateProvider>
      </body>
    </html>
  );
}

/** A whole page as HTML. */
export const renderPage = (head: PageHead, state: PageState, content: ComponentChild): string =>
  `<!doctype html>${renderToString(<Page head={head} state={state} content={content} />)}`;
