import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import type { Check } from '../lab.js';

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
