import type { ApiKey, CreatedKey, NewKey } from '@duework/operate';

export interface KeyOperations {
  create(key: Omit<NewKey, 'act'>, reason: string | undefined): Promise<CreatedKey>;
  list(): Promise<readonly ApiKey[]>;
  revoke(idOrName: string, reason: string | undefined): Promise<ApiKey>;
}
