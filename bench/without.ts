import { register } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded before the server: takes from it what BENCH_WITHOUT names, so that it can be measured with and without. On
 * SIGWINCH, which the server does not listen to, it collects garbage, as an idle server does some time.
 */
register('./without-hooks.js', import.meta.url, { data: process.env['BENCH_WITHOUT'] });

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
process.on('SIGWINCH', () => {
  // Not while a request is under way.
  setTimeout(() => {
    if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
  }, 50);
});
