import { type AbortCode, AbortReason, EffectMisuseError, EffectUnknownError } from '@duework/queue-core/handling';
import type { WireError } from './encode-error.js';

const HIDDEN = new Set(['name', 'message', 'stack']);

/**
 * The error that was thrown on the other side: errors of this package get their own class back, any other is an `Error`
 * with the same fields.
 */
export function decodeError(wire: WireError): unknown {
  if (wire.kind === 'value') return wire.value;
  const error = wire.isError ? makeError(wire.fields) : {};
  for (const [name, value] of Object.entries(wire.fields)) define(error, name, value);
  if (wire.cause !== null) define(error, 'cause', decodeError(wire.cause));
  return error;
}

function makeError({ name, code, message, by }: { readonly [field: string]: unknown }): Error {
  const text = String(message ?? '');
  if (name === 'AbortReason') return new AbortReason(code as AbortCode, text, by as string | null);
  if (code === 'effect_unknown') return new EffectUnknownError(text);
  if (code === 'effect_misused') return new EffectMisuseError(text);
  return new Error(text);
}

function define(error: object, name: string, value: unknown): void {
  Object.defineProperty(error, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: !HIDDEN.has(name) && name !== 'cause',
  });
}
