import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { findWrongContents } from '../find-wrong-contents.js';
import { entriesOf } from '../../../kit/packed.js';
import type { Check } from '../../../kit/run-packed.js';

export const contents: Check = {
  name: 'contents',
  words:
    'no dependency that was not chosen, nothing of the workspace, no test and no map inside; every import leads to what users have',
  isQuick: true,
  run: async ({ packed }) => {
    const wrong = packed.flatMap((each) => findWrongContents(each).map((what) => `${each.name}: ${what}`));
    if (wrong.length > 0) throw new PlainError(wrong.join('\n'));
    return packed.map(({ name, files }) => `${name}: ${files.length} files`).join(', ');
  },
};

export const publintCheck: Check = {
  name: 'publint',
  words: 'publint --strict: the manifest says what the files are',
  isQuick: true,
  run: async ({ packed }) => {
    const lines: string[] = [];
    for (const { name, folder } of packed) {
      const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false });
      // what create-duework copies is a project of the user's, whose packages have exports of their own
      const own = messages.filter(({ args }) => !JSON.stringify(args).includes('"./template/'));
      lines.push(...own.map((message) => `${name}: ${formatMessage(message, pkg, { color: false })}`));
    }
    if (lines.length > 0) throw new PlainError(lines.join('\n'));
    return 'no message';
  },
};

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
