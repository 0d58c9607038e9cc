import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { renderCommands } from './render-commands.js';

test('docs/look-up/commands.md is what the program says of itself', async () => {
  const file = join(root, 'docs/look-up/commands.md');
  expect(readFileSync(file, 'utf8')).toBe(await renderCommands(file));
});
