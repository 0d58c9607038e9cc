import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { runCommand } from '../../kit/run-command.js';
import { countWrittenLines } from './count-written-lines.js';
import type { Project } from './ways.js';

const SOURCES = join(root, 'tools/adoption');

/** Prisma's commands look for an engine that they download, though `generate` needs none; any executable will do. */
const PRISMA_ENV = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };

/** Makes the project of a team that has no jobs yet, with what it depends on installed. */
export async function makeProject(project: Project, dir: string, env: Readonly<Record<string, string>>): Promise<void> {
  cpSync(join(SOURCES, 'projects', project), dir, { recursive: true });
  if (project === 'empty') return;
  await runCommand('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
    cwd: dir,
    env: { ...env, ...PRISMA_ENV },
  });
  if (project === 'prisma')
    await runCommand('npx', ['prisma', 'generate'], { cwd: dir, env: { ...env, ...PRISMA_ENV } });
}

/** Writes what somebody writes by hand into a project, and returns how many lines that is. */
export function writeByHand(folder: string, project: Project, dir: string): number {
  const from = join(SOURCES, 'ways', folder, project);
  let lines = 0;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name).slice(from.length + 1);
    const there = join(dir, path);
    const before = existsSync(there) ? readFileSync(there, 'utf8') : '';
    lines += countWrittenLines(before, readFileSync(join(from, path), 'utf8'));
  }
  cpSync(from, dir, { recursive: true });
  return lines;
}

/** The team's own table. */
export const ORDERS = readFileSync(join(SOURCES, 'projects/orders.sql'), 'utf8');
