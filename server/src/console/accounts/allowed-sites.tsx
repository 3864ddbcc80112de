import { type AllowedSite, withdrawSite } from '../../tokens/allowed-sites.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { formFields } from '../layout/form-data.js';
import { ButtonForm } from '../layout/form.js';
import { Moment } from '../layout/formatting.js';
import { signedInPage } from '../routing/page.js';

const PATH = '/account/sites';

const COLUMNS: readonly Column<AllowedSite>[] = [
  { title: 'Site', kind: 'head', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'Address', cell: ({ url }) => <code>{url}</code> },
  { title: 'Allowed', kind: 'time', cell: ({ agreedAtMs }) => <Moment timeMs={agreedAtMs} /> },
  {
    title: 'Actions',
    kind: 'action',
    cell: ({ id, name }) => (
      <ButtonForm action={PATH} sends={{ site: id }} look="small destructive" about={`: ${name}`}>
        Withdraw
      </ButtonForm>
    ),
  },
];

/** The sites that get an account's tokens without asking again. */
export const AllowedSiteTable = ({ sites }: { readonly sites: readonly AllowedSite[] }) => (
  <DataTable
    label="Sites you sign in to"
    columns={COLUMNS}
    rows={sites}
    empty={<p class="muted">No site.</p>}
  />
);

/** POST /account/sites: withdraws the consent for a site. The account page lists the sites. */
export const withdrawSitePage = signedInPage(PATH, {
  post: async (context) => {
    const { site } = formFields(context.request.body, ['site']);
    await withdrawSite(context.domain, context.user.account.id, site);
    return context.redirect('/account?done=site-withdrawn');
  },
  leadsTo: '/account',
});
