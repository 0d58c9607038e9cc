import { readFileSync } from 'node:fs';

const catalog = readFileSync(new URL('../../pnpm-workspace.yaml', import.meta.url), 'utf8');

/**
 * What a package depends on, for users: the version of the catalog or any later one that is compatible. A pre-release
 * promises nothing about the next one, so it is named exactly.
 *
 * @param {Record<string, string>} dependencies all of them `catalog:`
 * @returns {Record<string, string>}
 */
export function readRanges(dependencies) {
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => {
      const version = new RegExp(`^  '?${name.replaceAll('/', '\\/')}'?: (\\S+)$`, 'm').exec(catalog)?.[1];
      if (version === undefined) throw new Error(`${name} is a dependency, and the catalog does not have it.`);
      return [name, version.includes('-') ? version : `^${version}`];
    }),
  );
}
