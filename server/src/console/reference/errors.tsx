import { errorDescription, ERRORS, type Operation } from '@signpost/contract';

/** What can go wrong with an operation: each status and its meaning. */
export function Errors({ operation }: { readonly operation: Operation }) {
  const inOrder = operation.errors
    .map((name) => ({ status: ERRORS[name].status, description: errorDescription(name, operation) }))
    .sort((one, other) => one.status - other.status);
  return (
    <>
      <h4>Errors</h4>
      <dl class="meanings">
        {inOrder.map(({ status, description }) => (
          <div key={status}>
            <dt>
              <span class="status danger">{status}</span>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
