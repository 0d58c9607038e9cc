import { currentKeyRing, type LinkedApproval, openLink, splitId } from '@duework/queue-core/internals';
import { ApiError } from '../api-error.js';
import type { ApiContext } from '../api.js';

/**
 * What the link of a request is for. Throws `not_found` for one that is none here: without a key ring no link is one.
 */
export function readLink(c: ApiContext): LinkedApproval {
  const ring = currentKeyRing();
  const link = ring === null ? null : openLink(ring, c.req.param('token') ?? '');
  if (link !== null) return link;
  const why = ring === null ? 'This server has no key ring, and so no links.' : 'It may have been cut off.';
  throw new ApiError('not_found', `This is not a link to an approval. ${why}`);
}

/** The id of its job as its own database knows it. */
export const idHere = ({ job }: LinkedApproval): string => splitId(job).id;
