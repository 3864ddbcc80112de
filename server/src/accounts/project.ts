import type { ProjectRow } from '../storage/rows.js';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

export const projectFromRow = (row: ProjectRow): Project => ({
  id: row.id,
  name: row.name,
  createdAtMs: row.created_at,
});
