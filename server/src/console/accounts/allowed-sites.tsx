import { type AllowedSite, withdrawSite } from '../../tokens/allowed-sites.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { formFields } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
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
      <Form action={PATH}>
        <input type="hidden" name="site" value={id} />
        <button type="submit" class="small destructive">
          Withdraw<span class="visually-hidden">: {name}</span>
        </button>
      </Form>
    ),
  },
];

/**
 * The sites that get an account's tokens without asking again, each with a button that withdraws the consent.
 */
export const AllowedSiteTable = ({ sites }: { readonly sites: readonly AllowedSite[] }) => (
  <DataTable label="Sites you sign in to" columns={COLUMNS} rows={sites} idOf={({ id }) => id} />
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
