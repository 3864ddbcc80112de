import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One row of the table: the fault, the expected result, and the actual result with figures. */
interface Fault {
  readonly fault: string;
  readonly expected: string;
  readonly figure: string;
}

const folder = process.env.TEST_TIER_FOLDER;
let recorded = 0;

/**
 * Adds a row to the table that is printed after all tests. Call it before the assertions about the figure, so that the
 * table also shows failures.
 */
export async function recordFault({ fault, expected, figure }: Fault): Promise<void> {
  if (folder === undefined) {
    console.log(`${fault}\n  expected: ${expected}\n  figure: ${figure}`);
    return;
  }
  recorded += 1;
  const name = `fault-${Date.now()}-${process.pid}-${recorded}.json`;
  await writeFile(join(folder, name), JSON.stringify({ fault, expected, figure }));
}
