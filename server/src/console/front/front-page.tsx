import { type Action, Actions } from '../layout/actions.js';
import { CodeBlock } from '../layout/copyable.js';
import { formFields } from '../layout/form-data.js';
import { operationPath } from '../layout/operation-path.js';
import { DirectoryNotice } from '../layout/notices.js';
import { usePageState } from '../layout/page-state.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { PostcodeTrial, tryPostcode } from './try-postcode.js';

const DESCRIPTION =
  'Screenshots, PDFs and Markdown of web pages, and UK postcodes: an API of your own, for programs, n8n and AI assistants.';

const OFFERS = [
  {
    title: 'Pictures and PDFs',
    description:
      'A page as a person would see it after scrolling: the window, the whole page or one element; on any device, in dark, without banners.',
    path: operationPath('captureScreenshot'),
    link: 'Capture a page',
  },
  {
    title: 'Markdown',
    description:
      'The words of a page for language models and search: the main part or all of it, with links.',
    path: operationPath('readPage'),
    link: 'Read a page',
  },
  {
    title: 'UK postcodes',
    description:
      'Coordinates, local authority, constituency and more; the nearest postcodes, distances, and completion while typing.',
    path: operationPath('lookupPostcode'),
    link: 'Look up a postcode',
  },
  {
    title: 'n8n',
    description:
      'A node for every operation, a trigger, and code to paste into the editor from each page of the reference.',
    path: '/reference',
    link: 'See the operations',
  },
  {
    title: 'AI assistants',
    description:
      'Claude, ChatGPT and others see pages and look up postcodes over MCP, after you allowed it once.',
    path: '/assistants',
    link: 'Connect an assistant',
  },
  {
    title: 'Limits and a log',
    description: 'Every request is counted and logged, with limits per minute and day for each key.',
    path: '/overview',
    link: 'To your overview',
  },
] as const;

const exampleOf = (publicUrl: string) => `curl ${publicUrl}/api/screenshot \\
  -H "X-Api-Key: $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com", "fullPage": true}' \\
  -o page.png`;

/**
 * The links for the first step: for signed-in people, to the overview; for strangers, to the page where they create or
 * ask for an account, and to the sign-in.
 */
function firstLinks({ user, isSignUpOpen }: PageContext): readonly Action[] {
  if (user !== undefined) return [['/overview', 'To your overview', 'main']];
  const account: Action = isSignUpOpen
    ? ['/signup', 'Create an account', 'main']
    : ['/request-access', 'Ask for an account', 'main'];
  return [account, ['/signin', 'Sign in']];
}

/** Pictures that a Signpost server captured, to show what this server can do. */
function Pictures() {
  const { prefix } = usePageState().assets;
  return (
    <div class="front-pictures">
      <figure>
        <img
          src={`${prefix}capture.webp`}
          width="960"
          height="600"
          alt="The page on which this server’s screenshots can be tried, captured by the server itself"
        />
        <figcaption>
          A page of this server, captured with <code>POST /api/screenshot</code>.
        </figcaption>
      </figure>
      <figure>
        <img
          src={`${prefix}map.webp`}
          width="416"
          height="736"
          loading="lazy"
          alt="A map of the United Kingdom with the postcode EH99 1SP marked in Edinburgh"
        />
        <figcaption>
          EH99 1SP on a map: one element of a page, with <code>selector</code>.
        </figcaption>
      </figure>
    </div>
  );
}

/** GET /: describes this server to everybody, and looks up a postcode if the query has one. */
export const frontPage = publicPage('/', {
  get: (context) => {
    const { deps, user, request } = context;
    const { postcode } = formFields(request.query, ['postcode']);
    const result = tryPostcode(context);
    return context.render(
      {
        title: 'A server of your own',
        description: DESCRIPTION,
        address: `${deps.publicUrl()}/`,
        status: result?.status ?? 200,
      },
      <>
        <section class="hero">
          <div>
            <h1>Web pages and postcodes, from a server of your own</h1>
            <p>{DESCRIPTION}</p>
            <Actions links={[...firstLinks(context), ['/reference', 'Read the reference']]} />
            <CodeBlock id="front-code" label="A request" code={exampleOf(deps.publicUrl())} />
          </div>
          <Pictures />
        </section>
        <PostcodeTrial result={result} text={postcode} />
        <ul class="cards">
          {OFFERS.map(({ title, description, path, link }) => (
            <li class="card">
              <h2>{title}</h2>
              <p>{description}</p>
              <p>
                <a href={path}>{link}</a>
              </p>
            </li>
          ))}
        </ul>
        {user?.account.isOperator === true ? (
          <DirectoryNotice info={deps.directories.current().info} />
        ) : null}
        <p>
          For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).
        </p>
      </>,
    );
  },
});
