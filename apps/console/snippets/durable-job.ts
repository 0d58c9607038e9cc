import { defineJob, type DurableContext } from 'duework';
import { z } from 'zod';

export const bookTrip = defineJob({ type: 'book_trip', payload: z.object({ tripId: z.int() }), durable: true });

export async function handleTrip({ step, sleep }: DurableContext): Promise<void> {
  await step('reserve', () => reserveSeats());
  await sleep('7d');
  await step('ask for a review', () => askForReview());
}

declare function reserveSeats(): Promise<void>;
declare function askForReview(): Promise<void>;
