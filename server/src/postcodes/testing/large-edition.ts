import { PALACE, editionCsv } from './editions.js';

const AREAS = 'BCDEFGH';
const UNIT_LETTERS = 'ABDEFGHJLN';
const ROWS_PER_AREA = 10_000;

/** An edition of SW1A 1AA and of up to 70,000 made-up postcodes, large enough to be read in many steps. */
export function largeEditionCsv(areas = AREAS): string {
  const [header = '', row = ''] = editionCsv('2025', [PALACE], { lineEnd: '\n' }).split('\n');
  const rows = [row];
  for (const area of areas) {
    for (let number = 0; number < ROWS_PER_AREA; number += 1) {
      const [district = '', sector = '', ...unit] = String(number).padStart(4, '0');
      const inward = `${sector}${unit.map((digit) => UNIT_LETTERS.charAt(Number(digit))).join('')}`;
      rows.push(row.replaceAll(PALACE.pcds, `${area}${district} ${inward}`));
    }
  }
  return [header, ...rows, ''].join('\n');
}
