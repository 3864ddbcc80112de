import { register } from 'node:module';

/** Loaded before the server: replaces the module named in BENCH_WITHOUT, to measure the server with and without it. */
register('./without-hooks.js', import.meta.url, { data: process.env['BENCH_WITHOUT'] });
