import type { Key } from '../../keys/key.js';
import { Select } from '../layout/select.js';
import { keyLabel } from './key-display.js';

interface KeySelectProps {
  readonly id: string;
  readonly keys: readonly Key[];
  readonly chosen: string;
  readonly form: string;
}

export const KeySelect = ({ id, keys, chosen, form }: KeySelectProps) => (
  <Select
    id={id}
    name="key"
    label="Key"
    value={chosen}
    form={form}
    choices={keys.map((key) => [String(key.id), `${key.projectName}: ${keyLabel(key)}`])}
  />
);
