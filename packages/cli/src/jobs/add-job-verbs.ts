import type { AuditEntry, Explanation } from '@duework/operate';
import type { JobVerb } from '@duework/queue-core';
import type { Command } from 'commander';
import { cleanText } from '../output/clean-text.js';
import type { Operations } from '../operations/operations.js';
import type { CommandParts } from '../program-parts.js';
import { JOB_COMMANDS, type JobCommand, type VerbOptions } from './job-verbs.js';
import { PRINTED, REASON } from '../option-words.js';

/** Why the audit of a job is not read with it. */
const NOT_READ: ReadonlySet<unknown> = new Set(['missing_scope', 'limited_to_types', 'not_supported']);

/** `duework show`, `explain`, and what is done to one job: `retry`, `cancel` … */
export function addJobVerbs(program: Command, { operations, look, write }: CommandParts): void {
  program
    .command('show')
    .description(
      'Show a job, its steps, its attempts with the last stack and logs, what people did, and why it is in its state',
    )
    .argument('<id>', 'the id of a job')
    .option(...PRINTED)
    .action(async (id: string, { json }: { json?: true }) => {
      const queue = await operations();
      const found = await queue.getJob(id);
      const steps = await queue.readSteps(found.job);
      const deeds = await readDeeds(queue, id);
      if (json) return write(`${JSON.stringify({ ...found, ...steps, deeds }, null, 2)}\n`);
      const why = found.job.finishedAt === null ? await queue.explainJob(id) : null;
      const { showJob, showSteps } = await import('../shown.js');
      write(showJob(found.job, found.attempts, { why, parent: steps.parent, deeds }, look) + showSteps(steps, look));
    });
  program
    .command('explain')
    .description('Explain why a job is where it is, and what else keeps it from running')
    .argument('<id>', 'the id of a job')
    .option('--json', 'print JSON, with a stable code and its facts')
    .action(async (id: string, { json }: { json?: true }) => {
      const explanation = await (await operations()).explainJob(id);
      write(json ? `${JSON.stringify(explanation, null, 2)}\n` : showExplanation(explanation));
    });
  const verbs = Object.entries(JOB_COMMANDS) as [JobVerb, JobCommand<JobVerb>][];
  for (const [verb, { name, description, options, read, says }] of verbs) {
    const command = program.command(name).description(description).argument('<id>', 'the id of a job');
    for (const option of options?.() ?? []) command.addOption(option);
    command.option(...REASON).action(async (id: string, given: VerbOptions) => {
      const done = await (await operations()).actOnJob({ verb, name, read }, id, given);
      write(`${says(id, done, given)}\n`);
    });
  }
}

/** What people did to a job, the first first; nothing where the key of an API may not read the audit, or none is kept. */
async function readDeeds(queue: Operations, job: string): Promise<readonly AuditEntry[]> {
  try {
    const { entries } = await queue.readAudit({ job });
    // that a bulk action has ended says nothing of the job
    return entries.filter(({ verb }) => !/^(finish|abort)_bulk_action$/.test(verb)).toReversed();
  } catch (error) {
    if (NOT_READ.has((error as { readonly code?: unknown }).code)) return [];
    throw error;
  }
}

const showExplanation = ({ sentence, further }: Explanation): string =>
  [sentence, ...further.map((reason) => `Then: ${reason.sentence}`)].map((line) => `${cleanText(line)}\n`).join('');
