/** News of a store, before the next poll or heartbeat finds it. A lost message delays a run, but never loses one. */
export type WakeMessage =
  /** A run may be due in that queue; null: a run of any queue may be due, or a schedule. */
  | { readonly kind: 'woken'; readonly queue: string | null }
  | {
      readonly kind: 'cancel_requested';
      readonly id: string;
      readonly fence: number;
      readonly by: string | null;
      readonly reason: string | null;
    }
  /** A provider refused a handler: this gate is closed for this long. */
  | { readonly kind: 'shut'; readonly gate: string; readonly forMs: number }
  /** Wake-ups cannot be received at the moment; it is tried again, and `listening` is sent when they can. */
  | { readonly kind: 'listen_failed'; readonly error: unknown }
  | { readonly kind: 'listening' };

/** A store that can wake its workers. */
export interface Wakes {
  /** Reports at once what the next poll or heartbeat would find. The returned function ends it. */
  watch(listener: (message: WakeMessage) => void): () => void;
}
