import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { nameProgram } from './name-program.js';

test("a program's name is that of its package, also when an installed command starts it", () => {
  const root = mkdtempSync(join(tmpdir(), 'duework-name-'));
  const write = (folder: string, text: string) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'package.json'), text);
  };
  write('billing', '{"name": "@shop/billing"}');
  write('billing/dist', '{"type": "module"}');
  write('billing/node_modules/duework', '{"name": "duework"}');
  write('broken', '{"name": 7');
  const inBilling = join(root, 'billing');
  const command = join(inBilling, 'node_modules', 'duework', 'main.js');
  expect(nameProgram(join(inBilling, 'dist', 'main.js'), '/')).toBe('@shop/billing');
  expect(nameProgram(command, inBilling)).toBe('@shop/billing');
  expect(nameProgram(undefined, join(inBilling, 'dist'))).toBe('@shop/billing');
  expect(nameProgram(join(root, 'broken', 'main.js'), root)).toBe('default');
  rmSync(root, { recursive: true });
});
