/** The result of one check. `advice` is the command or the change that fixes the problem. */
export interface Finding {
  readonly name: string;
  readonly state: 'works' | 'could be better' | 'does not work';
  readonly message: string;
  readonly advice?: string;
}

export const failedFinding = (name: string, error: unknown): Finding => ({
  name,
  state: 'does not work',
  message: error instanceof Error ? error.message : String(error),
});
