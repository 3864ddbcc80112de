import { RequestDurations } from './request-durations.js';

test('counts each request in every bucket that it fits in, separately by status', () => {
  const durations = new RequestDurations();
  for (const ms of [0.4, 1, 1.1, 60_000]) durations.observe('lookupPostcode', 200, ms);
  durations.observe('lookupPostcode', 404, 300);
  const lines = durations.exposition().split('\n');
  const value = (start: string) =>
    lines
      .find((line) => line.startsWith(start))
      ?.split(' ')
      .at(-1);
  const bucket = (le: string, status = 200) =>
    value(
      `signpost_request_duration_seconds_bucket{le="${le}",operation="lookupPostcode",status="${status}"}`,
    );
  expect(['0.001', '0.0025', '30', '+Inf'].map((le) => bucket(le))).toEqual(['2', '3', '3', '4']);
  expect(['0.25', '0.5', '+Inf'].map((le) => bucket(le, 404))).toEqual(['0', '1', '1']);
  const labels = '{operation="lookupPostcode",status="200"}';
  expect(value(`signpost_request_duration_seconds_count${labels}`)).toBe('4');
  expect(Number(value(`signpost_request_duration_seconds_sum${labels}`))).toBeCloseTo(60.0025);
});

test('writes request durations in the text format of a Prometheus histogram', () => {
  const durations = new RequestDurations();
  durations.observe('other', 500, 12.5);
  const lines = durations.exposition().trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual([
    expect.stringMatching(/^# HELP signpost_request_duration_seconds .+\.$/u),
    '# TYPE signpost_request_duration_seconds histogram',
  ]);
  for (const line of lines.slice(2)) {
    expect(line).toMatch(
      /^signpost_request_duration_seconds_(?:bucket|sum|count)\{(?:\w+="[^"]*",?)+\} [\d.]+$/u,
    );
  }
});
