import { register } from 'node:module';

/** Loaded before the server: takes from it what BENCH_WITHOUT names, so that it can be measured with and without. */
register('./without-hooks.js', import.meta.url, { data: process.env['BENCH_WITHOUT'] });
