import { ContractError } from '@duework/contracts';
import { DueworkError, type Queryable } from '@duework/queue-core';
import { AskShards, type ShardProblem, splitId } from '@duework/shards';
import { PlainError } from '../../plain-error.js';
import type { CommandParts } from '../../program-parts.js';
import type { Operations } from '../operations.js';

/** How long a command waits for a shard; and for what looks at many rows, or changes something. */
const WITHIN_MS = 5_000;
const PATIENT_MS = 60_000;

/** What a shard says that has nothing of the name that is to be changed. */
const UNKNOWN = new Set([
  'schedule_not_found',
  'flow_rule_not_found',
  'alert_not_found',
  'api_key_not_found',
  'bulk_action_not_found',
]);

export interface ShardsParts extends Pick<CommandParts, 'jobs' | 'progress' | 'exitWith'> {
  readonly names: readonly string[];
  /** The operations on the database of one shard. */
  readonly of: (shard: string) => Operations;
  readonly db: (shard: string) => Promise<Queryable>;
}

export interface ShardAnswer<T> {
  readonly shard: string;
  readonly answer: T;
}

type Question<T> = (queue: Operations, shard: string) => Promise<T>;
type Refusal = DueworkError | ContractError | PlainError;
interface Refused {
  readonly refusal: Refusal;
}

/** The shards of a command: asked side by side, and what one of them does not say or do is told, with exit code 1. */
export class AllShards {
  readonly names: readonly string[];
  readonly ask = new AskShards(WITHIN_MS);
  readonly of: (shard: string) => Operations;
  readonly #patient = new AskShards(PATIENT_MS);
  readonly #told = new Set<string>();

  constructor(readonly parts: ShardsParts) {
    this.names = parts.names;
    const opened = new Map<string, Operations>();
    // one for each, because it keeps what it has begun
    this.of = (shard) => {
      const queue = opened.get(shard) ?? parts.of(shard);
      opened.set(shard, queue);
      return queue;
    };
  }

  /** What each shard answers; who does not is told. Throws what one of them refuses. */
  async look<T>(
    question: Question<T>,
    {
      among = this.names,
      isPatient = false,
    }: { readonly among?: readonly string[]; readonly isPatient?: boolean } = {},
  ): Promise<readonly ShardAnswer<T>[]> {
    const { answers, refused, problems } = await this.#ask(question, among, isPatient);
    for (const { refusal } of refused) throw refusal;
    this.tellLeftOut(problems);
    return answers;
  }

  /** What those answer that have what is asked for. Throws the refusal of one where none has it. */
  async lookWhereKnown<T>(question: Question<T>): Promise<readonly ShardAnswer<T>[]> {
    const { answers, refused, problems } = await this.#ask(question, this.names, false);
    const wrong = refused.find(({ refusal }) => !UNKNOWN.has(refusal.code));
    if (wrong !== undefined) throw wrong.refusal;
    if (answers.length === 0) throw this.#whereNone(refused, problems);
    this.tellLeftOut(problems);
    return answers;
  }

  /** The rows of all shards, each with its shard. */
  async rows<T extends object>(question: Question<readonly T[]>): Promise<(T & { readonly shard: string })[]> {
    const answers = await this.look(question);
    return answers.flatMap(({ shard, answer }) => answer.map((row) => ({ ...row, shard })));
  }

  /** Asks the shard that an id names, by its own id there. */
  async by<T>(id: string, act: (queue: Operations, number: string, shard: string) => Promise<T>): Promise<T> {
    const { shard, number } = this.place(id);
    return act(this.of(shard), number, shard);
  }

  /** The shard that an id names. Throws `shard_not_given`. */
  place(id: string): { readonly shard: string; readonly number: string } {
    const { shard, id: number } = splitId(id);
    if (shard === null || !this.names.includes(shard))
      throw new PlainError(
        'shard_not_given',
        `${id} names no shard of SHARDS: ${this.names.join(', ')}. Give it as ${this.names[0]}.${id}, or --shard.`,
      );
    return { shard, number };
  }

  /**
   * Changes what has this name in each shard that has it. Where some have not done it, that is told. Throws the refusal where
   * none has done it, and `shards_partly_done` where it may be in one that does not answer.
   */
  async change<T>(act: Question<T>, among = this.names): Promise<readonly ShardAnswer<T>[]> {
    const { answers, refused, problems } = await this.#ask(act, among, true);
    const refusals = refused.filter(({ refusal }) => !UNKNOWN.has(refusal.code));
    if (answers.length === 0) throw refusals[0]?.refusal ?? this.#whereNone(refused, problems);
    if (refusals.length + problems.length > 0) {
      const { progress, exitWith } = this.parts;
      progress(`Done in ${answers.map(({ shard }) => shard).join(', ')}.\n`);
      for (const { shard, refusal } of refusals) progress(`Not in ${shard}, which refuses it: ${refusal.message}\n`);
      for (const { shard, message } of problems) progress(`Not in ${shard}: ${message} Do it again.\n`);
      exitWith(1);
    }
    return answers;
  }

  /** Says whose part is missing, of each once, and has the command end with 1. */
  tellLeftOut(problems: readonly ShardProblem[]): void {
    for (const { shard, message } of problems) {
      const line = `Shard ${shard} is left out: ${message}\n`;
      if (!this.#told.has(line)) this.parts.progress(line);
      this.#told.add(line);
    }
    if (problems.length > 0) this.parts.exitWith(1);
  }

  #whereNone(refused: readonly Refused[], problems: readonly ShardProblem[]): Error {
    const [known] = refused;
    if (problems.length === 0) return known!.refusal;
    const away = problems.map(({ shard, message }) => `${shard}: ${message}`).join(' ');
    return new PlainError(
      'shards_partly_done',
      `${known!.refusal.message} It may be in a shard that does not answer. ${away}`,
    );
  }

  async #ask<T>(question: Question<T>, among: readonly string[], isPatient: boolean) {
    const told = await (isPatient ? this.#patient : this.ask).ask(among, (shard) =>
      question(this.of(shard), shard).then(
        (answer): { readonly answer: T } | Refused => ({ answer }),
        (error: unknown): Refused => {
          if (isRefusal(error)) return { refusal: error };
          throw error;
        },
      ),
    );
    const answers: ShardAnswer<T>[] = [];
    const refused: (Refused & { readonly shard: string })[] = [];
    for (const { shard, answer } of told.answers)
      if ('refusal' in answer) refused.push({ shard, ...answer });
      else answers.push({ shard, answer: answer.answer });
    return { answers, refused, problems: told.problems };
  }
}

const isRefusal = (error: unknown): error is Refusal =>
  DueworkError.is(error) || ContractError.is(error) || error instanceof PlainError;
