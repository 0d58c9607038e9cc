import { sendReceipt } from '@acme/contracts';
import { createClient } from '@duework/client';
import { useEffect, useState } from 'react';

export const queue = createClient({ url: '/queue' });
export const order = (orderId: number) => queue.enqueue(sendReceipt, { orderId, to: 'a@example.com' });

export function useReceipt(id: string) {
  const [receipt, setReceipt] = useState<Awaited<ReturnType<typeof queue.getResult<typeof sendReceipt>>>>(null);
  useEffect(() => {
    void queue.getResult(sendReceipt, id).then(setReceipt);
  }, [id]);
  return receipt;
}

export function Receipt({ id }: { readonly id: string }) {
  const receipt = useReceipt(id);
  return <p>{receipt === null ? 'It is being made.' : `Receipt ${receipt.number}`}</p>;
}
