import { startProcess, type StartedProcess } from '../../../kit/start-process.js';

/** The messages that a process of the benchmark answers, with their facts and answers. */
export type VerbsOf<TVerbs> = {
  readonly [TVerb in keyof TVerbs]: (facts: never) => object | void | Promise<object | void>;
};

type FactsOf<TVerb> = TVerb extends (facts: infer TFacts extends object) => unknown ? TFacts : object;
type AnswerOf<TVerb> = TVerb extends (facts: never) => infer TAnswer ? Exclude<Awaited<TAnswer>, void> : never;

/** A process that serves `TVerbs`, by the types that both sides share. */
export interface BenchProcess<TVerbs> extends Pick<StartedProcess, 'pid' | 'failed' | 'on' | 'end'> {
  /** Sends, and resolves with the answer; rejects when the process fails, ends or takes longer than `limitMs` (30,000 unless given). */
  ask<TKind extends keyof TVerbs & string>(
    kind: TKind,
    facts: FactsOf<TVerbs[TKind]>,
    limitMs?: number,
  ): Promise<AnswerOf<TVerbs[TKind]>>;
  /** Sends, and ignores the answer. */
  send<TKind extends keyof TVerbs & string>(kind: TKind, facts: FactsOf<TVerbs[TKind]>): void;
}

const running = new Set<StartedProcess>();

/** Ends every process that still runs: those of a failed measure. */
export async function endProcesses(): Promise<void> {
  await Promise.all([...running].map((process) => process.end()));
}

/** Starts one of the processes of this folder; `name` is for messages. */
export function startBenchProcess<TVerbs extends VerbsOf<TVerbs>>(options: {
  readonly main: 'worker' | 'producer' | 'transactor' | 'http-caller' | 'workflows';
  readonly name: string;
  readonly nodeOptions?: readonly string[];
}): BenchProcess<TVerbs> {
  const started = startProcess({ ...options, main: `measure/bench/processes/${options.main}.js` });
  running.add(started);
  void started.exited.then(() => running.delete(started));
  return {
    pid: started.pid,
    failed: started.failed,
    on: started.on,
    end: started.end,
    ask: (kind, facts, limitMs) => started.demand(kind, facts, limitMs),
    send: started.send,
  };
}
