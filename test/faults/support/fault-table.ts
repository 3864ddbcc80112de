import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One row of the table: what was done, what must come of it, and what came of it, in plain words and numbers. */
interface Fault {
  readonly fault: string;
  readonly expected: string;
  readonly figure: string;
}

const folder = process.env.SIGNPOST_FAULTS_FOLDER;
let recorded = 0;

/**
 * Adds a row to the table that is printed when all tests have run. To be called before the assertions about the
 * figure, so that the table also shows what went wrong.
 */
export async function recordFault({ fault, expected, figure }: Fault): Promise<void> {
  if (folder === undefined) {
    console.log(`${fault}\n  expected: ${expected}\n  figure: ${figure}`);
    return;
  }
  recorded += 1;
  const name = `${Date.now()}-${process.pid}-${recorded}.json`;
  await writeFile(join(folder, name), JSON.stringify({ fault, expected, figure }));
}
