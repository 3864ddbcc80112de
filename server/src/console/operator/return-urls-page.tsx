import { z } from 'zod';
import { checkDisplayName } from '../../platform/display-name.js';
import { ServiceError } from '../../platform/errors.js';
import { addReturnUrl, listReturnUrls, removeReturnUrl, type ReturnUrl } from '../../tokens/return-urls.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { Day } from '../layout/formatting.js';
import { DoneNotice } from '../layout/notices.js';
import { confirmationPage } from '../routing/confirmation-page.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { Card } from '../layout/card.js';

export const RETURN_URLS_PATH = '/operator/return-urls';
const REMOVE_PATH = `${RETURN_URLS_PATH}/remove`;

const removePath = (url: string) => `${REMOVE_PATH}?url=${encodeURIComponent(url)}`;

const COLUMNS: readonly Column<ReturnUrl>[] = [
  { title: 'Name', kind: 'head', class: 'operator-owner', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'Address', class: 'operator-address', cell: ({ url }) => <code dir="ltr">{url}</code> },
  { title: 'Since', kind: 'time', cell: ({ createdAtMs }) => <Day timeMs={createdAtMs} /> },
  {
    title: 'Actions',
    kind: 'action',
    cell: ({ url }) => (
      <a class="button small destructive" href={removePath(url)}>
        Remove<span class="visually-hidden"> {url}</span>
      </a>
    ),
  },
];

const DONE = new Map([
  ['added', 'The address is registered: sign-in may return to it from now on.'],
  ['removed', 'The address is removed: sign-in no longer returns to it.'],
]);

/** The schema of the form for a new address. Only the name is checked here: `addReturnUrl` checks the address. */
const FORM = z.object({
  name: field((text) => checkDisplayName('The name', text)),
  url: field((text) => text.trim()),
});

const NewReturnUrlForm = () => (
  <Card id="new-return-url" title="Register an address">
    <Form action={RETURN_URLS_PATH} class="stack operator-form">
      <Field
        name="name"
        label="Name"
        autocomplete="off"
        hint="The name of the application, as people see it when they sign in."
        required
      />
      <Field
        name="url"
        label="Address"
        type="url"
        autocomplete="off"
        hint="Scheme, host, port and path must match exactly, such as https://app.example/signed-in."
        required
      />
      <button type="submit">Register the address</button>
    </Form>
  </Card>
);

async function showReturnUrls(context: SignedInContext, problems?: FormProblems) {
  const returnUrls = await listReturnUrls(context.domain);
  return context.render(
    { title: 'Return URLs', problems },
    <>
      <h1>Return URLs</h1>
      <DoneNotice sentences={DONE} />
      <p>
        Other applications send people to <code>/apilogin</code> to sign in. It returns them, with an access
        token, only to the addresses that are registered here.
      </p>
      <DataTable
        label="Return URLs"
        columns={COLUMNS}
        rows={returnUrls}
        empty={<p class="muted">No address is registered yet, so nobody is returned anywhere.</p>}
      />
      <NewReturnUrlForm />
    </>,
  );
}

/** GET and POST /operator/return-urls: lists the addresses to which /apilogin may send a token, and adds one. */
const returnUrlsPage = operatorPage(RETURN_URLS_PATH, {
  menuLabel: 'Return URLs',
  get: (context) => showReturnUrls(context),
  post: async (context) => {
    await addReturnUrl(context.domain, context.readForm(FORM));
    return context.redirect(`${RETURN_URLS_PATH}?done=added`);
  },
  onError: (context, error) => showReturnUrls(context, context.problemsOf(error, 'url')),
});

const notThere = () =>
  new ServiceError('notFound', 'This return URL is not registered. It may have been removed.');

/** GET and POST …/remove?url=…: asks for confirmation, then removes an address. */
const removeReturnUrlPage = confirmationPage('operator', REMOVE_PATH, {
  find: async ({ request, domain }) => {
    const { url } = formFields(request.query, ['url']);
    const returnUrl = (await listReturnUrls(domain)).find((registered) => registered.url === url);
    if (returnUrl === undefined) throw notThere();
    return returnUrl;
  },
  ask: (_context, { name, url }) => ({
    title: 'Remove a return URL',
    question: 'Remove this return URL?',
    button: 'Remove the address',
    backTo: RETURN_URLS_PATH,
    children: (
      <>
        <p>
          <strong>{name}</strong>: <code>{url}</code>
        </p>
        <p>
          People who sign in for it are no longer sent back. Tokens that it already has stay valid until they
          expire.
        </p>
      </>
    ),
  }),
  act: async (context, { url }) => {
    if (!(await removeReturnUrl(context.domain, url))) throw notThere();
    return context.redirect(`${RETURN_URLS_PATH}?done=removed`);
  },
});

export const returnUrlPages = [returnUrlsPage, removeReturnUrlPage];
