import { findNearestPostcodesResponse } from '@signpost/contract';
import { round, type Row } from './figures.js';
import { startFloor } from './floor.js';
import type { Load } from './load-figures.js';
import { CONNECTIONS } from './load.js';
import type { BenchOptions } from './options.js';
import type { SignpostProcess } from './signpost-process.js';
import { takeTurns } from './turns.js';

interface Case {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  /** The same question in the words of postcodes.io, where it has any. */
  readonly postcodesIo?: { readonly path: string; readonly body?: object };
}

const TEXT_CHARACTERS = 10_000;
const palace = { latitude: 51.501, longitude: -0.1416 };
const pointsAround = Array.from({ length: 100 }, (_, index) => ({
  latitude: palace.latitude + (index % 10) / 100,
  longitude: palace.longitude + Math.trunc(index / 10) / 100,
}));

const casesOf = (many: readonly string[]): readonly Case[] => [
  {
    name: 'lookup',
    path: '/api/postcode/lookup',
    body: { postcode: 'SW1A 1AA' },
    postcodesIo: { path: '/postcodes/SW1A1AA' },
  },
  {
    name: 'validate',
    path: '/api/postcode/validate',
    body: { postcode: 'SW1A 1AA' },
    postcodesIo: { path: '/postcodes/SW1A1AA/validate' },
  },
  {
    name: 'autocomplete',
    path: '/api/postcode/autocomplete',
    body: { partial: 'SW1A 1' },
    postcodesIo: { path: '/postcodes/SW1A1/autocomplete' },
  },
  {
    name: 'nearest, 10 in 2 km',
    path: '/api/postcode/nearest',
    body: { ...palace, limit: 10, radiusMetres: 2000 },
    postcodesIo: { path: `/postcodes?lat=${palace.latitude}&lon=${palace.longitude}&limit=10&radius=2000` },
  },
  {
    name: 'bulk of 100',
    path: '/api/postcode/bulk',
    body: { postcodes: many },
    postcodesIo: { path: '/postcodes', body: { postcodes: many } },
  },
  {
    name: 'distance to 100',
    path: '/api/postcode/distance',
    body: { from: 'SW1A 1AA', to: many },
  },
  {
    name: 'reverse of 100 points',
    path: '/api/postcode/reverse',
    body: { points: pointsAround },
    postcodesIo: {
      path: '/postcodes',
      body: { geolocations: pointsAround.map((point) => ({ ...point, limit: 1, radius: 2000 })) },
    },
  },
  {
    name: 'find in 10 KB',
    path: '/api/postcode/find',
    body: { text: textWith(many) },
  },
];

/** As much prose as fits, a postcode in each sentence. */
const textWith = (postcodes: readonly string[]) =>
  postcodes
    .map(
      (postcode) => `The next of those who wrote to us lives at number 7, and the postcode is ${postcode}. `,
    )
    .join('')
    .padEnd(TEXT_CHARACTERS, 'Nothing else was said. ')
    .slice(0, TEXT_CHARACTERS);

const headersOf = ({ apiKey }: SignpostProcess) => ({
  'Content-Type': 'application/json',
  'X-Api-Key': apiKey,
});

async function post(signpost: SignpostProcess, path: string, body: object): Promise<string> {
  const sent = { method: 'POST', headers: headersOf(signpost), body: JSON.stringify(body) };
  const response = await fetch(signpost.url + path, sent);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

/** A hundred different postcodes that the server has, around the palace. */
async function hundredPostcodes(signpost: SignpostProcess): Promise<string[]> {
  const around = { ...palace, limit: 100, radiusMetres: 20_000 };
  const answer = findNearestPostcodesResponse.parse(
    JSON.parse(await post(signpost, '/api/postcode/nearest', around)),
  );
  const found = answer.results.map(({ postcode }) => postcode);
  return Array.from({ length: 100 }, (_, index) => found[index % found.length] ?? '');
}

/** The look-ups that are measured, as loads of a server. */
export async function lookupLoads(signpost: SignpostProcess): Promise<readonly (Case & { load: Load })[]> {
  const headers = headersOf(signpost);
  return casesOf(await hundredPostcodes(signpost)).map((one) => ({
    ...one,
    load: { url: signpost.url + one.path, method: 'POST', headers, body: JSON.stringify(one.body) },
  }));
}

/**
 * Look-ups through the real server beside two bare servers: one that answers the same bytes, and one that does the
 * same look-up without key, limits, counting and checks.
 */
export async function benchLookups(signpost: SignpostProcess, options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, path, body, postcodesIo, load } of await lookupLoads(signpost)) {
    const floors = [
      await startFloor(signpost.dataDir, await post(signpost, path, body)),
      await startFloor(signpost.dataDir, ''),
    ];
    const loads: Load[] = [load, ...floors.map((floor) => ({ ...load, url: floor.url + path }))];
    if (options.postcodesIo !== undefined && postcodesIo !== undefined) {
      const peer = {
        url: options.postcodesIo + postcodesIo.path,
        headers: { 'Content-Type': 'application/json' },
      };
      loads.push(
        postcodesIo.body === undefined
          ? { ...peer, method: 'GET' }
          : { ...peer, method: 'POST', body: JSON.stringify(postcodesIo.body) },
      );
    }
    const [ours, bare, withDirectory, peer] = await takeTurns(loads, options.seconds);
    for (const floor of floors) floor.end();
    if (ours === undefined || bare === undefined || withDirectory === undefined) continue;
    rows.push({
      operation: name,
      connections: CONNECTIONS,
      'requests/s': round(ours.perSecond),
      'p50 ms': round(ours.p50Ms, 2),
      'p99 ms': round(ours.p99Ms, 2),
      'same bytes/s': round(bare.perSecond),
      'of same bytes': round(ours.perSecond / bare.perSecond, 2),
      'bare look-up/s': round(withDirectory.perSecond),
      'of bare look-up': round(ours.perSecond / withDirectory.perSecond, 2),
      ...(peer === undefined ? {} : { 'postcodes.io/s': round(peer.perSecond) }),
    });
  }
  return rows;
}
