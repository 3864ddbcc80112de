import { formFields } from '../form-fields.js';
import type { Visit } from '../pages.js';

interface DoneNoticeProps {
  readonly visit: Visit;
  /** The sentence of each code that the query's `done` may have. */
  readonly sentences: ReadonlyMap<string, string>;
}

/** Says what was done just before this page. */
export function DoneNotice({ visit, sentences }: DoneNoticeProps) {
  const sentence = sentences.get(formFields(visit.request.query, ['done']).done);
  if (sentence === undefined) return null;
  return (
    <p class="notice good" role="status">
      {sentence}
    </p>
  );
}
