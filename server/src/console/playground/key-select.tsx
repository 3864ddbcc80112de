import type { Key } from '../../keys/key.js';
import { Select } from './select.js';

interface KeySelectProps {
  readonly id: string;
  readonly keys: readonly Key[];
  readonly chosen: string;
}

/** Which of the visitor's keys the requests count for. */
export const KeySelect = ({ id, keys, chosen }: KeySelectProps) => (
  <Select
    id={id}
    name="key"
    label="Key"
    value={chosen}
    options={keys.map((key) => ({ value: String(key.id), label: `${key.projectName}: ${key.prefix}…` }))}
  />
);
