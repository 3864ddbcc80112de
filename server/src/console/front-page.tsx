import { DirectoryNotice } from './layout/notices.js';
import { publicPage } from './routing/page.js';

const OFFERS = [
  {
    title: 'Captures',
    description: 'A web page as a picture, of the window or of the whole page, or as a PDF of many pages.',
  },
  {
    title: 'UK postcodes',
    description:
      'Coordinates, local authority, constituency and more; the nearest postcodes; completion while typing.',
  },
  {
    title: 'Usage and limits',
    description: 'Every request is counted, with limits per minute and day, and a chart for each key.',
  },
  {
    title: 'Referral tokens',
    description: 'Access tokens of 180 minutes and the refresh token that renews them.',
  },
] as const;

/** An example request, and the fields of the response that most people need. */
const exampleOf = (publicUrl: string) => `curl ${publicUrl}/api/postcode/lookup \\
  -H "X-Api-Key: $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"postcode": "SW1A 1AA"}'

{"result": {
  "postcode": "SW1A 1AA",
  "latitude": 51.50101,
  "longitude": -0.14156,
  "region": "London",
  "localAuthority": "Westminster",
  "constituency": "Cities of London and Westminster",
  …
}}`;

/** GET /: describes this server, to everybody. */
export const frontPage = publicPage('/', {
  get: (context) =>
    context.render(
      { title: 'A server of your own' },
      <>
        <section class="hero">
          <div>
            <h1>Web pages and postcodes, from a server of your own</h1>
            <p>
              Signpost takes screenshots and PDFs of web pages, looks up UK postcodes, and counts what each
              API key has used.
            </p>
            <p class="actions">
              {context.user === undefined ? (
                <>
                  <a class="button" href="/signin">
                    Sign in
                  </a>
                  {context.isSignUpOpen ? (
                    <a class="button secondary" href="/signup">
                      Create an account
                    </a>
                  ) : (
                    <a class="button secondary" href="/request-access">
                      Ask for an account
                    </a>
                  )}
                </>
              ) : (
                <a class="button" href="/overview">
                  To your overview
                </a>
              )}
              <a class="button secondary" href="/reference">
                Read the reference
              </a>
            </p>
          </div>
          <pre tabindex={0} role="region" aria-label="A request and its answer">
            <code>{exampleOf(context.deps.publicUrl())}</code>
          </pre>
        </section>
        <ul class="cards">
          {OFFERS.map(({ title, description }) => (
            <li key={title} class="card">
              <h2>{title}</h2>
              <p>{description}</p>
            </li>
          ))}
        </ul>
        <DirectoryNotice info={context.deps.directories.current().info} />
        <p>
          For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).
        </p>
      </>,
    ),
});
