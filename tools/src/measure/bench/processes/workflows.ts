/** A process that runs one system's workflows. */
import { serveParent } from '../../../kit/serve-parent.js';
import { systems } from '../systems/list-systems.js';
import type { SystemName, Workflows } from '../systems/system.js';
import type { VerbsOf } from './start-bench-process.js';

export interface WorkflowVerbs {
  open(facts: { readonly system: SystemName; readonly url: string }): Promise<void>;
  /** The time that it took, in ms. */
  chains(facts: { readonly count: number }): Promise<{ readonly tookMs: number }>;
  fanOut(facts: { readonly children: number }): Promise<{ readonly tookMs: number }>;
  stop(facts: object): Promise<void>;
}

let opened: Workflows | null = null;

function theOpened(): Workflows {
  if (opened === null) throw new Error('The workflows are not open.');
  return opened;
}

async function time(act: () => Promise<void>): Promise<{ tookMs: number }> {
  const startMs = performance.now();
  await act();
  return { tookMs: performance.now() - startMs };
}

const verbs: WorkflowVerbs & VerbsOf<WorkflowVerbs> = {
  async open({ system, url }) {
    const open = await systems.find(({ name }) => name === system)?.loadWorkflows?.();
    opened = (await open?.(url)) ?? null;
  },
  chains: ({ count }) => time(() => theOpened().chains(count)),
  fanOut: ({ children }) => time(() => theOpened().fanOut(children)),
  stop: async () => void (await opened?.stop()),
};

serveParent({ ...verbs }, { isFailureTold: true });
