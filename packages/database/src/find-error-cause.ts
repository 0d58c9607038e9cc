/** What PostgreSQL, the driver or the socket reported, without the errors around it. */
export interface ErrorCause {
  /** A SQLSTATE (`28P01`), a system error (`ECONNREFUSED`), the adapter's kind (`DatabaseNotReachable`) or ''. */
  readonly code: string;
  /** One line. */
  readonly message: string;
}

type Loose = Record<string, unknown> | undefined;

const asObject = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;

const firstLine = (text: unknown): string => {
  const lines = String(text).split('\n');
  return lines.find((line) => line.trim() !== '')?.trim() ?? '';
};

/** Whether a code tells this module's callers something: a SQLSTATE or a system error, not `P2010`. */
const isTelling = (code: unknown): code is string =>
  typeof code === 'string' && (/^[0-9A-Z]{5}$/.test(code) || /^E[A-Z_]+$/.test(code)) && !/^P\d{4}$/.test(code);

/**
 * Finds the innermost error with such a code: Prisma wraps the adapter's, the adapter the driver's, and Node wraps one
 * error per address that a host name has.
 */
export function findErrorCause(error: unknown): ErrorCause {
  let kind: ErrorCause | undefined;
  let last: ErrorCause = { code: '', message: firstLine(error instanceof Error ? error.message : error) };
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  while (queue.length > 0) {
    const current = asObject(queue.shift());
    if (current === undefined || seen.has(current)) continue;
    seen.add(current);
    const message = firstLine(current['originalMessage'] ?? current['message'] ?? current['reason'] ?? '');
    for (const code of [current['originalCode'], current['code']]) {
      if (isTelling(code)) return { code, message: message || code };
    }
    if (typeof current['kind'] === 'string') kind ??= { code: current['kind'], message };
    if (message !== '' && current !== error) last = { code: '', message };
    const errors = current['errors'];
    queue.push(
      asObject(current['meta'])?.['driverAdapterError'],
      current['cause'],
      ...(Array.isArray(errors) ? errors : []),
    );
  }
  if (kind !== undefined) return { code: kind.code, message: kind.message || last.message };
  const own = firstLine(error instanceof Error ? error.message : error);
  return { code: '', message: own || last.message };
}
