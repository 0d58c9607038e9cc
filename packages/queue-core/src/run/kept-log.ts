import type { Clock } from '../clock.js';
import type { HandlerLog } from './job-context.js';

const MOST_CHARACTERS = 8_000;
const MOST_OF_A_LINE = 1_000;

/** A handler's log that passes its lines on, and keeps the last ones of an attempt, for the case that it fails. */
export class KeptLog implements HandlerLog {
  readonly #lines: string[] = [];
  readonly #startedMs: number;
  #characters = 0;

  constructor(
    private readonly inner: HandlerLog,
    private readonly clock: Clock,
  ) {
    this.#startedMs = clock.monotonicMs();
  }

  readonly debug = (facts: object, message?: string): void => this.#tell('debug', facts, message);
  readonly info = (facts: object, message?: string): void => this.#tell('info', facts, message);
  readonly warn = (facts: object, message?: string): void => this.#tell('warn', facts, message);
  readonly error = (facts: object, message?: string): void => this.#tell('error', facts, message);

  /** The last lines, of up to 8,000 characters; null: there is none. */
  text(): string | null {
    return this.#lines.length === 0 ? null : this.#lines.join('\n');
  }

  #tell(level: keyof HandlerLog, facts: object, message: string | undefined): void {
    this.inner[level](facts, message);
    const at = ((this.clock.monotonicMs() - this.#startedMs) / 1_000).toFixed(3);
    const line = [`+${at}s`, level, message, show(facts)].filter((part) => part !== undefined).join(' ');
    const kept = line.length > MOST_OF_A_LINE ? `${line.slice(0, MOST_OF_A_LINE - 1)}…` : line;
    this.#lines.push(kept);
    this.#characters += kept.length + 1;
    while (this.#characters > MOST_CHARACTERS) this.#characters -= this.#lines.shift()!.length + 1;
  }
}

/** What handlers without types log may be anything; what cannot be told is left out. */
function show(facts: unknown): string | undefined {
  if (typeof facts !== 'object' || facts === null) return facts === undefined ? undefined : String(facts);
  try {
    const text = JSON.stringify(facts, (_, value: unknown) =>
      value instanceof Error ? `${value.name}: ${value.message}` : typeof value === 'bigint' ? String(value) : value,
    );
    return text === '{}' ? undefined : text;
  } catch {
    return '(facts that are no JSON)';
  }
}
