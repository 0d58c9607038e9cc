import type { BulkAction, BulkPreview, BulkRequest } from '@duework/operate';
import type { Job } from '@duework/queue-core';

/** A preview as an API answers it, too: without payloads. */
export interface BulkLook extends Omit<BulkPreview, 'sample'> {
  readonly sample: readonly (Pick<Job, 'id' | 'type' | 'queue' | 'status' | 'runAt' | 'errorCode' | 'finishedAt'> & {
    readonly refusal: { readonly code: string; readonly why: string } | null;
  })[];
}

export interface BulkOperations {
  preview(request: BulkRequest): Promise<BulkLook>;
  start(request: BulkRequest, reason: string | undefined): Promise<BulkAction>;
  get(id: string): Promise<BulkAction>;
  list(limit: number): Promise<readonly BulkAction[]>;
  abort(id: string, reason: string | undefined): Promise<BulkAction>;
  undo(id: string, reason: string | undefined): Promise<BulkAction>;
  /** Steps actions until none is left. Does nothing on an API, which steps them itself. */
  step(signal: AbortSignal): Promise<void>;
}
