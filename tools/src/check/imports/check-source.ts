import { posix } from 'node:path';
import { blankComments } from './blank-comments.js';
import { findImports } from './find-imports.js';
import { rules, type SourceFile } from './rules.js';

/** @param path from the root, with forward slashes: packages/queue-core/src/enqueue/enqueue.ts */
function describeFile(path: string): SourceFile {
  return {
    path,
    owner: path.startsWith('tools/') ? 'tools' : path.split('/').slice(0, 2).join('/'),
    isTest: /\.(test|types-test)\.ts$/.test(path),
    isTesting: path.includes('/testing/'),
    base: posix.basename(path),
  };
}

export interface Violation {
  readonly path: string;
  readonly line: number;
  /** The rule's name. */
  readonly rule: string;
  readonly words: string;
  /** What is in the file. */
  readonly found: string;
}

/**
 * Holds one source file against every rule.
 *
 * @param path from the root
 */
export function checkSource(path: string, source: string): Violation[] {
  const file = describeFile(path);
  const code = blankComments(source);
  const imports = findImports(code);
  const lineOf = (index: number): number => code.slice(0, index).split('\n').length;
  return Object.entries(rules)
    .filter(([, rule]) => rule.on(file))
    .flatMap(([name, rule]) => {
      const found =
        'imports' in rule
          ? imports.filter(({ name }) => rule.imports(name)).map(({ index, name: text }) => ({ index, text }))
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
