import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { addList } from './add-list.js';
import { addPreview } from './add-preview.js';
import { addDueTimes } from './add-due-times.js';
import { addVerbs } from './add-verbs.js';

const EXAMPLES = `
Examples:
  $ npx duework schedules preview '30 2 * * *' --zone Europe/Berlin
  $ npx duework schedules due-times cleanup_nightly --since yesterday
  $ npx duework schedules trigger cleanup_nightly
  $ duework pause schedule cleanup_nightly --for 2h`;

/** `duework schedules` */
export function addSchedules(program: Command, parts: CommandParts): void {
  const schedules = program
    .command('schedules')
    .description('List, preview, trigger and delete schedules, and show their due times')
    .addHelpText('after', EXAMPLES);
  addList(schedules, parts);
  addDueTimes(schedules, parts);
  addPreview(schedules, parts);
  addVerbs(schedules, parts);
}
