import { Fragment } from 'preact';

interface CodeListProps {
  readonly values: readonly string[];
  readonly between: string;
}

/** Values one after the other, each as code. */
export function CodeList({ values, between }: CodeListProps) {
  return (
    <>
      {values.map((value, index) => (
        <Fragment key={value}>
          {index === 0 ? null : between}
          <code>{value}</code>
        </Fragment>
      ))}
    </>
  );
}
