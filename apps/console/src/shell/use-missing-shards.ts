import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { missingIn } from '../ui/missing-shards.js';

/** The shards whose part is missing in what the screen shows, by name; empty: all have answered, or there is one database. */
export function useMissingShards(): readonly string[] {
  const client = useQueryClient();
  const [missing, setMissing] = useState('');
  useEffect(() => {
    const look = (): void => {
      const active = client.getQueryCache().findAll({ type: 'active' });
      const names = active.flatMap(({ state }) => missingIn(state.data));
      setMissing([...new Set(names)].sort().join(' '));
    };
    look();
    return client.getQueryCache().subscribe(look);
  }, [client]);
  return missing === '' ? [] : missing.split(' ');
}
