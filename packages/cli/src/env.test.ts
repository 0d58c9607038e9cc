import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadEnvFiles } from './env.js';

const before = { ...process.env };
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'env-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
  process.env = { ...before };
});

function load(files: Record<string, string | Buffer>): NodeJS.ProcessEnv {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  loadEnvFiles(dir);
  return process.env;
}

const line = 'ENV_TEST_URL=postgres://127.0.0.1/shop\r\n';

test.each<[string, string | Buffer]>([
  ['ends lines as Windows does', line],
  ['begins with the mark of UTF-8', `\ufeff${line}`],
  ['is the UTF-16 of PowerShell', Buffer.from(`\ufeff${line}`, 'utf16le')],
  ['exports, and comments', `export ${line.trimEnd()} # development\n`],
])('a .env is read that %s', (_, text) => {
  expect(load({ '.env': text })['ENV_TEST_URL']).toBe('postgres://127.0.0.1/shop');
});

test('a variable in a value is filled in, whether the file or the environment has it', () => {
  process.env['ENV_TEST_HOST'] = 'db';
  const text = 'ENV_TEST_NAME=shop\nENV_TEST_URL="postgres://${ENV_TEST_HOST}/${ENV_TEST_NAME}"\n';
  expect(load({ '.env': text })['ENV_TEST_URL']).toBe('postgres://db/shop');
});

test('a value may name variables that come later, and that name others themselves', () => {
  const text =
    'ENV_TEST_A=${ENV_TEST_B}/shop\nENV_TEST_B=postgres://${ENV_TEST_Z}\nENV_TEST_Z=db\nENV_TEST_X=${ENV_TEST_X}\n';
  expect(load({ '.env': text })).toMatchObject({ ENV_TEST_A: 'postgres://db/shop', ENV_TEST_X: '${ENV_TEST_X}' });
});

test('a dollar sign that begins no known variable stays', () => {
  expect(load({ '.env': 'ENV_TEST_URL=postgres://ana:p$a${nobody}@db/shop\n' })['ENV_TEST_URL']).toBe(
    'postgres://ana:p$a${nobody}@db/shop',
  );
});

test('.env.local counts before .env, and the environment before both', () => {
  process.env['ENV_TEST_GIVEN'] = 'environment';
  const files = {
    '.env': 'ENV_TEST_A=1\nENV_TEST_B=1\nENV_TEST_GIVEN=1',
    '.env.local': 'ENV_TEST_A=2\nENV_TEST_GIVEN=2',
  };
  expect(load(files)).toMatchObject({ ENV_TEST_A: '2', ENV_TEST_B: '1', ENV_TEST_GIVEN: 'environment' });
});
