import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.js';
import { texts } from '../../texts/texts.js';
import { notDoneIn } from '../../ui/missing-shards.js';
import { useToasts } from '../../ui/toasts.js';

const words = texts.alerts;

interface AlertVerbs {
  readonly acknowledge: (key: string) => void;
  readonly endSilence: (key: string) => void;
  readonly test: () => void;
  readonly isBusy: boolean;
  /** Why the last one could not be done; null: it was, or there was none. */
  readonly error: Error | null;
}

/** What is done to an alert at once, without a dialog; each says when it was done. */
export function useAlertVerbs(): AlertVerbs {
  const client = useQueryClient();
  const toasts = useToasts();
  const doing = useMutation({
    mutationFn: async ({ act, done }: { readonly act: () => Promise<unknown>; readonly done: string }) => ({
      answer: await act(),
      done,
    }),
    onSuccess({ answer, done }) {
      void client.invalidateQueries({ queryKey: ['alerts'] });
      toasts.add({ title: done, ...notDoneIn(answer) });
    },
  });
  return {
    acknowledge: (key) =>
      doing.mutate({ act: () => callApi('acknowledgeAlert', { body: { key } }), done: words.doneAcknowledge }),
    endSilence: (key) =>
      doing.mutate({ act: () => callApi('silenceAlert', { body: { key, for: null } }), done: words.doneEnd }),
    test: () => doing.mutate({ act: () => callApi('testAlerts', { body: {} }), done: words.doneTest }),
    isBusy: doing.isPending,
    error: doing.error,
  };
}
