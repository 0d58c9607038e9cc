import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { findWrongContents } from '../find-wrong-contents.js';
import type { Check } from '../lab.js';

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
