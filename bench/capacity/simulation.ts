import type { Row } from '../figures.js';
import type { Section } from '../section.js';
import { INPUTS } from './inputs.js';
import { planCaptures } from './plan-captures.js';
import { planLookups } from './plan-lookups.js';

const inWords = (name: string) =>
  name
    .replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)

    .replace('cpu', 'CPU');

const inputRows = (): Row[] =>
  Object.entries(INPUTS).map(([name, { value, unit, source }]) => ({
    figure: inWords(name),
    value,
    unit,
    source,
  }));

/** Simulates how many machines captures need and how many servers lookups need. Every run gives the same result. */
export const simulateCapacity = (): readonly Section[] => [
  { name: 'simulationInputs', title: 'Inputs of the simulation', rows: inputRows() },
  { name: 'simulationCaptures', title: 'Machines for captures, simulated', rows: planCaptures() },
  { name: 'simulationLookups', title: 'Servers for lookups, simulated', rows: planLookups() },
];
