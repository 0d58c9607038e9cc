import type { FencePlace } from './write-fences.js';

/**
 * What the compiler says of the written modules, with the page and line where each fence stands; what it says of other
 * files stays as it is.
 *
 * @param output of `tsc --pretty false`, whose paths are below the folder of the modules
 */
export function tellProblems(output: string, places: ReadonlyMap<string, FencePlace>): string[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, file = '', at = '0', column = '0', message = ''] = /^(.+?)\((\d+),(\d+)\): (.*)$/.exec(line) ?? [];
      const place = places.get(file);
      return place === undefined ? line : `${place.page}:${place.line + Number(at) - 1}:${column}  ${message}`;
    });
}
