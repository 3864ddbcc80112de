/** A file that was not written, in words that say what to do; nothing of the disk is told but what the caller named. */
export class OutputFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutputFileError';
  }
}
