/** Longer than any statement here takes; servers give up on theirs much sooner. */
const PATIENCE_MS = 3_600_000;

interface Query<Self> {
  options(options: Readonly<Record<string, number>>): Self;
}

/** Lets one statement take the time that large tables need. */
export const patiently = <Self extends Query<Self>>(query: Self): Self =>
  query.options({ query_timeout: PATIENCE_MS });
