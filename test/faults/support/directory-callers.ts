import { lookupPostcodeResponse } from '@signpost/contract';
import type { SignpostServer } from '../../fixtures/signpost-server.js';

/** Callers that look up the same postcode again and again until they are stopped. */
export interface DirectoryCallers {
  /** How many responses have arrived. */
  answers(): number;
  /** Stops them. Returns how many responses arrived, and the problems of wrong ones. */
  stop(): Promise<{ answers: number; wrong: readonly string[] }>;
}

interface Look {
  readonly postcode: string;
  readonly callers: number;
  /** The problem with a record; empty if it is fine. */
  judge(record: ReturnType<typeof lookupPostcodeResponse.parse>['result']): string;
}

export function startDirectoryCallers(
  server: SignpostServer,
  { postcode, callers, judge }: Look,
): DirectoryCallers {
  let isOver = false;
  let answers = 0;
  const wrong: string[] = [];
  const ask = async () => {
    const answer = await server.post('/api/postcode/lookup', { postcode });
    const text = await answer.text();
    if (answer.status !== 200) return `${answer.status} ${text}`;
    return judge(lookupPostcodeResponse.parse(JSON.parse(text)).result);
  };
  const caller = async () => {
    while (!isOver) {
      const complaint = await ask().catch((error: unknown) => String(error));
      answers += 1;
      if (complaint !== '') wrong.push(complaint);
    }
  };
  const all = Array.from({ length: callers }, caller);
  return {
    answers: () => answers,
    async stop() {
      isOver = true;
      await Promise.all(all);
      return { answers, wrong };
    },
  };
}
