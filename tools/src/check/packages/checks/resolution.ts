import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { type Check, entriesOf } from '../lab.js';

/** No rule is left out, and no entry. */
export const resolution: Check = {
  name: 'resolution',
  words:
    'arethetypeswrong: every entry has its types by node10, node16 (ESM and CommonJS) and bundler; no rule is left out',
  isQuick: true,
  run: async ({ packed }) => {
    const wrong: string[] = [];
    let entries = 0;
    for (const each of packed.filter(({ manifest }) => manifest.exports !== undefined)) {
      const data = createPackageFromTarballData(readFileSync(each.tarball));
      const analysis = await checkPackage(data);
      if (analysis.types === false) throw new PlainError(`${each.name} has no types.`);
      wrong.push(...analysis.problems.map((problem) => `${each.name}: ${JSON.stringify(problem)}`));
      entries += entriesOf(each).length;
    }
    if (wrong.length > 0) throw new PlainError(wrong.join('\n'));
    return `${entries} entries, no problem`;
  },
};
