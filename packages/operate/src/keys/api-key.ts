import type { GrantedScope } from './scopes.js';

/** A key as it is listed: never with its secret, which is kept nowhere. */
export interface ApiKey {
  /** The public part of the key, between its two underscores. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly GrantedScope[];
  /** `expired` and `revoked` keys open nothing; a revoked one stays in the list, because the audit names it. */
  readonly status: 'active' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly createdBy: string | null;
  /** null: never. */
  readonly expiresAt: Date | null;
  /** At most a minute old; null: never used. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: string | null;
}
