import type { SignalContract } from '@duework/contracts';
import type { Json } from '../queue/job.js';
import type { KeyRing } from '../secrets/key-ring.js';
import type { DurableContext } from '../steps/durable-context.js';
import type { Approval, ApprovalOptions, ApprovalQuestion, ApprovalRequest } from './approval.js';
import { sealLink } from './approval-link.js';
import { APPROVAL_SIGNAL, questionOf } from './names.js';

/**
 * What an attempt gives to it. This file is loaded when a handler first asks, so it imports nothing that others have.
 */
export interface ApprovalNeeds extends Pick<DurableContext, 'step' | 'sleep' | 'waitFor'> {
  /** Of the run, in its database. */
  readonly id: string;
  /** As people see it, with the name of its shard. */
  readonly job: string;
  readonly ring: () => KeyRing;
  readonly refuse: (why: string) => Error;
}

const MAX_CHOICES = 10;
const MAX_TEXT = 200;

/** Anything is a payload: a decision is checked before it is sent. */
const decided: SignalContract = {
  name: APPROVAL_SIGNAL,
  by: ['job', 'wait'],
  sensitive: [],
  payload: { '~standard': { version: 1, vendor: 'duework', validate: (value) => ({ value }) } },
};

/**
 * Keeps the question, waits for the decision as for a signal, and asks people meanwhile, again after each of `remindAfter`.
 * null: nobody has decided in time.
 */
export async function waitForApproval(needs: ApprovalNeeds, options: ApprovalOptions): Promise<Approval | null> {
  const { name = 'approval', timeout, ask, remindAfter = [] } = options;
  const { id: job, step, sleep, waitFor } = needs;
  const question = checkQuestion(options, needs.refuse);
  await step(questionOf(name), () => question as unknown as Json);
  const answer = waitFor(decided, { where: { job, wait: name } as never, name, ...(timeout && { timeout }) });
  const isOver = answer.then(
    () => true,
    () => true,
  );
  const rounds = ask === undefined ? 0 : remindAfter.length + 1;
  for (let round = 0; round < rounds; round++) {
    const after = remindAfter[round - 1];
    const isTime = after === undefined ? false : sleep(after, { name: `${name}: until ${round}` }).then(() => false);
    if (await (round === 0 ? false : Promise.race([isOver, isTime]))) break;
    await step(`${name}: ask${round === 0 ? '' : ` ${round}`}`, () => ask!({ round, link: linkOf(needs, name) }));
  }
  const given = (await answer) as (Approval & { readonly job: string; readonly wait: string }) | null;
  if (given === null) return null;
  const { choice, by, at, comment } = given;
  return { choice, by, at, comment };
}

function linkOf({ job, ring }: ApprovalNeeds, wait: string): ApprovalRequest['link'] {
  return ({ to, url }) => `${url.replace(/\/+$/, '')}/approvals/${sealLink(ring(), { job, wait, to })}`;
}

function checkQuestion(
  { title, details = {}, choices = ['approve', 'reject'], by }: ApprovalOptions,
  refuse: ApprovalNeeds['refuse'],
): ApprovalQuestion {
  const isText = (text: unknown): boolean => typeof text === 'string' && text.trim() !== '' && text.length <= MAX_TEXT;
  if (!isText(title)) throw refuse(`An approval needs a title of 1 to ${MAX_TEXT} characters.`);
  const areFine = choices.length > 0 && choices.length <= MAX_CHOICES && choices.every(isText);
  if (!areFine || new Set<string>(choices).size < choices.length)
    throw refuse(`An approval needs 1 to ${MAX_CHOICES} different choices of 1 to ${MAX_TEXT} characters.`);
  return { title, details, choices, by: by ?? null };
}
