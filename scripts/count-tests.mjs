import { existsSync, readFileSync } from 'node:fs';

// Prints "PASSED FAILED" for a report of `jest --json` and the exit code of the run that wrote it.
const [file, exitCode] = process.argv.slice(2);
const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
const passed = report?.numPassedTests ?? 0;
const failed = (report?.numFailedTests ?? 0) + (report?.numRuntimeErrorTestSuites ?? 0);

console.log(passed, failed === 0 && (exitCode !== '0' || passed === 0) ? 1 : failed);
