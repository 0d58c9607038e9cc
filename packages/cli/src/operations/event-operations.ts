import type { EventState, Replay, ReplayPreview, ReplayRequest } from '@duework/operate';

/** What the commands ask of events. */
export interface EventOperations {
  list(): Promise<readonly EventState[]>;
  preview(request: ReplayRequest): Promise<ReplayPreview>;
  replay(request: ReplayRequest, reason: string | undefined): Promise<Replay>;
  unsubscribe(event: string, type: string, reason: string | undefined): Promise<void>;
}
