import type { HttpErrorCode } from '../../http-errors.js';
import type { Principal } from '../principal.js';

/** The origin of a request, as the server saw it, not as headers say. */
export interface Caller {
  /** The address of the client, or of the nearest proxy that is not trusted; null: the server does not tell. */
  readonly address: string | null;
  /** The other end of the connection is this machine, and no proxy stands between. */
  readonly isLocal: boolean;
}

/** Credentials that were shown, and are not good. */
export interface AccessRefusal {
  readonly code: Extract<
    HttpErrorCode,
    'invalid_credentials' | 'expired_credentials' | 'revoked_credentials' | 'issuer_unavailable'
  >;
  /** For the caller; never the credentials. */
  readonly detail: string;
}

/**
 * Says who calls: a principal, a refusal, or null when the request shows nothing that this one knows. It is asked before
 * any of the body is read.
 */
export type Authorize = (request: Request, caller: Caller) => Promise<Principal | AccessRefusal | null>;
