import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;

/**
 * The links of a Markdown text that lead to no file; links to other sites are not followed.
 *
 * @param path of the text, below `root`
 */
export function findDeadLinks(root: string, path: string, text: string): string[] {
  return [...text.matchAll(LINK)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, normalize(join(dirname(path), target)))));
}
