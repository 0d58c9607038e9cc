import type { ApiKey, CreatedKey, NewKey } from '@duework/operate';

export interface KeyOperations {
  create(key: Omit<NewKey, 'act'>): Promise<CreatedKey>;
  list(): Promise<readonly ApiKey[]>;
  revoke(idOrName: string): Promise<ApiKey>;
}
