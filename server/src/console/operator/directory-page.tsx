import { parseWebAddress } from '@signpost/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { IMPORT_BOUNDS } from '../../postcodes/import/import-error.js';
import { field, type FormProblems, tick } from '../layout/form-data.js';
import { Checkbox, Field, Form, Submit } from '../layout/form.js';
import { LiveRegion } from '../layout/live-region.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { allowLongBody } from '../../http/connections.js';
import { uploadOf } from '../routing/upload.js';
import { DIRECTORY_PATH as PATH } from './account-route.js';
import { DirectoryInUse } from './directory-facts.js';
import { ImportProgressCard } from './import-progress.js';
import { LastImport } from './import-report.js';

const LATEST_PATH = `${PATH}/latest`;
const ADDRESS_PATH = `${PATH}/address`;
const UPLOAD_PATH = `${PATH}/upload`;

/** The options of every import. `id` makes the element ids of the checkboxes different in each form. */
const ImportChoices = ({ id, force }: { readonly id: string; readonly force: string }) => (
  <details>
    <summary>Options</summary>
    <Checkbox
      id={`${id}-without`}
      name="excludeNorthernIreland"
      label="Leave out Northern Ireland, which has another licence"
    />
    <Checkbox id={`${id}-force`} name="force" label={force} />
  </details>
);

const EVEN_WORSE = 'Import it even if it is older or much worse than the edition in use';

const ImportForms = () => (
  <ul class="cards operator-imports">
    <li class="card">
      <h2>The newest edition</h2>
      <p>From the portal of the Office for National Statistics: about 240 MB, every three months.</p>
      <Form action={LATEST_PATH} class="stack">
        <ImportChoices id="latest" force="Import it even if it is the same edition, or older or much worse" />
        <button type="submit">Import the newest edition</button>
      </Form>
    </li>
    <li class="card">
      <h2>A file of yours</h2>
      <p>The zip or csv of an ONSPD or NSPL, as the portal has it.</p>
      <Form action={UPLOAD_PATH} class="stack" enctype="multipart/form-data">
        <ImportChoices id="upload" force={EVEN_WORSE} />
        <div class="field">
          <label for="file">File</label>
          <input id="file" name="file" type="file" accept=".zip,.csv" required />
        </div>
        <Submit>Upload and import it</Submit>
      </Form>
    </li>
    <li class="card">
      <h2>From an address</h2>
      <p>The server fetches the file from there; the address must be public.</p>
      <Form action={ADDRESS_PATH} class="stack">
        <ImportChoices id="address" force={EVEN_WORSE} />
        <Field name="address" label="Address of the file" type="url" autocomplete="off" required />
        <Submit>Fetch and import it</Submit>
      </Form>
    </li>
  </ul>
);

const WATCHED_EVERY_SECONDS = 2;

async function showDirectory(context: SignedInContext, problems?: FormProblems) {
  const { directories, directoryImports } = context.deps;
  const { underWay, last } = directoryImports;
  const { info } = directories.current();
  const bytes = await directoryImports.sizeBytes();
  return context.render(
    { title: 'Postcode directory', problems },
    <>
      <div class="page-head">
        <h1>Postcode directory</h1>
      </div>
      <LiveRegion everySeconds={WATCHED_EVERY_SECONDS}>
        {underWay === undefined ? null : <ImportProgressCard underWay={underWay} />}
        {last === undefined || underWay !== undefined ? null : <LastImport last={last} />}
        <DirectoryInUse info={info} bytes={bytes} />
      </LiveRegion>
      <h2>Import an edition</h2>
      <p>
        It is taken up without a restart, once it is whole; until then, and if anything is wrong with it, the
        directory in use stays. Other servers of this installation import it for themselves, unless they share
        the data folder.
      </p>
      <ImportForms />
    </>,
  );
}

const CHOICES_FORM = z.object({ excludeNorthernIreland: tick, force: tick });

function parseAddress(text: string): string {
  const address = text.trim();
  if (parseWebAddress(address) !== undefined) return address;
  throw new ServiceError('invalidRequest', 'Give the http or https address of a zip or csv file.');
}

const ADDRESS_FORM = CHOICES_FORM.extend({ address: field(parseAddress) });

const showProblems = (context: SignedInContext, error: unknown) =>
  showDirectory(context, context.problemsOf(error));

/** Handles a form that begins an import. If `begin` throws, the page shows why. */
const importWith = (begin: (context: SignedInContext) => unknown) => ({
  post: async (context: SignedInContext) => {
    await begin(context);
    return context.redirect(PATH);
  },
  onError: showProblems,
  leadsTo: PATH,
});

/** The page of the directory in use, with the forms that import an edition. */
export const directoryPages = [
  operatorPage(PATH, { menuLabel: 'Directory', get: (context) => showDirectory(context) }),
  operatorPage(
    LATEST_PATH,
    importWith((context) => {
      const choices = context.readForm(CHOICES_FORM);
      context.deps.directoryImports.start(context.actor, { ...choices, source: { kind: 'latest' } });
    }),
  ),
  operatorPage(
    ADDRESS_PATH,
    importWith((context) => {
      const { address: url, ...choices } = context.readForm(ADDRESS_FORM);
      context.deps.directoryImports.start(context.actor, { ...choices, source: { kind: 'address', url } });
    }),
  ),
  operatorPage(UPLOAD_PATH, {
    upload: {
      maxBytes: IMPORT_BOUNDS.maxDownloadBytes,
      beforeBody: async (context) => {
        try {
          context.deps.directoryImports.rejectIfRunning();
        } catch (error) {
          // The browser shows the reason only after sending the whole file.
          allowLongBody(context.request.raw);
          return showProblems(context, error);
        }
        return undefined;
      },
    },
    ...importWith((context) =>
      context.deps.directoryImports.receive(
        context.actor,
        uploadOf(context.request),
        context.readForm(CHOICES_FORM),
      ),
    ),
  }),
];
