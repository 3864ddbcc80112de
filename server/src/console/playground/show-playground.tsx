import type { FastifyReply } from 'fastify';
import type { Key } from '../../keys/key.js';
import type { DirectoryInfo } from '../../postcodes/table/directory-data.js';
import { DirectoryNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { contentSecurityPolicy } from '../routing/security-headers.js';
import { AreaForm } from './area-form.js';
import type { AreaFound } from './area-lookup.js';
import { AreaResult } from './area-result.js';
import { CaptureForm } from './capture-form.js';
import { PostcodeForm } from './postcode-form.js';
import { PlaceForm } from './place-form.js';
import type { PlacesFound } from './place-lookup.js';
import { PlaceResult } from './place-result.js';
import type { PostcodeLookup } from './postcode-lookup.js';
import { PostcodeResult } from './postcode-result.js';
import type { FormResult } from './form-result.js';

/** The playground, as it is found or after something was tried. */
export interface PlaygroundState {
  readonly keys: readonly Key[];
  readonly directory: DirectoryInfo;
  readonly status?: number;
  readonly capture?: FormResult;
  readonly postcode?: FormResult;
  readonly lookup?: PostcodeLookup;
  readonly area?: FormResult;
  readonly areaFound?: AreaFound | undefined;
  readonly places?: FormResult;
  readonly placesFound?: PlacesFound | undefined;
}

const NoKeys = () => (
  <section class="card">
    <h2>You need a key first</h2>
    <p>Every try counts as a request of one of your API keys, and none of yours is live.</p>
    <p>
      <a class="button" href="/overview">
        Make a key on the overview
      </a>
    </p>
  </section>
);

function TryForms(state: PlaygroundState) {
  const { keys, directory, capture, postcode, lookup, area, areaFound, places, placesFound } = state;
  return (
    <>
      <p>
        Every try is a request of one of your keys: it does what the API does, and counts for the key’s limits
        and usage as it does there.
      </p>
      <CaptureForm keys={keys} result={capture} />
      <PostcodeForm keys={keys} result={postcode}>
        {lookup === undefined ? null : <PostcodeResult lookup={lookup} />}
      </PostcodeForm>
      <AreaForm keys={keys} result={area}>
        {areaFound === undefined ? null : <AreaResult found={areaFound} />}
      </AreaForm>
      <PlaceForm keys={keys} result={places}>
        {placesFound === undefined ? null : <PlaceResult found={placesFound} />}
      </PlaceForm>
      <DirectoryNotice info={directory} />
    </>
  );
}

/** The viewer of PDFs that a browser has built in counts as an object of the frame in which a PDF is shown. */
const WITH_PDF_VIEWER = `${contentSecurityPolicy()}; object-src blob:`;

/** Answers the playground. */
export function showPlayground(context: SignedInContext, state: PlaygroundState): FastifyReply {
  context.reply.header('Content-Security-Policy', WITH_PDF_VIEWER);
  return context.render(
    { title: 'Playground', status: state.status ?? 200 },
    <>
      <h1>Playground</h1>
      {state.keys.length === 0 ? <NoKeys /> : <TryForms {...state} />}
    </>,
  );
}
