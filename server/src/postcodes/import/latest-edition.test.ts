import { AUGUST, AUGUST_ID, startPortal } from '../../../../test/fixtures/postcodes/portal.js';
import { findLatestEdition } from './latest-edition.js';

let portal: Awaited<ReturnType<typeof startPortal>>;
beforeEach(async () => {
  portal = await startPortal(Buffer.from('the file'));
});
afterEach(() => portal.close());

const BY_HAND =
  'download the zip of the newest ONS Postcode Directory from https://geoportal.statistics.gov.uk';

describe('the newest edition', () => {
  test('returns the newest edition with its size and licence, without terminal control characters', async () => {
    expect(await findLatestEdition(portal.searchUrl)).toEqual({
      title: 'ONS Postcode Directory (August 2026)',
      edition: '2026-08',
      name: 'ONSPD_AUG_2026.zip',
      url: portal.searchUrl.replace('search', `content/items/${AUGUST_ID}/data`),
      bytes: portal.file.length,
      licence: 'Open Government Licence v3.0: licences [2J',
      publishedAt: '2026-09-01T00:00:00.000Z',
    });
  });

  test('chooses the newest edition by its month, then by its time of publication, and ignores guides and tables', async () => {
    const other = (title: string, more: object = {}) => ({
      ...AUGUST,
      title,
      ...more,
      id: title.replace(/\W/gu, ''),
    });
    portal.items = [
      other('ONS Postcode Directory (August 2026) User Guide', { created: AUGUST.created + 5 }),
      other('ONS Postcode Directory (November 2026)', { name: 'ONSPD_User_Guide_November_2026.zip' }),
      other('ONS Postcode Directory (November 2026) for the UK (Hosted Table)', { type: 'Feature Service' }),
      other('ONS Postcode Directory (December 2026)', { type: 'Feature Service', name: null }),
      other('Online ONS Postcode Directory (Live)'),
      other('ONS Postcode Directory (Latest) Centroids'),
      other('National Statistics Postcode Lookup (November 2026)', { name: 'NSPL_NOV_2026.zip' }),
      other('ONS Postcode Directory (May 2026)', { created: AUGUST.created + 9 }),
      AUGUST,
      other('ONS Postcode Directory (November 2025) for the UK'),
    ];
    expect((await findLatestEdition(portal.searchUrl)).title).toBe('ONS Postcode Directory (August 2026)');
    portal.items = [
      ...portal.items,
      other('ONS Postcode Directory (August 2026) (V2)', { created: AUGUST.created + 1 }),
    ];
    expect((await findLatestEdition(portal.searchUrl)).title).toBe(
      'ONS Postcode Directory (August 2026) (V2)',
    );
  });

  test('searches in the account of the ONS, unless the search address has a query of its own', async () => {
    const common = { f: 'json', num: '100', sortField: 'created', sortOrder: 'desc' };
    await findLatestEdition(portal.searchUrl);
    const q = 'title:"ONS Postcode Directory" AND owner:ONSGeography_data';
    expect(portal.requests[0]).toMatchObject({ path: '/sharing/rest/search', query: { ...common, q } });
    await findLatestEdition(`${portal.searchUrl}?q=owner:Somebody`);
    expect(portal.requests[2]).toMatchObject({ query: { ...common, q: 'owner:Somebody' } });
  });
});

describe('an unexpected response of the portal is reported, with how to import by hand', () => {
  test.each<[string, (path: string) => [number, string] | undefined, RegExp]>([
    [
      'an error as JSON',
      () => [200, '{"error":{"code":400,"message":"no"}}'],
      /answers otherwise than it is documented/u,
    ],
    ['a page', () => [200, '<html>Sign in</html>'], /answers otherwise than it is documented/u],
    ['a failure', () => [503, ''], /answered 503 Service Unavailable/u],
    ['nothing found', () => [200, '{"results":[]}'], /lists no edition of the ONS Postcode Directory/u],
    ['results of another kind', () => [200, '{"results":[1,{"id":"../.."}]}'], /lists no edition/u],
    [
      'another item under that address',
      (path) => (path.includes('items') ? [200, JSON.stringify({ ...AUGUST, title: 'Another' })] : undefined),
      /calls "ONS Postcode Directory \(August 2026\)" something else/u,
    ],
  ])(
    'reports an unexpected response of the portal, with the manual way to import: %s',
    async (_what, answerOf, message) => {
      portal.answer = (path, response) => {
        const answer = answerOf(path);
        if (answer !== undefined) response.writeHead(answer[0]).end(answer[1]);
        return answer !== undefined;
      };
      const attempt = findLatestEdition(portal.searchUrl);
      await expect(attempt).rejects.toThrow(message);
      await expect(attempt).rejects.toThrow(BY_HAND);
    },
  );

  test('reports a portal that does not respond', async () => {
    await portal.close();
    const attempt = findLatestEdition(portal.searchUrl);
    await expect(attempt).rejects.toThrow(/could not be asked for the newest edition \(/u);
    await expect(attempt).rejects.toThrow(BY_HAND);
    portal = await startPortal(Buffer.from(''));
  });

  test('reports a response without end, and stops reading it', async () => {
    portal.answer = (_path, response) => {
      const chunk = 'x'.repeat(1024 * 1024);
      const send = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', send);
      send();
      return true;
    };
    await expect(findLatestEdition(portal.searchUrl)).rejects.toThrow(/answers more than 8 MB/u);
  });
});
