/** What may be said about a job beside its payload, as it was typed. */
export interface JobOptions {
  readonly when: 'now' | 'later' | 'at';
  readonly delaySeconds: string;
  readonly runAt: string;
  readonly priority: string;
  readonly maxAttempts: string;
  readonly idempotencyKey: string;
}

export const NO_OPTIONS: JobOptions = {
  when: 'now',
  delaySeconds: '',
  runAt: '',
  priority: '',
  maxAttempts: '',
  idempotencyKey: '',
};

/** The JSON of a request; an option that was left empty is not in it. `payload`: its JSON; undefined: none is given. */
export function printRequest(type: string, payload: string | undefined, options: JobOptions): string {
  const { when, delaySeconds, runAt, priority, maxAttempts, idempotencyKey } = options;
  const members = [
    ['type', JSON.stringify(type)],
    ['payload', payload],
    ['delaySeconds', when === 'later' ? number(delaySeconds) : undefined],
    ['runAt', when === 'at' ? JSON.stringify(runAt) : undefined],
    ['priority', number(priority)],
    ['maxAttempts', number(maxAttempts)],
    ['idempotencyKey', idempotencyKey === '' ? undefined : JSON.stringify(idempotencyKey)],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`"${name}":${value}`]));
  return `{${members.join(',')}}`;
}

/** What is no number is sent as it is, and the API says so at its place. */
function number(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  return Number.isFinite(Number(text)) ? String(Number(text)) : JSON.stringify(text);
}
