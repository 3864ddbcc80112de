/** The time limit of a single check. Checks that start programs stop them sooner. */
const CHECK_TIMEOUT_MS = 40_000;

const counts = { passed: 0, failed: 0 };
let isClosed = false;
const never = new Promise(() => {});

const firstLines = (error) =>
  String(error instanceof Error ? error.message : error)
    .trim()
    .slice(0, 1000)
    .replaceAll('\n', '\n       ');

/** Runs one check, prints its line and counts it. A check fails by throwing. Returns whether it passed. */
export async function check(title, work) {
  if (isClosed) return never;
  let timer;
  const tooLong = new Promise((resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer in ${CHECK_TIMEOUT_MS / 1000} s`)),
      CHECK_TIMEOUT_MS,
    );
  });
  try {
    await Promise.race([work(), tooLong]);
    if (isClosed) return never;
    counts.passed += 1;
    console.log(`ok     ${title}`);
    return true;
  } catch (error) {
    failed(title, error);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Counts and prints a failure. */
export function failed(title, error) {
  if (isClosed) return;
  counts.failed += 1;
  console.log(`FAILED ${title}\n       ${firstLines(error)}`);
}

/** Stops counting, because checks that are still running fail when the servers end. */
export function close() {
  isClosed = true;
}

/** Prints the last line. Returns whether all checks passed. */
export function total() {
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0;
}
