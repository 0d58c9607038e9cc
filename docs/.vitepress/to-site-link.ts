import { posix } from 'node:path';

/** Where the repository can be read; links of the documentation to code lead there. */
export const SOURCE_URL = 'https://github.com/duework/duework/blob/main';

/** Pages for those who change Duework, below docs/: in the repository alone. */
export const INTERNALS = 'internals/';

/**
 * The address of a link on the site. The pages are read in the repository, too, and link to code by relative paths:
 * what leaves docs/, or leads to its internals, leads to the repository. A link within docs/ is VitePress's.
 *
 * @param page path of the page that links, below docs/
 */
export function toSiteLink(page: string, link: string): string {
  if (/^([a-z]+:|#|\/)/.test(link)) return link;
  const [path = '', hash] = link.split('#');
  const target = posix.normalize(posix.join('docs', posix.dirname(page), path));
  const isOnSite = target.startsWith('docs/') && !target.startsWith(`docs/${INTERNALS}`);
  const isPage = isOnSite && /(\.md|\.svg|\.png|\/)$/.test(target);
  if (isPage) return link;
  return `${SOURCE_URL}/${target}${hash === undefined ? '' : `#${hash}`}`;
}
