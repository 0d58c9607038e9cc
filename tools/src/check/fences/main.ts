/** `npm run check -- fences`: every fence of TypeScript or JavaScript in the documentation, and the code that the console shows, compiles against the packages as they are. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { tellProblems, writeFences } from './write-fences.js';

/** As a user's project: strict, and with the types of the packages checked as well as they can be. */
const CONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    jsx: 'react-jsx',
    allowJs: true,
    checkJs: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    paths: { '@/jobs': ['./fences/jobs.ts'] },
  },
  include: ['**/*.ts', '**/*.tsx', '**/*.js'],
};

/** The code that the console shows. */
const SHOWN = 'apps/console/snippets';

/** What users install beside `duework`. It is taken as it is published: the workspace sees more of it. */
const PUBLISHED = ['bullmq', 'client', 'http', 'otel'];

const program = createProgram(
  'check fences',
  `Compiles every fence of TypeScript or JavaScript in README.md, docs and the packages' READMEs, each as a module of its own, and the code that the console shows
(apps/console/snippets). What they use and do not import is declared in docs/fences. Exit code 1: one does not compile.`,
);

await runProgram(program, () => {
  const listed = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md', 'packages/*/README.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  const pages = listed
    .trim()
    .split('\n')
    .map((path) => ({ path, markdown: readFileSync(join(root, path), 'utf8') }));
  // below docs, so that what its package.json names is found
  const dir = join(root, 'docs/node_modules/.fences');
  const places = writeFences(dir, pages);
  cpSync(join(root, 'docs/fences'), join(dir, 'fences'), { recursive: true });
  // the contracts of a package's page are the reader's own, too, unless it shows them
  for (const name of PUBLISHED)
    for (const module of ['jobs.ts', 'contracts.ts']) {
      const folder = join(dir, `packages-${name}-README`);
      if (existsSync(folder)) writeFileSync(join(folder, module), "export * from '../fences/jobs.js';\n");
    }
  // what the console shows where it is empty: modules already
  cpSync(join(root, SHOWN), join(dir, 'shown'), { recursive: true });
  for (const name of readdirSync(join(root, SHOWN))) places.set(`shown/${name}`, { page: `${SHOWN}/${name}`, line: 1 });
  const scope = join(dir, 'node_modules/@duework');
  mkdirSync(scope, { recursive: true });
  for (const name of PUBLISHED) symlinkSync(join(root, 'packages', name, 'dist/publish'), join(scope, name));
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(CONFIG));
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false'],
    {
      cwd: dir,
      encoding: 'utf8',
    },
  );
  const problems = tellProblems(stdout, places);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    problems.length === 0
      ? `${places.size} pieces of code compile, of ${pages.length} pages and of the console.\n`
      : `${problems.length} problems in the code of the documentation and the console.\n`,
  );
  return problems.length === 0 ? 0 : 1;
});
