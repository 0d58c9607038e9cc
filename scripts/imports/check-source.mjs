import { posix } from 'node:path';
import { blankComments } from './blank-comments.mjs';
import { findImports } from './find-imports.mjs';
import { rules } from './rules.mjs';

/** @param {string} path - from the root, with forward slashes: packages/queue-core/src/enqueue.ts */
function describeFile(path) {
  return {
    path,
    owner: path.split('/').slice(0, 2).join('/'),
    isTest: /\.(test|types-test)\.ts$/.test(path),
    isTesting: path.includes('/testing/'),
    base: posix.basename(path),
  };
}

/**
 * Holds one source file against every rule.
 *
 * @param {string} path - from the root
 * @param {string} source
 * @returns {{ path: string, line: number, rule: string, words: string, found: string }[]}
 */
export function checkSource(path, source) {
  const file = describeFile(path);
  const code = blankComments(source);
  const imports = findImports(code);
  const lineOf = (index) => code.slice(0, index).split('\n').length;
  return Object.entries(rules)
    .filter(([, rule]) => rule.on(file))
    .flatMap(([name, rule]) => {
      const found = rule.imports
        ? imports.filter((entry) => rule.imports(entry.name)).map((entry) => ({ index: entry.index, text: entry.name }))
        : [...code.matchAll(rule.pattern)].map((match) => ({ index: match.index, text: match[0] }));
      return found.map(({ index, text }) => ({
        path,
        line: lineOf(index),
        rule: name,
        words: rule.words,
        found: text.trim(),
      }));
    })
    .sort((a, b) => a.line - b.line);
}
