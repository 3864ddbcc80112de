/** Prints to standard error what the run is doing, so that a long run does not look like a hang. */
export const showProgress = (words: string): void => void process.stderr.write(`  ${words}\n`);
