const REMEMBERED_MS = 2_000;
const REMEMBERED_ANSWERS = 10_000;

/** Answers as `read` does, from memory where it answered the same within the last two seconds. */
export function rememberBriefly<Answer>(
  read: (asked: string) => Promise<Answer>,
  monotonicMs: () => number,
): (asked: string) => Promise<Answer> {
  const answers = new Map<string, { readonly answer: Promise<Answer>; readonly endsAtMs: number }>();
  return (asked) => {
    const known = answers.get(asked);
    if (known !== undefined && monotonicMs() < known.endsAtMs) return known.answer;
    if (answers.size >= REMEMBERED_ANSWERS) answers.clear();
    const remembered = { answer: read(asked), endsAtMs: monotonicMs() + REMEMBERED_MS };
    answers.set(asked, remembered);
    remembered.answer.catch(() => {
      if (answers.get(asked) === remembered) answers.delete(asked);
    });
    return remembered.answer;
  };
}
