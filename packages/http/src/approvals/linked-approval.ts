import { currentKeyRing, type LinkedApproval, openLink, splitId } from '@duework/queue-core/internals';
import { ApiError } from '../api-error.js';
import type { ApiContext } from '../api.js';

/** What the link of a request is for. Throws `not_found` for one that is none, and `key_ring_missing`. */
export function readLink(c: ApiContext): LinkedApproval {
  const ring = currentKeyRing();
  if (ring === null) throw new ApiError('key_ring_missing', 'This server has no key ring, so it cannot read links.');
  const link = openLink(ring, c.req.param('token') ?? '');
  if (link === null) throw new ApiError('not_found', 'This is not a link to an approval, or it was cut off.');
  return link;
}

/** The id of its job as its own database knows it. */
export const idHere = ({ job }: LinkedApproval): string => splitId(job).id;
