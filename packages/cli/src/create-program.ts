import { Command } from 'commander';
import { addInit } from './init/add-init.js';
import type { CommandParts, ProgramParts } from './program-parts.js';
import { addList } from './schedules/add-list.js';
import { addPreview } from './schedules/add-preview.js';
import { addSlots } from './schedules/add-slots.js';
import { addVerbs } from './schedules/add-verbs.js';

/** The command line; the caller prints the errors that a command throws. */
export function createProgram(given: ProgramParts): Command {
  const program = new Command('duework')
    .description('Durable jobs in the PostgreSQL you already have. The database is that of DATABASE_URL.')
    .option('--jobs <module>', 'the module that exports catalog; else "duework.jobs" of the nearest package.json')
    .configureOutput({ writeOut: given.write })
    .showHelpAfterError('(see --help)');
  const parts: CommandParts = { ...given, jobs: () => given.jobs(program.opts<{ jobs?: string }>().jobs) };
  addInit(program, parts);
  addList(program, parts);
  addSlots(program, parts);
  addPreview(program, parts);
  addVerbs(program, parts);
  return program;
}
