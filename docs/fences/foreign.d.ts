/** As much as the pages use of packages that are not installed here. */
declare module 'agenda' {
  interface AgendaJob {
    readonly _id: string;
    readonly data: unknown;
    readonly nextRunAt: Date | null;
    readonly repeatInterval?: string | number;
  }
  export class Agenda {
    queryJobs(query: { name: string }): Promise<{ jobs: AgendaJob[] }>;
    cancel(query: { id: string }): Promise<number>;
  }
}

declare module '@nestjs/common' {
  export const Injectable: () => ClassDecorator;
}

declare module '@nestjs/core' {
  export const NestFactory: { createApplicationContext(module: unknown): Promise<{ close(): Promise<void> }> };
}

declare module 'bull' {
  interface BullJob {
    readonly id: string | number;
    readonly data: unknown;
    readonly timestamp: number;
    readonly attemptsMade: number;
    readonly opts: { readonly delay?: number; readonly attempts?: number; readonly repeat?: object };
    remove(): Promise<void>;
  }
  export default class Queue {
    pause(): Promise<void>;
    getJobs(types: readonly ('waiting' | 'paused' | 'delayed')[]): Promise<BullJob[]>;
  }
}

declare module '@trigger.dev/sdk' {
  export const runs: {
    list(query: { taskIdentifier: string; status: readonly ('DELAYED' | 'QUEUED')[] }): AsyncIterable<{ id: string }>;
    retrieve(id: string): Promise<{ payload?: unknown; delayedUntil?: Date; startedAt?: Date }>;
    cancel(id: string): Promise<object>;
  };
  export const queues: { pause(queue: { type: 'task'; name: string }): Promise<object> };
}
