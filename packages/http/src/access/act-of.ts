import type { Act } from '@duework/queue-core';
import type { ApiContext } from '../api.js';

/** Who acts by a request, for the audit: the name that its key or token has, whatever its body says. */
export function actOf(c: ApiContext, reason?: string): Act {
  const { name, from } = c.get('principal');
  return { by: name, via: 'api', from, reason };
}
