import { z } from 'zod';

const common = { url: z.string(), count: z.int() };

/** What the attacker does, until it is ended. */
export const attackData = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('captures'), keys: z.array(z.string()), pageUrl: z.string() }),
  z.object({ ...common, kind: z.literal('bodies'), path: z.string(), bytes: z.int() }),
  z.object({ ...common, kind: z.literal('signUps'), wave: z.int() }),
]);

export type AttackData = z.output<typeof attackData>;
