import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { runCommand } from '../../../kit/run-command.js';
import { compile, compilers, listCompilations } from '../compilers.js';
import { entriesOf } from '../../../kit/packed.js';
import type { Check, Lab } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';

const PACKAGES = [
  'duework',
  '@duework/contracts',
  '@duework/client',
  '@duework/http',
  '@duework/otel',
  '@duework/bullmq',
];

const STRICT = { target: 'es2022', lib: ['es2022'], types: ['node'], strict: true, skipLibCheck: false };
const NODENEXT = { module: 'nodenext' };
const SETTINGS = [
  { name: 'nodenext, CommonJS', type: 'commonjs', options: NODENEXT },
  { name: 'nodenext, ESM', type: 'module', options: NODENEXT },
  { name: 'bundler', type: 'module', options: { module: 'es2022', moduleResolution: 'bundler' } },
] as const;
type Setting = (typeof SETTINGS)[number];

export const declarations: Check = {
  name: 'declarations',
  words:
    'with `declaration` on, what any function of any entry returns is exported without a type of its own, and read by another project',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'declared', {
      files: 'declared',
      packages: PACKAGES,
      needs: ['@opentelemetry/api', '@types/node', 'bullmq', 'ioredis', 'pg', 'zod'],
      also: compilers(),
    });
    const returned = await writeReturned(lab, dir);
    const compiled = listCompilations(lab, SETTINGS);
    const wrong: string[] = [];
    for (const { version, setting } of compiled)
      await declare(dir, version, setting, returned).catch((error: unknown) =>
        wrong.push(`TypeScript ${version}, ${setting.name}:\n${(error as Error).message}`),
      );
    if (wrong.length > 0) throw new PlainError(wrong.join('\n\n'));
    return `${returned.length} entries by ${compiled.map(({ version, setting }) => `${version} ${setting.name}`).join('; ')}`;
  },
};

/** Emits the declarations, and compiles what reads them. */
async function declare(dir: string, version: string, { type, options }: Setting, returned: readonly string[]) {
  const manifest = join(dir, 'package.json');
  writeFileSync(manifest, JSON.stringify({ ...(JSON.parse(readFileSync(manifest, 'utf8')) as object), type }));
  rmSync(join(dir, 'declared'), { recursive: true, force: true });
  const emitting = { ...STRICT, ...options, rootDir: '.', outDir: 'declared', declaration: true };
  await compileFiles(dir, version, emitting, ['contracts.ts', 'uses.ts', ...returned]);
  await compileFiles(dir, version, { ...STRICT, ...options, noEmit: true }, ['reads.ts']);
}

async function compileFiles(dir: string, version: string, compilerOptions: object, files: readonly string[]) {
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await compile(dir, version, ['-p', 'tsconfig.json']);
}

/** A file for each entry, which exports what each of its functions returns, and all that this has. */
async function writeReturned(lab: Lab, dir: string): Promise<string[]> {
  const entries = lab.packed.filter(({ name }) => PACKAGES.includes(name)).flatMap(entriesOf);
  const program = `process.stdout.write(JSON.stringify(${JSON.stringify(entries)}.map((name) => Object.keys(require(name)))))`;
  const names = JSON.parse(await runCommand(process.execPath, ['-e', program], { cwd: dir })) as string[][];
  return entries.map((entry, at) => {
    const lines = names[at]!.map((name) => `export const ${name}Answer = open(answerOf(entry.${name}));\n`);
    const file = `of-${entry.replaceAll(/\W+/g, '-')}.ts`;
    writeFileSync(join(dir, file), `import * as entry from '${entry}';\n${OPEN}${lines.join('')}`);
    return file;
  });
}

const OPEN = `declare function open<T>(value: T): { [K in keyof T]: T[K] };
declare function answerOf<T>(made: abstract new (...given: never) => T): T;
declare function answerOf<T>(called: (...given: never) => T): Awaited<T>;
declare function answerOf<T>(value: T): T;
`;
