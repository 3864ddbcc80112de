export interface FileName {
  readonly stem: string;
  /** With its dot. */
  readonly extension: string;
}

/** The names of the files of one execution: where two would be the same, the later one gets a number. */
export class FileNames {
  /** How often each name was asked for, in the form of file systems to which case and spelling are one. */
  readonly #asked = new Map<string, number>();

  /** Answers the name where it is free, else the name with a number. */
  take({ stem, extension }: FileName): string {
    const name = `${stem}${extension}`;
    const form = name.toLowerCase().normalize('NFC');
    const number = (this.#asked.get(form) ?? 0) + 1;
    this.#asked.set(form, number);
    return number === 1 ? name : this.take({ stem: `${stem}-${number}`, extension });
  }
}
