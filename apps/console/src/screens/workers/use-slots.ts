import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/call-api.js';
import { texts } from '../../texts/texts.js';
import { notDoneIn } from '../../ui/missing-shards.js';
import { useToasts } from '../../ui/toasts.js';

/**
 * What other slots of a queue would do to its workers; undefined: nothing is asked. null: what was changed is taken
 * back.
 */
export function useSlotsPreview(queue: string, slots: number | null | undefined) {
  return useQuery({
    queryKey: ['slots-preview', queue, slots],
    queryFn: ({ signal }) => callApi('previewSlots', { params: { queue }, body: { slots: slots! }, signal }),
    enabled: slots !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Sets the slots of a queue, null: takes a change back, with the reason; then says so. */
export function useSlotsChange(queue: string, onDone: () => void) {
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const toasts = useToasts();
  const doing = useMutation({
    mutationFn: (slots: number | null) =>
      callApi('changeSlots', {
        params: { queue },
        body: { slots, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
      }),
    onSuccess(answer) {
      toasts.add({ title: texts.workers.done, ...notDoneIn(answer) });
      onDone();
      void client.invalidateQueries({ queryKey: ['workers'] });
    },
  });
  return { reason, setReason, doing };
}
