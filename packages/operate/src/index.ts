export type { ApiKey } from './keys/api-key.js';
export { checkKeys, type KeyCheck } from './keys/check-keys.js';
export { createKey, type CreatedKey, type NewKey } from './keys/create-key.js';
export { listKeys } from './keys/list-keys.js';
export type { KeyLifetime } from './keys/read-expiry.js';
export { revokeKey } from './keys/revoke-key.js';
export { isGrantedScope, SCOPES, splitScopes, type GrantedScope, type Scope } from './keys/scopes.js';
