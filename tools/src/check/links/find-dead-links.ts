import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ANCHOR = /<a id="([^"]+)"><\/a>/g;
const LINK = /\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g;

/**
 * The links of a Markdown text that lead to no file, or to no heading of a page; links to other sites are not followed.
 *
 * @param path of the text, below `root`
 */
export function findDeadLinks(root: string, path: string, text: string): string[] {
  return [...text.matchAll(LINK)]
    .filter(([, target, anchor]) => {
      if (/^[a-z]+:/.test(target!) || target!.startsWith('/')) return false;
      const file = target === '' ? path : normalize(join(dirname(path), target!));
      if (!existsSync(join(root, file))) return true;
      if (anchor === undefined || !file.endsWith('.md')) return false;
      const page = target === '' ? text : readFileSync(join(root, file), 'utf8');
      return !headingSlugs(page).includes(anchor);
    })
    .map(([, target, anchor]) => `${target}${anchor === undefined ? '' : `#${anchor}`}`);
}

/** What GitHub and the site call the headings of a page in an address, and the anchors that it names itself. */
function headingSlugs(markdown: string): string[] {
  const named = [...markdown.matchAll(ANCHOR)].map(([, id]) => id!);
  const slugs = [...markdown.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) =>
    heading!
      .replace(ANCHOR, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...named, ...slugs];
}
