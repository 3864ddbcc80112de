import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { ATTACKS } from './list.js';

// This program is a thread that runs one attack, so that its work does not delay the neighbour's measurement.
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
