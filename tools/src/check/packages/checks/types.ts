import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { compile, compilers, listCompilations } from '../compilers.js';
import type { Check, Lab } from '../../../kit/run-packed.js';
import { makeConsumer } from '../make-consumer.js';

interface Setting {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** `usage.ts` is CommonJS in this folder, `usage.mts` is ESM. */
  readonly files: readonly string[];
  /** TypeScript 7 has dropped it. */
  readonly isGone?: true;
}

const SETTINGS: readonly Setting[] = [
  {
    name: 'node10',
    options: { module: 'commonjs', moduleResolution: 'node10' },
    files: ['usage.ts'],
    isGone: true,
  },
  { name: 'node16', options: { module: 'node16' }, files: ['usage.ts', 'usage.mts'] },
  { name: 'nodenext', options: { module: 'nodenext' }, files: ['usage.ts', 'usage.mts'] },
  // an older library, too, which has no ErrorOptions
  {
    name: 'bundler',
    options: { module: 'es2022', moduleResolution: 'bundler', lib: ['es2021'] },
    files: ['usage.ts'],
  },
];

/** With everything that makes TypeScript look twice, and nothing left out. */
const STRICT = {
  target: 'es2022',
  lib: ['es2022'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // zod's declarations need it, as node10 reads them
  esModuleInterop: true,
  skipLibCheck: false,
  noEmit: true,
};

export const types: Check = {
  name: 'types',
  words:
    'TypeScript 5.4, 5.9 and the newest, by node10 with commonjs, node16, nodenext and bundler, skipLibCheck: false',
  isQuick: true,
  run: async (lab) => {
    const dir = await makeConsumer(lab, 'types', {
      files: 'types',
      needs: ['@types/node', 'zod'],
      also: compilers(),
    });
    cpSync(join(dir, 'usage.ts'), join(dir, 'usage.mts'));
    // its declarations need nothing of the PostgreSQL that it would bring
    const embedded = lab.packed.find(({ name }) => name === '@duework/embedded')!;
    cpSync(embedded.folder, join(dir, 'node_modules', embedded.name), { recursive: true });
    const compiled = combinationsOf(lab);
    const wrong: string[] = [];
    for (const { version, setting } of compiled) {
      const config = join(dir, `tsconfig.${version}.${setting.name}.json`);
      writeFileSync(
        config,
        JSON.stringify({ compilerOptions: { ...STRICT, ...setting.options }, files: setting.files }),
      );
      await compile(dir, version, ['-p', config]).catch((error: unknown) =>
        wrong.push(`TypeScript ${version}, ${setting.name}:\n${(error as Error).message}`),
      );
    }
    if (wrong.length > 0) throw new PlainError(wrong.join('\n\n'));
    return compiled.map(({ version, setting }) => `${version} ${setting.name}`).join(', ');
  },
};

const combinationsOf = (lab: Lab) =>
  listCompilations(lab, SETTINGS).filter(
    ({ version, setting }) => setting.isGone === undefined || Number.parseInt(version, 10) < 7,
  );
