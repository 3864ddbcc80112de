import { arch, availableParallelism, cpus, release, totalmem, type as system } from 'node:os';

/** The machine that the figures were measured on. */
export const machine = {
  node: process.version,
  cores: availableParallelism(),
  processor: cpus()[0]?.model ?? 'unknown',
  memoryGb: Number((totalmem() / 1e9).toFixed(1)),
  system: `${system()} ${release()} ${arch()}`,
};

export const machineWords = `Node ${machine.node}, ${machine.cores} cores of ${machine.processor}, ${machine.memoryGb} GB, ${machine.system}`;
