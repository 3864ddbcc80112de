import { register } from 'node:module';

/**
 * Loaded before the server. Replaces the module that BENCH_WITHOUT names, if any, by a simpler one (see
 * without-hooks.ts), to measure the server with and without it.
 */
register('./without-hooks.js', import.meta.url, { data: process.env['BENCH_WITHOUT'] });
