import { cpSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A pattern of .dockerignore as an expression that also matches everything below what it names. */
function toExpression(pattern) {
  const source = pattern
    .split(/(\*\*\/|\*)/u)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '*') return '[^/]*';
      return part.replace(/[.+?^${}()|[\]\\]/gu, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}(?:/.*)?$`, 'u');
}

/** Whether the build may see a path of the checkout: the last pattern that matches decides, as with Docker. */
function readIgnore(root) {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ allows: line.startsWith('!'), expression: toExpression(line.replace(/^!/u, '')) }));
  return (path) => rules.findLast(({ expression }) => expression.test(path))?.allows ?? true;
}

/** Copies a file or folder of the checkout as COPY sees it, without what .dockerignore keeps from the build. */
export function contextCopier(root) {
  const isVisible = readIgnore(root);
  return (source, target) => {
    if (!isVisible(source)) throw new Error(`.dockerignore keeps ${source} from the build.`);
    cpSync(join(root, source), target, {
      recursive: true,
      filter: (path) => isVisible(relative(root, path)),
    });
  };
}
