/** One postcode as the editions of the tests write it. */
interface EditionRow {
  readonly pcds: string;
  readonly doterm?: string;
  readonly ctry?: string;
  readonly rgn?: string;
  readonly lad?: string;
  readonly wd?: string;
  readonly lat?: string;
  readonly long?: string;
  readonly east?: string;
  readonly north?: string;
  readonly lsoa11?: string;
  readonly lsoa21?: string;
}

export const PALACE: EditionRow = { pcds: 'SW1A 1AA' };
export const HOLYROOD: EditionRow = {
  pcds: 'EH99 1SP',
  ctry: 'S92000003',
  rgn: 'S99999999',
  lad: 'S12000036',
  wd: 'S13002929',
  lat: '55.952053',
  long: '-3.174592',
  east: '326751',
  north: '0673849',
};
export const BELFAST: EditionRow = {
  ...HOLYROOD,
  pcds: 'BT1 5GS',
  ctry: 'N92000002',
  lad: 'N09000003',
  lat: '54.596630',
  long: '-5.930070',
  east: '333832',
  north: '0374013',
};
export const JERSEY: EditionRow = {
  pcds: 'JE2 4WD',
  ctry: 'L93000001',
  rgn: 'L99999999',
  lad: 'L99999999',
  wd: 'L99999999',
  lat: '99.999999',
  long: '0.000000',
  east: '',
  north: '',
};

const HEADERS = {
  '2014':
    'pcd,pcd2,pcds,dointr,doterm,oscty,oslaua,osward,usertype,oseast1m,osnrth1m,osgrdind,oshlthau,hro,ctry,gor,streg,pcon,eer,teclec,ttwa,pct,nuts,psed,cened,edind,oshaprev,lea,oldha,wardc91,wardo91,ward98,statsward,oa01,casward,park,lsoa01,msoa01,ur01ind,oac01,oldpct,oa11,lsoa11,msoa11,parish,wz11,ccg,bua11,buasd11,ru11ind,oac11',
  '2016':
    'pcd,pcd2,pcds,dointr,doterm,oscty,oslaua,osward,usertype,oseast1m,osnrth1m,osgrdind,oshlthau,hro,ctry,gor,streg,pcon,eer,teclec,ttwa,pct,nuts,psed,cened,edind,oshaprev,lea,oldha,wardc91,wardo91,ward98,statsward,oa01,casward,park,lsoa01,msoa01,ur01ind,oac01,oldpct,oa11,lsoa11,msoa11,parish,wz11,ccg,bua11,buasd11,ru11ind,oac11,lat,long,lep1,lep2,pfa,imd,ced',
  '2018':
    'pcd,pcd2,pcds,dointr,doterm,oscty,ced,oslaua,osward,parish,usertype,oseast1m,osnrth1m,osgrdind,oshlthau,nhser,ctry,rgn,streg,pcon,eer,teclec,ttwa,pct,nuts,statsward,oa01,casward,park,lsoa01,msoa01,ur01ind,oac01,oa11,lsoa11,msoa11,wz11,ccg,bua11,buasd11,ru11ind,oac11,lat,long,lep1,lep2,pfa,imd,calncv,stp',
  '2024':
    'pcd,pcd2,pcds,dointr,doterm,oscty,ced,oslaua,osward,parish,usertype,oseast1m,osnrth1m,osgrdind,oshlthau,nhser,ctry,rgn,streg,pcon,eer,teclec,ttwa,pct,itl,statsward,oa01,casward,npark,lsoa01,msoa01,ur01ind,oac01,oa11,lsoa11,msoa11,wz11,sicbl,bua11,buasd11,ru11ind,oac11,lat,long,lep1,lep2,pfa,imd,calncv,icb,oa21,lsoa21,msoa21',
  '2025':
    'pcd7,pcd8,pcds,dointr,doterm,cty25cd,ced25cd,lad25cd,wd25cd,parncp25cd,usrtypind,east1m,north1m,gridind,hlth19cd,nhser24cd,ctry25cd,rgn25cd,ssr95cd,pcon24cd,eer20cd,educ23cd,ttwa15cd,itl25cd,oa01cd,lsoa01cd,msoa01cd,oa11cd,lsoa11cd,msoa11cd,wz11cd,sicbl24cd,lat,long,lep21cd1,lep21cd2,pfa23cd,imd20ind,icb23cd,oa21cd,lsoa21cd,msoa21cd,ruc21ind',
  NSPL: 'pcd,pcd2,pcds,dointr,doterm,usertype,oseast1m,osnrth1m,osgrdind,oa11,cty,ced,laua,ward,hlthau,nhser,ctry,rgn,pcon,eer,teclec,ttwa,pct,itl,park,lsoa11,msoa11,wz11,ccg,bua11,buasd11,ru11ind,oac11,lat,long,lep1,lep2,pfa,imd,calncv,stp',
} as const;

export type Edition = keyof typeof HEADERS | '2021' | '2026' | 'portal';
export const EDITIONS: readonly Edition[] = [
  '2014',
  '2016',
  '2018',
  '2021',
  '2024',
  '2025',
  '2026',
  'NSPL',
  'portal',
];

function headerOf(edition: Edition): string {
  if (edition === '2021') return HEADERS['2018'].replace('nuts', 'itl');
  if (edition === '2026') return HEADERS['2025'].replaceAll('25cd', '26cd');
  if (edition === 'portal') return `X,Y,OBJECTID,${HEADERS['2025'].toUpperCase()}`;
  return HEADERS[edition];
}

const isCode = (word: string, ...words: string[]) => words.includes(word.replace(/\d\dcd$/u, ''));

function valueOf(column: string, row: EditionRow): string {
  const name = column.toLowerCase();
  const compact = row.pcds.replace(' ', '');
  if (name === 'pcd' || name === 'pcd7') return `${compact.slice(0, -3).padEnd(4)}${compact.slice(-3)}`;
  if (name === 'pcd2' || name === 'pcd8') return `${compact.slice(0, -3).padEnd(5)}${compact.slice(-3)}`;
  if (name === 'pcds') return row.pcds;
  if (name === 'dointr') return '198001';
  if (name === 'doterm') return row.doterm ?? '';
  if (name === 'lat') return row.lat ?? '51.501009';
  if (name === 'long') return row.long ?? '-0.141588';
  if (name === 'oseast1m' || name === 'east1m') return row.east ?? '529090';
  if (name === 'osnrth1m' || name === 'north1m') return row.north ?? '0179645';
  if (isCode(name, 'ctry')) return row.ctry ?? 'E92000001';
  if (isCode(name, 'rgn', 'gor')) return row.rgn ?? 'E12000007';
  if (isCode(name, 'lad', 'oslaua', 'laua')) return row.lad ?? 'E09000033';
  if (isCode(name, 'wd', 'osward', 'ward')) return row.wd ?? 'E05013806';
  if (name.startsWith('lsoa11')) return row.lsoa11 ?? 'E01004736';
  if (name.startsWith('lsoa21')) return row.lsoa21 ?? 'E01004736';
  return '';
}

/** The file of an edition with these rows; the one of 2014 is without a header. */
export function editionCsv(
  edition: Edition,
  rows: readonly EditionRow[],
  { isQuoted = false, lineEnd = '\r\n' } = {},
): string {
  const columns = headerOf(edition).split(',');
  const line = (values: readonly string[]) =>
    values.map((value) => (isQuoted ? `"${value}"` : value)).join(',');
  const lines = rows.map((row) => line(columns.map((column) => valueOf(column, row))));
  return [...(edition === '2014' ? [] : [columns.join(',')]), ...lines, ''].join(lineEnd);
}
