import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { addList } from './add-list.js';
import { addPreview } from './add-preview.js';
import { addSlots } from './add-slots.js';
import { addVerbs } from './add-verbs.js';

const EXAMPLES = `
Examples:
  $ npx duework schedules preview '30 2 * * *' --zone Europe/Berlin
  $ npx duework schedules slots cleanup_nightly --since yesterday
  $ npx duework schedules trigger cleanup_nightly
  $ duework pause schedule cleanup_nightly --for 2h`;

/** `duework schedules` */
export function addSchedules(program: Command, parts: CommandParts): void {
  const schedules = program
    .command('schedules')
    .description('List, preview, check, trigger and delete schedules')
    .addHelpText('after', EXAMPLES);
  addList(schedules, parts);
  addSlots(schedules, parts);
  addPreview(schedules, parts);
  addVerbs(schedules, parts);
}
