import { DueworkError, type AskedFor } from '@duework/sql/errors';
import type { Capabilities } from './ports/store.js';

/** Throws `not_supported` where the store cannot do what `asked` needs. */
export function requireCapability(capabilities: Capabilities, capability: keyof Capabilities, asked: AskedFor): void {
  if (!capabilities[capability]) throw new DueworkError('not_supported', { asked, capability });
}
