import type { KeyObject } from 'node:crypto';
import { ServiceError } from '../service-error.js';
import { portableValue, type TableShape, type Values } from '../storage/transfer/table-shape.js';
import { footerLine, LineChecksum, tableLine, type BackupHeader } from './backup-format.js';
import { changed } from './damaged.js';

/** Follows the lines of a backup and holds against its last one what came before. */
export class BackupCheck {
  private readonly checksum = new LineChecksum();
  private readonly shapes: ReadonlyMap<string, TableShape>;
  private readonly counts: Map<string, number>;
  private current: TableShape | undefined;
  /** Whether the last line came and was right. */
  isEnded = false;

  constructor(
    private readonly path: string,
    header: BackupHeader,
    private readonly key: KeyObject,
  ) {
    this.shapes = new Map(header.tables.map((table) => [table.name, table]));
    this.counts = new Map(header.tables.map(({ name }) => [name, 0]));
  }

  /** The table whose rows come now. */
  get table(): TableShape {
    if (this.current === undefined) throw changed(this.path);
    return this.current;
  }

  /** A line of the file that is not its last one, without its end. */
  add(line: string): void {
    if (this.isEnded) throw changed(this.path);
    this.checksum.add(`${line}\n`);
  }

  /** A line that is an array. */
  row(values: readonly unknown[]): Values {
    const { name, columns } = this.table;
    if (columns.length !== values.length) throw changed(this.path);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    try {
      return columns.map((column, index) => portableValue(name, column, values[index]));
    } catch (error) {
      throw changed(this.path, error);
    }
  }

  /** A line after the first that is no array: a table begins, or the file ends. Answers whether it ends. */
  mark(value: unknown): boolean {
    const begun = tableLine.safeParse(value).data;
    if (begun === undefined) {
      this.end(value);
      return true;
    }
    this.current = this.shapes.get(begun.table);
    return false;
  }

  private end(value: unknown): void {
    const footer = footerLine.safeParse(value).data;
    const { sha256, mac } = this.checksum.end(this.key);
    const isWhole =
      footer?.sha256 === sha256 &&
      Object.keys(footer.rows).length === this.counts.size &&
      [...this.counts].every(([table, rows]) => footer.rows[table] === rows);
    if (!isWhole) throw changed(this.path);
    if (footer.mac !== mac) {
      throw new ServiceError(
        'invalidRequest',
        `The backup ${this.path} was not written with this installation's secret, although it says so: somebody made ` +
          'or changed it. Use a backup from a place that only you can write to.',
      );
    }
    this.isEnded = true;
  }
}
