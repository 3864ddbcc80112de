/** How to start npm with these arguments: the npm that runs this script, or else the one in PATH. */
export function npm(args) {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js')
    ? { command: process.execPath, args: [script, ...args] }
    : { command: 'npm', args, shell: process.platform === 'win32' };
}
