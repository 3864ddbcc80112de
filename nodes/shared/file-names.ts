/** The names of the files of one execution: where two would be the same, the later one gets a number. */
export class FileNames {
  /** How often each name was asked for, in the form of file systems that know no case. */
  readonly #asked = new Map<string, number>();

  /** Answers the name where it is free, else the name with a number. */
  take(name: string): string {
    const form = name.toLowerCase();
    const number = (this.#asked.get(form) ?? 0) + 1;
    this.#asked.set(form, number);
    return number === 1 ? name : this.take(`${name}-${number}`);
  }
}
