import { processorTicks, showsProcesses } from './browser-processes.js';

test('processor time, if reported, grows while a process works; it is 0 if there is no such process', () => {
  const before = processorTicks(process.pid);
  const enough = showsProcesses() ? 5 : 0;
  let turns = 0;
  while (processorTicks(process.pid) < before + enough) turns += 1;

  expect(turns > 0).toBe(showsProcesses());
  expect(processorTicks(-1)).toBe(0);
});
