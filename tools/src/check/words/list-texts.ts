import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { QUOTING } from './allowed.js';

const WHERE = ['packages', 'apps', 'tools', 'prisma', 'docs', 'README.md', 'AGENTS.md'];
const NO_TEXT = /\.(png|jpe?g|gif|ico|pdf|woff2?|ttf|gz|zip)$/;

/** What git knows, or would, of the files that people read and write: paths from the root, with forward slashes. */
export function listTexts(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...WHERE], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return [...new Set(listed.split('\0'))].filter(
    (path) =>
      path !== '' &&
      !NO_TEXT.test(path) &&
      !QUOTING.some((quoting) => path.startsWith(quoting)) &&
      // what is deleted and not committed yet is listed, too
      existsSync(join(root, path)),
  );
}
