import type { InitializeHook, ResolveHook } from 'node:module';

/** Modules of the server that can be left out, and the modules that replace them. */
const REPLACEMENTS: Readonly<Record<string, { module: string; by: string }>> = {
  'record-writer': { module: '/server/dist/postcodes/wire/record-writer.js', by: './plain-record-writer.js' },
  recorder: { module: '/server/dist/usage/request-recorder.js', by: './no-request-recorder.js' },
};

let replaced: { module: string; url: string } | undefined;

export const initialize: InitializeHook<string | undefined> = (name = '') => {
  const replacement = REPLACEMENTS[name];
  if (replacement === undefined) return;
  replaced = { module: replacement.module, url: new URL(replacement.by, import.meta.url).href };
};

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const found = await nextResolve(specifier, context);
  return replaced !== undefined && found.url.endsWith(replaced.module)
    ? { ...found, url: replaced.url }
    : found;
};
