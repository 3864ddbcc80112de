import { checkDisplayName } from '../../platform/display-name.js';
import { addReturnUrl, listReturnUrls, type ReturnUrl } from '../../tokens/return-urls.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { fieldProblems, formFields, type FormProblems, problemsOf } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import { Day } from '../layout/formatting.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { OperatorTabs } from './operator-tabs.js';
import { operatorPage } from '../routing/page.js';

export const RETURN_URLS_PATH = '/operator/return-urls';
export const REMOVE_PATH = `${RETURN_URLS_PATH}/remove`;

/** The page that asks for confirmation before an address is removed. */
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

interface NewReturnUrl {
  readonly url: string;
  readonly name: string;
  readonly problems?: FormProblems;
}

function NewReturnUrlForm({ url, name, problems }: NewReturnUrl) {
  return (
    <section class="card" aria-labelledby="new-return-url">
      <h2 id="new-return-url">Register an address</h2>
      <FormAlert problems={problems} />
      <Form action={RETURN_URLS_PATH} class="stack operator-form">
        <Field
          name="name"
          label="Name"
          autocomplete="off"
          hint="The name of the application, as people see it when they sign in."
          required
          value={name}
          problems={problems}
        />
        <Field
          name="url"
          label="Address"
          type="url"
          autocomplete="off"
          hint="Scheme, host, port and path must match exactly, such as https://app.example/signed-in."
          required
          value={url}
          problems={problems}
        />
        <button type="submit">Register the address</button>
      </Form>
    </section>
  );
}

async function showReturnUrls(context: SignedInContext, form: NewReturnUrl) {
  const returnUrls = await listReturnUrls(context.domain);
  return context.render(
    { title: 'Return URLs', status: form.problems?.status ?? 200 },
    <>
      <OperatorTabs />
      <h1>Return URLs</h1>
      <DoneNotice sentences={DONE} />
      <p>
        Other applications send people to <code>/apilogin</code> to sign in. It returns them, with an access
        token, only to the addresses that are registered here.
      </p>
      {returnUrls.length === 0 ? (
        <p class="muted">No address is registered yet, so nobody is returned anywhere.</p>
      ) : (
        <DataTable label="Return URLs" columns={COLUMNS} rows={returnUrls} idOf={({ url }) => url} />
      )}
      <NewReturnUrlForm {...form} />
    </>,
  );
}

/** GET and POST /operator/return-urls: the addresses to which /apilogin may send a token. */
export const returnUrlsPage = operatorPage(RETURN_URLS_PATH, {
  menuLabel: 'Return URLs',
  get: (context) => showReturnUrls(context, { url: '', name: '' }),
  post: async (context) => {
    const typed = formFields(context.request.body, ['url', 'name']);
    const wanted = { ...typed, url: typed.url.trim() };
    const problems = fieldProblems({ name: () => checkDisplayName('The name', typed.name) });
    if (problems !== undefined) return showReturnUrls(context, { ...typed, problems });
    try {
      await addReturnUrl(context.domain, wanted);
    } catch (error) {
      return showReturnUrls(context, { ...typed, problems: problemsOf(error, 'url') });
    }
    return context.redirect(`${RETURN_URLS_PATH}?done=added`);
  },
});
