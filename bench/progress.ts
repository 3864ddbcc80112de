/** Says on standard error what is being measured, so that nobody takes a long run for one that hangs. */
export const showProgress = (words: string): void => void process.stderr.write(`  ${words}\n`);
