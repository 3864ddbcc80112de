import { endLink } from '../../links/end-link.js';
import { LINK_SORTS, type ListedLink, listLinks } from '../../links/list-links.js';
import { KeyLink } from '../keys/key-display.js';
import { keyPath } from '../keys/own-key.js';
import { timeColumn } from '../layout/columns.js';
import { type Column, DataTable, tableProps } from '../layout/data-table.js';
import { formFields } from '../layout/form-data.js';
import { formatMegabytes } from '../layout/formatting.js';
import { lastPagePath, readList } from '../layout/list.js';
import { DoneNotice } from '../layout/notices.js';
import { signedInPage } from '../routing/page.js';
import { operationTitle } from '../usage/usage-query.js';
import { OVERVIEW } from '../layout/page-layout.js';
import { ButtonForm } from '../layout/form.js';

const PATH = '/links';
const LIST = { path: PATH, sorts: LINK_SORTS, filters: [], perPage: 50 } as const;

const DONE = new Map([['ended', 'The link has ended. Its next visitor gets an error.']]);

const COLUMNS: readonly Column<ListedLink>[] = [
  {
    title: 'Page',
    kind: 'head',
    cell: ({ page, works }) => (
      <>
        {page} {works ? null : <span class="badge danger">its key does not work</span>}
      </>
    ),
  },
  { title: 'Makes', cell: ({ operation }) => operationTitle(operation) },
  {
    title: 'Key',
    cell: ({ key }) => <KeyLink ownKey={key} href={keyPath(key.id)} />,
  },
  timeColumn({ title: 'Last made', sort: 'captured', of: ({ capturedAtMs }) => capturedAtMs }),
  {
    title: 'Size',
    kind: 'number',
    cell: ({ bytes }) => (bytes === null ? null : formatMegabytes(bytes)),
  },
  timeColumn({ title: 'Ends', sort: 'ends', of: ({ expiresAtMs }) => expiresAtMs }),
  {
    title: 'Actions',
    kind: 'action',
    cell: ({ id, page }) => (
      <ButtonForm action={PATH} sends={{ link: id }} look="small destructive" about={` the link to ${page}`}>
        End
      </ButtonForm>
    ),
  },
];

/** GET and POST /links: the account's links to captures, without the ended links, each with a button that ends it. */
export const linksPage = signedInPage(PATH, {
  get: async (context) => {
    const { domain, user, request } = context;
    const list = readList(request.query, LIST);
    const { sort, paging } = list;
    const { links, total } = await listLinks(domain, { accountId: user.account.id, sort, ...paging });
    const lastPage = lastPagePath(list, total);
    if (lastPage !== undefined) return context.redirect(lastPage);
    return context.render(
      { crumbs: [OVERVIEW], title: 'Links' },
      <>
        <h1>Links to captures</h1>
        <DoneNotice sentences={DONE} />
        <p>
          A link shows a picture or a PDF of a page, made again when it is old. Anyone who has it can open it.
          Revoking its key ends it too. <a href="/reference/createCaptureLink">Make a link</a>
        </p>
        <DataTable
          label="Links"
          columns={COLUMNS}
          rows={links}
          {...tableProps(list, total)}
          empty={<p class="muted">You have no links.</p>}
        />
      </>,
    );
  },
  post: async (context) => {
    const { link } = formFields(context.request.body, ['link']);
    const isEnded = await endLink(context.domain, { id: link, accountId: context.user.account.id });
    return context.redirect(isEnded ? `${PATH}?done=ended` : PATH);
  },
});
