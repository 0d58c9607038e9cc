/** What a store tells by itself, which the next poll or heartbeat would find out. To lose one costs delay, never a run. */
export type WakeMessage =
  /** Something may be due in that queue; null: in any, or a schedule. */
  | { readonly kind: 'woken'; readonly queue: string | null }
  | {
      readonly kind: 'cancel_requested';
      readonly id: string;
      readonly fence: number;
      readonly by: string | null;
      readonly reason: string | null;
    }
  /** Wake-ups cannot be heard at the moment; it is tried again, and `listening` when they can. */
  | { readonly kind: 'listen_failed'; readonly error: unknown }
  | { readonly kind: 'listening' };

/** Wake-ups without a poll. */
export interface Wakes {
  /** Tells at once what the next poll or heartbeat would find out. The returned function ends it. */
  watch(listener: (message: WakeMessage) => void): () => void;
}
