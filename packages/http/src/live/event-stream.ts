import type { ServerResponse } from 'node:http';
import { encodeEvent, type StreamEvent } from './encode-event.js';

/** The ways in which a source fills its stream. */
export interface EventSink {
  send(event: StreamEvent): void;
  /** An event that many are sent, as `encodeEvent` returned it. */
  sendEncoded(event: Uint8Array): void;
  /** Nothing follows. */
  end(): void;
}

export interface EventStreamParts {
  /** Begins to fill the stream and returns what ends that; it is called once. */
  readonly start: (sink: EventSink) => () => void;
  readonly isStopping: () => boolean;
  /** Called once, when nothing of the stream is held any more. */
  readonly giveBack: () => void;
  /** What Node answers by, where the server tells it: then the connection itself is seen to end, and can be ended. */
  readonly outgoing: Outgoing | undefined;
  /** Aborts when the client is gone, where the server tells it. */
  readonly signal: AbortSignal;
}

/** Of a `ServerResponse`, and of one of HTTP/2. */
export type Outgoing = Pick<ServerResponse, 'once' | 'socket' | 'destroy' | 'closed'> & {
  readonly stream?: { close(code: number): void };
};

/** A proxy closes a connection on which nothing is sent. */
const COMMENT_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 500;
/** A client that has not read so much is cut off; it comes again, and says what it has seen. */
const MAX_PENDING_BYTES = 1_000_000;
/** How long a client may take to read the rest of a stream that has ended. */
const READ_REST_MS = 10_000;
/** How long its place is kept for a client that was cut off by a server which does not tell when it is gone. */
const KEEP_PLACE_MS = 300_000;
const COMMENT = new TextEncoder().encode(': still here\n\n');
/** How soon a client comes again. */
const RETRY = new TextEncoder().encode('retry: 1000\n\n');
const HTTP2_CANCEL = 8;

/**
 * A stream of events to one client, which ends with its source, its client, its server, or because its client does not
 * read. A client that does not read would keep its connection and what is pending for ever: so it loses both, and only
 * then is its place given back.
 */
export class EventStream implements EventSink {
  readonly body: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #stopSource = (): void => {};
  #isOpen = true;
  #isGone = false;
  #quietMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: EventStreamParts) {
    const bytes = { highWaterMark: 1, size: ({ byteLength }: Uint8Array) => byteLength };
    this.body = new ReadableStream(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#leave() },
      bytes,
    );
    parts.outgoing?.once('close', () => this.#leave());
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.sendEncoded(RETRY);
    try {
      const stop = parts.start(this);
      if (this.#isOpen) this.#stopSource = stop;
      // its source has ended it at once
      else stop();
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  send(event: StreamEvent): void {
    this.sendEncoded(encodeEvent(event));
  }

  sendEncoded(bytes: Uint8Array): void {
    if (!this.#isOpen) return;
    this.#quietMs = 0;
    if (this.#pendingBytes > MAX_PENDING_BYTES) this.#cutOff();
    else this.#controller.enqueue(bytes);
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#close();
    const isRead = this.#pendingBytes === 0;
    this.#controller.close();
    if (isRead && this.parts.outgoing === undefined) this.#leave();
    else this.#timer = setTimeout(() => this.#cutOff(), READ_REST_MS).unref();
  }

  get #pendingBytes(): number {
    return 1 - (this.#controller.desiredSize ?? 1);
  }

  #look(): void {
    this.#quietMs += LOOK_EVERY_MS;
    if (this.parts.isStopping()) this.end();
    else if (this.#quietMs >= COMMENT_EVERY_MS) this.sendEncoded(COMMENT);
  }

  #close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    const stop = this.#stopSource;
    this.#stopSource = () => {};
    stop();
  }

  /**
   * Ends the connection, and all that is pending with it. Where it is not known, nothing more is kept for it, and its
   * server is told to end it: one that waits until the client reads, as that of Next.js, does not.
   */
  #cutOff(): void {
    this.#close();
    const { outgoing, signal } = this.parts;
    if (outgoing !== undefined && !outgoing.closed) return reset(outgoing);
    const isRead = this.#controller.desiredSize === 0;
    if (isRead || this.#isGone || signal.aborted) return this.#leave();
    this.#controller.error(new Error('The client does not read what it is sent.'));
    this.#timer = setTimeout(() => this.#leave(), KEEP_PLACE_MS).unref();
    signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  /** Nobody reads any more. */
  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#close();
    this.parts.giveBack();
  }
}

/** At once, and with what the system still holds to be sent. */
function reset(outgoing: Outgoing): void {
  if (outgoing.stream !== undefined) return outgoing.stream.close(HTTP2_CANCEL);
  try {
    outgoing.socket!.resetAndDestroy();
  } catch {
    // over TLS there is no reset
    outgoing.destroy();
  }
}
