import type { ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { FormProblems } from './form-data.js';
import { join, NameLink, NowContext } from './formatting.js';
import { type PageState, PageStateProvider, usePageState } from './page-state.js';
import { OperatorTabs, SiteHeader } from './site-header.js';

/** The operator's contact; nothing if the page has none. */
function SiteFooter() {
  const { contact } = usePageState();
  if (contact === undefined) return null;
  return (
    <footer class="site-footer">
      <p>
        Questions? Ask the operator of this server: <a href={contact.href}>{contact.label}</a>
      </p>
    </footer>
  );
}

/** A page above another one: its path and its name. */
type Crumb = readonly [path: string, name: string];

export const OVERVIEW: Crumb = ['/overview', 'Overview'];
export const YOUR_ACCOUNT: Crumb = ['/account', 'Your account'];

export interface PageHead {
  readonly title: string;
  /** The pages above this one, outermost first. */
  readonly crumbs?: readonly Crumb[];
  /** The description that search engines and previews of links show. */
  readonly description?: string;
  /** The page's address, for previews of a link to it. Without it, the page has no tags for previews. */
  readonly address?: string;
  /** The HTTP status. By default the status of the problems, or 200 if there are none. */
  readonly status?: number;
  /** The problems of a form that is shown again. */
  readonly problems?: FormProblems | undefined;
  /** Wide pages have room for tables and charts; narrow ones hold a single form. */
  readonly width?: 'narrow' | 'wide';
}

interface PreviewProps {
  readonly head: PageHead;
  readonly address: string;
  readonly prefix: string;
}

/** The tags from which other sites and messengers make a preview of a link to the page. */
function Preview({ head: { title, description }, address, prefix }: PreviewProps) {
  const facts = {
    'og:type': 'website',
    'og:site_name': 'Signpost',
    'og:title': `${title} · Signpost`,
    'og:description': description,
    'og:url': address,
    'og:image': new URL(`${prefix}preview.png`, address).href,
  };
  return (
    <>
      {Object.entries(facts).map(([property, content]) => (
        <meta property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

const isForOperator = ({ path, user }: PageState) =>
  path.startsWith('/operator') && user?.account.isOperator === true;

const Crumbs = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) => (
  <p class="crumbs">
    {join(
      crumbs.map(([path, name]) => <NameLink name={name} href={path} />),
      ' · ',
    )}
  </p>
);

function Page({ head, state, content }: { head: PageHead; state: PageState; content: ComponentChild }) {
  const { prefix } = state.assets;
  return (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${head.problems === undefined ? '' : 'Error: '}${head.title} · Signpost`}</title>
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#191f1c" media="(prefers-color-scheme: dark)" />
        {head.description && <meta name="description" content={head.description} />}
        {head.address && <Preview head={head} address={head.address} prefix={prefix} />}
        <link rel="stylesheet" href={`${prefix}console.css`} />
        <link rel="icon" type="image/svg+xml" href={`${prefix}signpost.svg`} />
        <link rel="apple-touch-icon" href={`${prefix}touch-icon.png`} />
        <script type="module" src={`${prefix}console.js`} />
      </head>
      <body>
        <PageStateProvider value={state}>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          <SiteHeader />
          <main id="content" class={head.width ?? 'wide'} tabindex={-1}>
            <NowContext.Provider value={state.nowMs}>
              {isForOperator(state) && <OperatorTabs />}
              {head.crumbs && <Crumbs crumbs={head.crumbs} />}
              {content}
            </NowContext.Provider>
          </main>
          <SiteFooter />
          <div id="announcements" role="status" class="visually-hidden" />
        </PageStateProvider>
      </body>
    </html>
  );
}

export const renderPage = (head: PageHead, state: PageState, content: ComponentChild): string =>
  `<!doctype html>${renderToString(<Page head={head} state={state} content={content} />)}`;
