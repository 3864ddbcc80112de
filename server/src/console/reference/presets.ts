import { type ApiKeyOperationId, isApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import type { FormState } from '../request/form-state.js';

/** An example to try. It sets some fields of the form; the other fields keep their values. */
interface Preset {
  readonly title: string;
  readonly fields: FormState;
}

export const PRESETS: Readonly<Partial<Record<ApiKeyOperationId, readonly Preset[]>>> = {
  captureScreenshot: [
    { title: 'The whole page', fields: { fullPage: 'yes' } },
    { title: 'On a phone, in dark', fields: { device: 'iPhone 15', colorScheme: 'dark' } },
    { title: 'A sharp WebP', fields: { format: 'webp', scaleFactor: '2', quality: '90' } },
    {
      title: 'Without banners and adverts',
      fields: { blockCookieBanners: 'yes', blockAds: 'yes' },
    },
  ],
  capturePdf: [
    { title: 'A4 with page numbers', fields: { displayHeaderFooter: 'yes' } },
    { title: 'One long sheet', fields: { singlePage: 'yes' } },
    { title: 'Landscape, as on the screen', fields: { landscape: 'yes', media: 'screen' } },
  ],
  readPage: [
    { title: 'The main content', fields: { mainContentOnly: 'yes' } },
    {
      title: 'All text with links',
      fields: { format: 'text', mainContentOnly: 'no', includeLinks: 'yes' },
    },
  ],
  lookupPostcode: [
    { title: 'A postcode', fields: { postcode: 'SW1A 1AA' } },
    { title: 'With all that is known', fields: { postcode: 'EH99 1SP', include: 'codes\nareas\nhistory' } },
  ],
  lookupPostcodes: [
    { title: 'Four capitals', fields: { postcodes: 'SW1A 1AA\nEH99 1SP\nCF99 1SN\nBT4 3XX' } },
  ],
  validatePostcode: [
    { title: 'One that exists', fields: { postcode: 'sw1a1aa' } },
    { title: 'One that does not', fields: { postcode: 'ZZ99 9ZZ' } },
  ],
  findNearestPostcodes: [
    { title: 'Around a postcode', fields: { postcode: 'SW1A 1AA', latitude: '', longitude: '' } },
    {
      title: 'Around a point',
      fields: { postcode: '', latitude: '55.952', longitude: '-3.172', radiusMetres: '5000' },
    },
  ],
  autocompletePostcode: [
    { title: 'A beginning', fields: { partial: 'SW1A 1' } },
    { title: 'An outcode alone', fields: { partial: 'M1 ' } },
  ],
  getOutcode: [{ title: 'An outcode', fields: { outcode: 'SW1A' } }],
  listAreaPostcodes: [
    { title: 'By name', fields: { kind: 'localAuthority', name: 'Westminster', code: '' } },
    { title: 'By code', fields: { code: 'E09000033', kind: '', name: '' } },
  ],
  measureDistance: [
    { title: 'From London', fields: { from: 'SW1A 1AA', to: 'EH99 1SP\nCF99 1SN\n54.597, -5.93' } },
  ],
  reverseGeocode: [{ title: 'Two points', fields: { points: '51.501, -0.1416\n55.952, -3.172' } }],
  findPostcodesInText: [{ title: 'An invitation', fields: { text: 'Meet at SW1A 1AA, then at eh99-1sp.' } }],
};

const isEmpty = (text = '') => text.trim() === '';

/**
 * The form's values with those of the example `title`. If the operation takes a page and the form has neither an
 * address nor HTML, `url` becomes this server's front page.
 */
export function withPreset(
  operationId: string,
  state: FormState,
  title: string,
  publicUrl: string,
): FormState {
  if (!isApiKeyOperationId(operationId)) return state;
  const fields = PRESETS[operationId]?.find((preset) => preset.title === title)?.fields;
  const operation: Operation = operations[operationId];
  const takesPage = 'html' in (operation.request?.shape ?? {});
  const needsPage = takesPage && isEmpty(state['url']) && isEmpty(state['html']);
  return { ...state, ...(needsPage ? { url: `${publicUrl}/` } : {}), ...fields };
}
