import { z } from 'zod';
import { newerField } from './operation.js';

/** Optional parts of a postcode record. */
export const INCLUDE_PARTS = ['codes', 'areas', 'history'] as const;
export type IncludePart = (typeof INCLUDE_PARTS)[number];

export const includeField = z
  .array(z.enum(INCLUDE_PARTS))
  .refine(
    (parts) => new Set(parts).size === parts.length,
    `must name each of ${INCLUDE_PARTS.map((part) => `"${part}"`).join(', ')} at most once`,
  )
  .optional()
  .describe(
    'What to add to each record: GSS codes of all its areas; all other areas, such as county and parish; history (dates, quality).',
  )
  .meta({ examples: [['codes', 'areas', 'history']], uniqueItems: true });

const text = (description: string) => z.string().nullable().describe(`${description}; null if it has none.`);
const code = (of: string) => z.string().nullable().describe(`GSS code of the ${of}; null if it has none.`);
const classCode = (of: string) => z.string().nullable().describe(`Code of the ${of}; null if it has none.`);

/** For each field of a record that names an area, the schema of its GSS code. */
export const areaCodes = z.object({
  country: code('country'),
  region: code('region'),
  localAuthority: code('local authority'),
  ward: code('ward'),
  constituency: code('constituency'),
  lsoa: code('LSOA'),
  msoa: code('MSOA'),
  policeForce: code('police force area'),
  icb: code('integrated care board'),
});

const newerCode = (of: string) => newerField(null, code(of));
const newerClassCode = (of: string) => newerField(null, classCode(of));

/**
 * The fields of "areas" that have a name and a code, each with the schema of its code. Most other fields of "areas"
 * have only a code.
 */
const codesOfAreas = {
  county: newerCode('county'),
  civilParish: newerCode('civil parish'),
  electoralDivision: newerCode('electoral division'),
  itl: newerCode('international territorial level'),
  builtUpArea: newerCode('built-up area'),
  builtUpAreaSubdivision: newerCode('subdivision of the built-up area'),
  ruralUrban: newerClassCode('rural-urban class'),
  ruralUrban2011: newerClassCode('rural-urban class of 2011'),
  ruralUrban2001: newerClassCode('rural-urban class of 2001'),
  outputAreaClass: newerClassCode('output area classification'),
  outputAreaClass2001: newerClassCode('output area classification of 2001'),
  travelToWorkArea: newerCode('travel-to-work area'),
  nationalPark: newerCode('national park'),
  subIcb: newerCode('sub-ICB location'),
  cancerAlliance: newerCode('cancer alliance'),
  nhsRegion: newerCode('NHS England region'),
  healthAuthority: newerCode('health authority'),
  primaryCareTrust: newerCode('primary care trust'),
  localEnterprisePartnership: newerCode('local enterprise partnership'),
  localEnterprisePartnership2: newerCode('second local enterprise partnership'),
  europeanRegion: newerCode('European electoral region'),
  standardRegion: newerClassCode('standard statistical region'),
  skillsRegion: newerCode('skills region'),
  statisticalWard: newerClassCode('statistical ward'),
  censusWard: newerClassCode('census ward'),
};

export const postcodeCodes = z.object({ ...areaCodes.shape, ...codesOfAreas }).meta({
  id: 'PostcodeCodes',
  description:
    'The codes of what a record and its "areas" name. Those of "areas" are null if an older version imported the directory.',
});

const old = (description: string) =>
  z
    .string()
    .nullable()
    .optional()
    .describe(`${description}; only of editions that have the column, up to 2016.`);

/**
 * Fields of "areas" that only old editions have. A response has such a field only if the imported edition has its
 * column.
 */
const oldAreas = {
  enumerationDistrict1991: old('Enumeration district of 1991'),
  pseudoEnumerationDistrict1991: old('Pseudo enumeration district of 1991'),
  enumerationDistrictIndicator: old('Indicator of the enumeration district'),
  censusWard1991: old('Census ward of 1991'),
  ward1991: old('Ward of 1991'),
  ward1998: old('Ward of 1998'),
  educationAuthority: old('Local education authority'),
  previousHealthAuthority: old('Previous strategic health authority'),
  oldHealthAuthority: old('Health authority before 2002'),
  oldPrimaryCareTrust: old('Primary care trust before 2006'),
};

