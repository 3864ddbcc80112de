/**
 * Starts the jobs in their order, as many at a time as there are slots for. A job takes `job.slots` slots, or one if
 * that is not set. Resolves to the results, in the order in which the jobs ended.
 */
export async function runJobs(jobs, slots, run) {
  const waiting = [...jobs];
  const running = new Set();
  const results = [];
  let freeSlots = slots;
  const start = (job) => {
    // A job that needs more slots than there are runs by itself.
    const jobSlots = Math.min(job.slots ?? 1, slots);
    freeSlots -= jobSlots;
    const ended = run(job).then((result) => {
      results.push(result);
      freeSlots += jobSlots;
      running.delete(ended);
    });
    running.add(ended);
  };
  while (waiting.length > 0) {
    if (Math.min(waiting[0].slots ?? 1, slots) <= freeSlots) start(waiting.shift());
    else await Promise.race(running);
  }
  await Promise.all(running);
  return results;
}
