import { explainBrowserStart } from './browser-problem.js';

test.each([
  [
    'chrome: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory',
    'the library libnss3.so is missing',
    /libnss3/u,
    'browser',
  ],
  [
    '[1:2] ERROR:platform_thread_posix.cc pthread_create: Resource temporarily unavailable (11)\nTrace/breakpoint trap',
    'the system gives it no more processes or threads',
    /TasksMax/u,
    'browser',
  ],
  ['Error: spawn EAGAIN', 'the system gives it no more processes or threads', /--pids-limit/u, 'browser'],
  ['Error: spawn ENOMEM', 'there is not enough memory', /SIGNPOST_CAPTURE_CONCURRENCY/u, 'memory'],
  [
    "Error: ENOSPC: no space left on device, mkdtemp '/tmp/signpost-browser-x'",
    'the disk of the temporary folder is full',
    /TMPDIR/u,
    'disk',
  ],
  ["Error: EROFS: read-only file system, mkdtemp '/tmp/x'", 'cannot be written to', /TMPDIR/u, 'disk'],
  ['FATAL: No usable sandbox! Update your kernel', 'sandbox', /SIGNPOST_BROWSER_WITHOUT_SANDBOX/u, 'browser'],
  ['Error: spawn ENOEXEC', 'another kind of machine', /SIGNPOST_BROWSER_PATH/u, 'browser'],
  ['Segmentation fault', 'ended as soon as it had started', /SIGNPOST_BROWSER_PATH/u, 'browser'],
  ['Trace/breakpoint trap', 'ended as soon as it had started', /ulimit -v/u, 'browser'],
  ['', 'ended without a word', /playwright install.*MemoryMax=/u, 'browser'],
])('says why a browser that writes %j does not start, with a cure', async (output, why, cure, reason) => {
  const problem = await explainBrowserStart(output, '/opt/chrome');
  expect(problem.why).toContain(why);
  expect(problem.cure).toMatch(cure);
  expect(problem.reason).toBe(reason);
  expect(output).toContain(problem.words);
});
