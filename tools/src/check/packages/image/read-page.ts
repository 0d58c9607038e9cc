import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../bootstrap/paths.mjs';

/** The Dockerfile of docs/how-to/deploy.md and the lines of its .dockerignore, the first ones from a heading on. */
export function readImagePage(heading: string): { dockerfile: string; ignored: string[] } {
  const page = readFileSync(join(root, 'docs/how-to/deploy.md'), 'utf8');
  const part = page.slice(page.indexOf(`\n${heading}\n`));
  const fileOf = (name: string): string =>
    new RegExp(`<!-- file: ${name} -->\\s+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(part)![1]!;
  return { dockerfile: fileOf('Dockerfile'), ignored: fileOf('.dockerignore').trim().split('\n') };
}
