import { ERRORS } from '@signpost/contract';
import { CodeBlock } from './code-block.js';

const EXAMPLE = { error: '"postcode" is missing: it must be a string.' };

/** What every refusal looks like, and each status with its meaning. */
export function CommonErrors() {
  return (
    <section id="errors" class="group" aria-labelledby="errors-title">
      <h2 id="errors-title">Errors</h2>
      <div class="card operation">
        <p>
          Both interfaces answer a refusal or a failure with its status and one sentence that says what was
          wrong and what to change:
        </p>
        <CodeBlock id="error-example" label="Body of an error" code={JSON.stringify(EXAMPLE, null, 2)} />
        <dl class="meanings">
          {Object.entries(ERRORS).map(([name, { status, description }]) => (
            <div key={name}>
              <dt>
                <span class="status danger">{status}</span>
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
