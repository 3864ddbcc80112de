import type { ApiKeyOperationId } from '@signpost/contract';

/** Something to try, as the form would be filled. */
interface Preset {
  readonly title: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The page of captures: one that every server reaches, its own. */
export const OWN_PAGE = 'own page';
const url = OWN_PAGE;

/** What is worth trying of an operation. */
export const PRESETS: Readonly<Partial<Record<ApiKeyOperationId, readonly Preset[]>>> = {
  captureScreenshot: [
    { title: 'The whole page', fields: { url, fullPage: 'yes' } },
    { title: 'On a phone, in dark', fields: { url, device: 'iPhone 15', colorScheme: 'dark' } },
    { title: 'A sharp WebP', fields: { url, format: 'webp', scaleFactor: '2', quality: '90' } },
    {
      title: 'Without banners and adverts',
      fields: { url, blockCookieBanners: 'yes', blockAds: 'yes' },
    },
  ],
  capturePdf: [
    { title: 'A4 with page numbers', fields: { url, displayHeaderFooter: 'yes' } },
    { title: 'One long sheet', fields: { url, singlePage: 'yes' } },
    { title: 'Landscape, as on the screen', fields: { url, landscape: 'yes', media: 'screen' } },
  ],
  readPage: [
    { title: 'The main content', fields: { url } },
    {
      title: 'All text with links',
      fields: { url, format: 'text', mainContentOnly: 'no', includeLinks: 'yes' },
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
    { title: 'Around a postcode', fields: { postcode: 'SW1A 1AA' } },
    { title: 'Around a point', fields: { latitude: '55.952', longitude: '-3.172', radiusMetres: '5000' } },
  ],
  autocompletePostcode: [
    { title: 'A beginning', fields: { partial: 'SW1A 1' } },
    { title: 'An outcode alone', fields: { partial: 'M1 ' } },
  ],
  getOutcode: [{ title: 'An outcode', fields: { outcode: 'SW1A' } }],
  listAreaPostcodes: [
    { title: 'By name', fields: { kind: 'localAuthority', name: 'Westminster' } },
    { title: 'By code', fields: { code: 'E09000033' } },
  ],
  measureDistance: [
    { title: 'From London', fields: { from: 'SW1A 1AA', to: 'EH99 1SP\nCF99 1SN\n54.597, -5.93' } },
  ],
  reverseGeocode: [{ title: 'Two points', fields: { points: '51.501, -0.1416\n55.952, -3.172' } }],
  findPostcodesInText: [{ title: 'An invitation', fields: { text: 'Meet at SW1A 1AA, then at eh99-1sp.' } }],
};
