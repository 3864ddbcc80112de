/** What the Dockerfile may use; each is carried out by build-image.mjs or becomes part of the image's settings. */
const INSTRUCTIONS = [
  'ARG',
  'FROM',
  'RUN',
  'COPY',
  'ENV',
  'LABEL',
  'WORKDIR',
  'USER',
  'VOLUME',
  'EXPOSE',
  'STOPSIGNAL',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'CMD',
];

const ASSIGNMENT = /([\w.]+)=(?:"([^"]*)"|(\S*))/gu;

/** Reads `NAME=value NAME="value"` as ARG, ENV and LABEL have them. */
const assignments = (text) =>
  Object.fromEntries(
    [...text.matchAll(ASSIGNMENT)].map(([, name, quoted, plain]) => [name, quoted ?? plain]),
  );

/** The lines with a backslash at their end joined; comments and empty lines left out, as Docker does. */
function logicalLines(text) {
  const lines = [];
  let begun = '';
  for (const line of text.split('\n')) {
    if (/^\s*(?:#|$)/u.test(line)) continue;
    if (line.endsWith('\\')) {
      begun += `${line.slice(0, -1)} `;
      continue;
    }
    lines.push(begun + line);
    begun = '';
  }
  return lines;
}

/**
 * Reads a Dockerfile; answers its stages in order, each with its name, its base and its instructions. Throws at an
 * instruction that nobody here carries out: what is checked would not be what Docker builds.
 */
export function parseDockerfile(text) {
  const globals = {};
  const stages = [];
  for (const line of logicalLines(text)) {
    const [, name, rest] = /^(\w+)\s+(.*)$/u.exec(line) ?? [];
    if (!INSTRUCTIONS.includes(name)) throw new Error(`The checks do not know this instruction: ${line}`);
    if (name === 'FROM') {
      const [, base, as] = /^(\S+)(?: AS (\S+))?$/u.exec(rest);
      stages.push({
        name: as ?? String(stages.length),
        base: base.replace(/\$\{(\w+)\}/gu, (_, variable) => globals[variable]),
        instructions: [],
      });
    } else if (stages.length === 0) {
      Object.assign(globals, assignments(rest));
    } else {
      stages.at(-1).instructions.push({ name, rest });
    }
  }
  return stages;
}

const execForm = (text) => {
  if (!text.startsWith('['))
    throw new Error(`Not in the exec form, so that signals miss the server: ${text}`);
  return JSON.parse(text);
};

/** What a container of the stage runs with. */
export function imageSettings({ instructions }) {
  const settings = {
    environment: {},
    labels: {},
    user: '0:0',
    workdir: '/',
    volumes: [],
    command: [],
    entrypoint: [],
  };
  for (const { name, rest } of instructions) {
    if (name === 'ENV') Object.assign(settings.environment, assignments(rest));
    else if (name === 'LABEL') Object.assign(settings.labels, assignments(rest));
    else if (name === 'USER') settings.user = rest;
    else if (name === 'WORKDIR') settings.workdir = rest;
    else if (name === 'VOLUME') settings.volumes.push(rest);
    else if (name === 'EXPOSE') settings.port = Number(rest);
    else if (name === 'STOPSIGNAL') settings.stopSignal = rest;
    else if (name === 'ENTRYPOINT') settings.entrypoint = execForm(rest);
    else if (name === 'CMD') settings.command = execForm(rest);
    else if (name === 'HEALTHCHECK') settings.healthCheck = execForm(/ CMD (.*)$/u.exec(rest)[1]);
  }
  return settings;
}
