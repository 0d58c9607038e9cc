import type { Readable } from 'node:stream';

/**
 * Where large payloads, results and files are kept: `folderStore`, `tableStore` and `s3Store` make one, and four functions
 * of your own are one, too. Keys are letters, digits, `-` and `/`. What a function throws counts as an outage.
 */
export interface ObjectStore {
  /** Writes an object whole or not at all, and resolves once it is durable. A key is put once. */
  put(key: string, content: Readable, options: ObjectCall): Promise<void>;
  /** The content from its begin; null: there is no such object. */
  get(key: string, options: ObjectCall): Promise<Readable | null>;
  /** Deletes up to 1,000 objects; those that are not there are no error. */
  delete(keys: readonly string[], options: ObjectCall): Promise<void>;
  /** All objects whose key begins with `prefix`, in any order, with the moment of their put by the store's clock. */
  list(prefix: string, options: ObjectCall): AsyncIterable<ListedObject>;
}

export interface ObjectCall {
  /** Aborts when nobody waits for the call any more. */
  readonly signal: AbortSignal;
}

export interface ListedObject {
  readonly key: string;
  readonly putAt: Date;
}

/** Names an object, as a payload or a result has it: plain JSON. */
export type ObjectRef = {
  readonly $object: string;
  readonly bytes: number;
  /** Of its content, hexadecimal. It is checked when the object is read. */
  readonly sha256: string;
};
