/** Prints to standard error what is being measured, so that a long run does not look like a hang. */
export const showProgress = (words: string): void => void process.stderr.write(`  ${words}\n`);
