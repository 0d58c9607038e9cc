/** `npm run check -- site`: the documentation as a site. A link that leads nowhere fails it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { below, root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';

const program = createProgram(
  'check site',
  `Builds docs/ as a static site, with llms.txt for language models. Exit code 1: a link leads nowhere, or a page
cannot be built.`,
).option('--serve', 'shows the site while you write, instead of building it');

await runProgram(program, () => {
  const { serve } = program.opts<{ serve?: true }>();
  const docs = join(root, 'docs');
  const { status } = spawnSync(
    process.execPath,
    [join(docs, 'node_modules/vitepress/bin/vitepress.js'), serve === true ? 'dev' : 'build'],
    { cwd: docs, stdio: 'inherit' },
  );
  if (status === 0 && serve !== true) process.stdout.write(`${below(join(docs, '.vitepress/dist'))} is the site.\n`);
  return status ?? 1;
});
