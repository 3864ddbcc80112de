// Imported before everything else, so it must run on every Node.js version that supports ES modules.
const needed = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(
    `Signpost needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}. Get it from https://nodejs.org.`,
  );
  process.exit(1);
}
