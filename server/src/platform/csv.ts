/** Spreadsheets treat a cell that begins like this as a formula, and would run what somebody wrote into it. */
const FORMULA = /^[=+\-@\t\r]/u;

/** Converts a text to a cell in the format of RFC 4180. Puts an apostrophe before a text that begins like a formula. */
function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A line of a CSV file, with its line break. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
