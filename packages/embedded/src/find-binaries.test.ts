import { mkdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeTestDir } from '@duework/database/testing';
import { findBinaries } from './find-binaries.js';

let dir: string;
let native: string;

/** A platform package as npm unpacks it, without symbolic links and executable bits. */
beforeEach(() => {
  dir = makeTestDir();
  native = join(dir, 'native');
  for (const folder of ['bin', 'lib']) mkdirSync(join(native, folder), { recursive: true });
  for (const name of ['initdb', 'pg_ctl', 'postgres']) writeFileSync(join(native, 'bin', name), '', { mode: 0o644 });
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), '');
  writeFileSync(
    join(native, 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  );
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('the links and modes that the install script restores are restored without it, however often', () => {
  findBinaries(native);
  const { postgres } = findBinaries(native);
  expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  expect(statSync(postgres).mode & 0o555).toBe(0o555);
});

test('an incomplete package is refused, and the error names the missing program', () => {
  rmSync(join(native, 'bin', 'initdb'));
  expect(() => findBinaries(native)).toThrow(
    expect.objectContaining({ code: 'embedded_unavailable', problem: expect.stringContaining('initdb') }),
  );
});
