import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { ATTACKS } from './list.js';

// This thread runs one attack. In the thread that measures the neighbour, the attack would slow the measurement down.
const { name, neighbour, ...target } = z
  .object({
    name: z.string(),
    neighbour: z.string(),
    url: z.string(),
    facts: z.record(z.string(), z.string()),
  })
  .parse(workerData);

const attack = ATTACKS.find((one) => one.name === name && one.neighbour.name === neighbour)?.run(target);
parentPort?.postMessage('started');
await attack;
