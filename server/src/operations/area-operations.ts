import { operations, type RequestOutput } from '@signpost/contract';
import { ServiceError } from '../platform/errors.js';
import { type Area, areaOfCode, areasOfName, crownDependencyNamed } from '../postcodes/areas/find-areas.js';
import { suggestAreas, type SuggestedArea } from '../postcodes/areas/suggest-areas.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import {
  describeText,
  describeUnknownOutcode,
  describeWholePostcode,
} from '../postcodes/hints/describe-text.js';
import { shownText } from '../postcodes/hints/helpful-request.js';
import { byNameColumn } from '../postcodes/table/directory-data.js';
import { notInDirectory } from './known-postcode.js';
import { bind, bindQuery } from './operation-handler.js';

const getOutcode = (directories: DirectoryStore) =>
  bind(operations.getOutcode, ({ outcode }) => {
    const directory = directories.current();
    const rows = directory.rowsOfOutcode(outcode);
    if (rows === undefined) throw malformedOutcode(directory, outcode);
    if (rows.from === rows.to) {
      const nearby = describeUnknownOutcode(directory, outcode, rows.outcode);
      throw notInDirectory(`outcode ${rows.outcode}`, directory.info, nearby);
    }
    return { value: { result: directory.describeOutcode(rows) } };
  });

/** The rejection of a text that cannot be an outcode. */
function malformedOutcode(directory: PostcodeDirectory, text: string): ServiceError {
  const words = describeWholePostcode(directory, text) ?? describeText(directory, 'outcode', text);
  return new ServiceError(
    'invalidRequest',
    `"outcode" must be the first half of a UK postcode such as "SW1A", but ${words ?? `is ${shownText(text)}.`}`,
  );
}

type ListRequest = RequestOutput<typeof operations.listAreaPostcodes>;

const SHOWN_NAME_CHARACTERS = 60;
/** The maximum number of areas that an error message lists. */
const MAX_SHOWN_AREAS = 50;
const WITHOUT_CODES =
  'the directory in use has no codes of areas. Its operator imports it again with "signpost postcodes import latest" to have them';

const listAreaPostcodes = (directories: DirectoryStore) =>
  bind(operations.listAreaPostcodes, async (request) => {
    const directory = directories.current();
    const island = islandIn(directory, request);
    if (island !== undefined) return { value: island };
    const area = await areaIn(directory, request);
    const { kind, code, name } = area;
    const listed = await directory.postcodesOfArea(area, request.offset, request.limit);
    return { value: { area: { kind, code, name }, ...listed } };
  });

/**
 * The response to a request for Jersey or Guernsey, which are one country in the directory; undefined for any other
 * request, or if the directory has no postcodes of the island.
 */
function islandIn(directory: PostcodeDirectory, { kind, name, offset, limit }: ListRequest) {
  if (kind !== 'country' || name === undefined || areasOfName(directory.table, kind, name).length > 0)
    return undefined;
  const island = crownDependencyNamed(name);
  if (island === undefined) return undefined;
  const listed = directory.postcodesOfPostcodeArea(island.postcodeArea, offset, limit);
  return listed.total === 0 ? undefined : { area: { kind, code: null, name: island.name }, ...listed };
}

/** The one area that a request names. Throws a ServiceError if there isn't one, or there are several. */
async function areaIn(directory: PostcodeDirectory, { code, kind, name }: ListRequest): Promise<Area> {
  const { table, info } = directory;
  if (kind === undefined || name === undefined) {
    const area = areaOfCode(table, code ?? '');
    if (area !== undefined) return area;
    if (table.areaCodes === undefined && !info.isSample)
      throw new ServiceError('notInDirectory', `An area was asked for by its code, but ${WITHOUT_CODES}.`);
    throw notInDirectory(`area with the code ${shownText(code ?? '')}`, info);
  }
  const areas = areasOfName(table, kind, name);
  const [area] = areas;
  if (area === undefined) {
    const suggestions = suggestAreas(table, kind, name);
    const subject = `${kind} named ${shownText(name, SHOWN_NAME_CHARACTERS)}`;
    throw notInDirectory(subject, info, didYouMean(suggestions) || countriesOf(directory, kind), {
      suggestions,
    });
  }
  if (areas.length > 1) throw await ambiguous(directory, areas, area);
  return area;
}

const didYouMean = (areas: readonly SuggestedArea[]) =>
  areas.length === 0
    ? ''
    : `Did you mean ${areas.map(({ kind, name }) => `${JSON.stringify(name)} (${kind})`).join(', ')}?`;

/** Says which countries the directory has, if a country was requested; otherwise returns an empty text. */
function countriesOf({ table }: PostcodeDirectory, kind: Area['kind']): string {
  const names = table.values.country.filter((name) => name !== null).toSorted();
  return kind !== 'country' || names.length === 0
    ? ''
    : `The countries are ${names.map((name) => JSON.stringify(name)).join(', ')}.`;
}

/**
 * The rejection of a name that several areas of a kind share. Lists up to MAX_SHOWN_AREAS of those that have a code,
 * with where they are.
 */
async function ambiguous(
  directory: PostcodeDirectory,
  areas: readonly Area[],
  { kind, name }: Area,
): Promise<ServiceError> {
  const choices: string[] = [];
  for (const area of areas) {
    if (area.code === null || choices.length === MAX_SHOWN_AREAS) continue;
    const where = (await directory.whereaboutsOf(area)) ?? 'no active postcodes';
    choices.push(`${area.code} (${where})`);
  }
  const subject = `${areas.length} areas of the kind "${kind}" are named ${JSON.stringify(name)}`;
  return new ServiceError(
    'invalidRequest',
    choices.length === 0
      ? `${subject}, and ${WITHOUT_CODES}.`
      : `${subject}. Send the code of one as "code": ${choices.join('; ')}.`,
  );
}

const getDirectory = (directories: DirectoryStore) =>
  bindQuery(operations.getDirectory, () => {
    const { info } = directories.current();
    const { edition, source, rows, importedAt, isSample } = info;
    const vintages = info.vintages ?? byNameColumn(() => null);
    return { value: { edition, source, postcodes: rows, importedAt, isSample, vintages } };
  });

/** The operations on outcodes, areas and the directory as a whole. */
export const areaOperations = (directories: DirectoryStore) => ({
  getOutcode: getOutcode(directories),
  listAreaPostcodes: listAreaPostcodes(directories),
  getDirectory: getDirectory(directories),
});
