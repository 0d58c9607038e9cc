import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToasts } from '../../../ui/toasts.js';

/**
 * Does something to a wait of a job, after which all is read again that shows it. A refusal shows how it is now, too.
 */
export function useChange<T>(id: string, act: (given: T) => Promise<unknown>, done: string, onDone: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: act,
    onSuccess() {
      toasts.add({ title: done });
      onDone();
    },
    onSettled() {
      for (const name of ['job', 'steps', 'approvals', 'explanation'])
        void client.invalidateQueries({ queryKey: [name, id] });
      void client.invalidateQueries({ queryKey: ['deeds', id] });
    },
  });
}