export const postcodeAreas = z
  .object({
    county: text('County'),
    civilParish: text('Civil parish, or community in Wales'),
    electoralDivision: text('County electoral division'),
    itl: text('International territorial level, as the edition has it; before 2021 NUTS'),
    outputArea: text('Output area, the newest that the edition has, as a code'),
    outputArea2011: text('Output area of 2011, as a code'),
    outputArea2001: text('Output area of 2001, as a code'),
    lsoa2011: text('LSOA of 2011, as a code'),
    lsoa2001: text('LSOA of 2001, as a code'),
    msoa2011: text('MSOA of 2011, as a code'),
    msoa2001: text('MSOA of 2001, as a code'),
    workplaceZone: text('Workplace zone of 2011, as a code'),
    builtUpArea: text('Built-up area'),
    builtUpAreaSubdivision: text('Subdivision of the built-up area'),
    ruralUrban: text('Rural-urban class, the newest that the edition has'),
    ruralUrban2011: text('Rural-urban class of 2011'),
    ruralUrban2001: text('Rural-urban class of 2001'),
    outputAreaClass: text('Output area classification, the newest that the edition has'),
    outputAreaClass2001: text('Output area classification of 2001'),
    travelToWorkArea: text('Travel-to-work area'),
    nationalPark: text('National park'),
    subIcb: text('Sub-ICB location; before 2022 the clinical commissioning group'),
    cancerAlliance: text('Cancer alliance'),
    nhsRegion: text('NHS England region'),
    healthAuthority: text('Former strategic health authority, or health board'),
    primaryCareTrust: text('Former primary care trust, or local health board'),
    localEnterprisePartnership: text('Local enterprise partnership'),
    localEnterprisePartnership2: text('Second local enterprise partnership'),
    europeanRegion: text('European electoral region'),
    standardRegion: text('Standard statistical region'),
    skillsRegion: text('Local learning and skills council, or its like'),
    statisticalWard: text('Statistical ward of 2005'),
    censusWard: text('Census ward of 2003'),
    userType: text('"small" or "large", the kind of user'),
    deprivationRank: z
      .int()
      .nullable()
      .describe(
        'Rank in the index of multiple deprivation of its country, 1 the most deprived; null if it has none.',
      ),
    gridReference: text('National grid reference to a metre, in Northern Ireland on the Irish grid'),
    crownDependency: newerField(null, text('"Jersey", "Guernsey" or "Isle of Man"')),
    ...oldAreas,
  })
  .meta({
    id: 'PostcodeAreas',
    description: 'The other columns of the directory: names where its tables have them, else codes.',
  });

export const postcodeHistory = z
  .object({
    introduced: text('Year and month in which it came into use, e.g. "1980-01"'),
    terminated: text('Year and month in which it was terminated, e.g. "2019-07"'),
    positionalQuality: z
      .int()
      .nullable()
      .describe(
        'Of the coordinates: 1 in a building, 2 by inspection, 3 within 50 m, 4 mean of its addresses, 5 imputed, 6 mean of the sector, 8 the last that was known, 9 none; null where not known.',
      ),
  })
  .meta({ id: 'PostcodeHistory', description: 'When a postcode came and went, and how exact its place is.' });

const unlessOld = 'Only if "include" asks for it; null if an older version imported the directory.';

/** The schemas of the parts that "include" adds to a postcode record: "codes", "areas" and "history". */
export const includedFields = {
  codes: postcodeCodes.nullable().optional().describe(unlessOld),
  areas: postcodeAreas.nullable().optional().describe(unlessOld),
  history: postcodeHistory.nullable().optional().describe(unlessOld),
};

/** The names of all fields of "areas", in order. */
export const AREA_FIELDS = postcodeAreas.keyof().options;
/** The names of the fields of "areas" that only old editions have. */
export const OLD_AREA_FIELDS: readonly string[] = Object.keys(oldAreas);
/** The fields of "areas" that have a name and a code, in order. */
export const CODED_AREA_FIELDS: readonly string[] = Object.keys(codesOfAreas);

export type PostcodeCodes = z.output<typeof postcodeCodes>;
export type PostcodeAreas = z.output<typeof postcodeAreas>;
export type PostcodeHistory = z.output<typeof postcodeHistory>;
export type AreaField = keyof PostcodeAreas;
