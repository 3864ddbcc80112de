import { csvLine } from '../../platform/csv.js';

interface CsvLinkProps {
  readonly label: string;
  readonly lines: readonly (readonly (string | number)[])[];
}

/** A link whose address contains the values of a chart as a CSV file, so that it needs no script and no request. */
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
