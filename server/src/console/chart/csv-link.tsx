import { csvLine } from '../../platform/csv.js';

interface CsvLinkProps {
  /** The label of the chart, which names the file. */
  readonly label: string;
  /** The headings, then the values of each row. */
  readonly lines: readonly (readonly (string | number)[])[];
}

/**
 * A link that saves the values of a chart as a file. The address of the link contains the values, so it needs neither a
 * script nor a request.
 */
export function CsvLink({ label, lines }: CsvLinkProps) {
  const text = lines.map((cells) => csvLine(cells.map(String))).join('');
  return (
    <a
      class="button small chart-file"
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(text)}`}
      download={`signpost-${label.toLowerCase().replaceAll(/[^a-z]+/gu, '-')}.csv`}
    >
      Save as CSV<span class="visually-hidden">: {label}</span>
    </a>
  );
}
