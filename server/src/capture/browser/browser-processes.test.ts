import { processorTicks, showsProcesses } from './browser-processes.js';

test('the processor time of a process grows while it works, and is 0 if it does not run', () => {
  const before = processorTicks(process.pid);
  const enough = showsProcesses() ? 5 : 0;
  let turns = 0;
  while (processorTicks(process.pid) < before + enough) turns += 1;

  expect(turns > 0).toBe(showsProcesses());
  expect(processorTicks(-1)).toBe(0);
});
