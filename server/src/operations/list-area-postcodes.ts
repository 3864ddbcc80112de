import { operations } from '@signpost/contract';
import type { z } from 'zod';
import { type Area, areaOfCode, areasOfName } from '../postcodes/areas/find-areas.js';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { ServiceError } from '../platform/errors.js';
import { notInDirectory, shownText } from './known-postcode.js';
import { bindJson } from './operation-handler.js';

const { listAreaPostcodes: operation } = operations;
type Request = z.output<typeof operation.request>;

const SHOWN_CHARACTERS = 60;
/** More than any edition has of one name, and few enough for a refusal to be told whole. */
const MAX_SHOWN_AREAS = 50;
const WITHOUT_CODES =
  'the directory in use has no codes of areas. Its operator imports it again with "signpost postcodes import latest" to have them';

export const listAreaPostcodes = (directories: DirectoryStore) =>
  bindJson(operation, async (request) => {
    const directory = directories.current();
    const area = await areaIn(directory, request);
    const { kind, code, name } = area;
    return {
      area: { kind, code, name },
      ...(await directory.postcodesOfArea(area, request.offset, request.limit)),
    };
  });

/** The one area that is asked for; throws a ServiceError where there is none, or there are several. */
async function areaIn(directory: PostcodeDirectory, { code, kind, name }: Request): Promise<Area> {
  const { table, info } = directory;
  if (kind === undefined || name === undefined) {
    const area = areaOfCode(table, code ?? '');
    if (area !== undefined) return area;
    if (table.areaCodes === undefined && !info.isSample)
      throw new ServiceError('notFound', `An area was asked for by its code, but ${WITHOUT_CODES}.`);
    throw notInDirectory(`area with the code ${shownText(code ?? '')}`, info);
  }
  const areas = areasOfName(table, kind, name);
  const [area] = areas;
  if (area === undefined) throw notInDirectory(`${kind} named ${shownText(name, SHOWN_CHARACTERS)}`, info);
  if (areas.length > 1) throw await ambiguous(directory, areas, area);
  return area;
}

/** The refusal of a name that several areas of a kind have, with where each is. */
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
  const what = `${areas.length} areas of the kind "${kind}" are named ${JSON.stringify(name)}`;
  return new ServiceError(
    'invalidRequest',
    choices.length === 0
      ? `${what}, and ${WITHOUT_CODES}.`
      : `${what}. Send the code of one as "code": ${choices.join('; ')}.`,
  );
}
